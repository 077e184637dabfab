import { sql } from 'kysely'
import type { Tx } from '#db/schema.ts'
import type { Context } from '#functions/context.ts'
import { recordActivity } from '#functions/domain/activity/activity.ts'
import { writeToAdmins } from '#functions/domain/email/admin-email.ts'
import { toSingleLine, type Draft, pathInPlace } from '#functions/domain/email/email.ts'
import { emit } from '#functions/domain/outbox/outbox.ts'
import { recordVersion } from '#functions/domain/records/version.ts'
import { copySome, isCopied, type Move, type Sizes } from './copy.ts'

/** How long a flip waits for writers of its sources: new ones queue behind it. */
const lockTimeout = '5s'
/** Time for readers of the old records to finish: longer than any statement of a visitor. */
const graceSeconds = 30
/** Batches that may be copied while the sources are locked: one that is written all the time is never copied completely. */
const lastSteps = 4

/**
 * Switches all of a place's sources to its own data type, in one transaction with everything that refers to the old one:
 * queries, joins, observers, counts by data type. Ids and times of records do not change; the data version is
 * incremented, which invalidates all caches. False: something was written since it was copied, and must be copied first.
 */
export async function switchSourcesToOwnType(
  tx: Tx,
  ctx: Context,
  move: Move,
  tables: { from: string; to: string } | undefined,
  sizes: Sizes,
): Promise<boolean> {
  const { placeId, fromTypeId: from, toTypeId: to } = move
  await sql`select set_config('lock_timeout', ${lockTimeout}, true)`.execute(tx)
  // Writers of records lock the source first: they come before or after this.
  const sources = await tx
    .selectFrom('source')
    .select(['id', 'dataVersion', 'deletedAt'])
    .where('placeId', '=', placeId)
    .where('dataTypeId', '=', from)
    .orderBy('id')
    .forUpdate()
    .execute()
  for (let step = 0; !(await isCopied(tx, move)); step += 1) {
    if (step === lastSteps) return false
    await copySome(tx, move, tables, sizes)
  }
  if (tables) await sql`select follow_data_sequence(${tables.from}, ${tables.to})`.execute(tx)
  await tx
    .updateTable('source')
    .set({
      dataTypeId: to,
      // A source without any write has data version 0: no client can have cached its records.
      dataVersion: sql<number>`case when data_version > 0 then data_version + 1 else 0 end`,
      version: sql<number>`version + 1`,
      updatedAt: sql<Date>`now()`,
    })
    .where('placeId', '=', placeId)
    .where('dataTypeId', '=', from)
    .execute()
  const insights = await moveQuestions(tx, move)
  await sql`
    update observer set data_type_id = ${to}, version = version + 1, updated_at = now(), lease_until = null, fence = fence + 1
    where place_id = ${placeId} and data_type_id = ${from}`.execute(tx)
  await sql`update usage_day set data_type_id = ${to} where place_id = ${placeId} and data_type_id = ${from}
    and not exists (select from usage_day own where own.place_id = usage_day.place_id and own.data_type_id = ${to}
      and own.day = usage_day.day)`.execute(tx)
  await sql`
    insert into field_use (data_type_id, field, kind, day, asked)
    select ${to}, field, kind, day, asked from field_use where data_type_id = ${from} on conflict do nothing`.execute(
    tx,
  )
  const type = await tx
    .updateTable('dataType')
    .set({ closedAt: null, updatedAt: sql<Date>`now()` })
    .where('id', '=', to)
    .returning('name')
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('dataTypeMove')
    .set({
      status: 'clearing',
      movedAt: sql<Date>`now()`,
      error: null,
      dueAt: sql<Date>`now() + make_interval(secs => ${graceSeconds}::float8)`,
    })
    .where('id', '=', move.id)
    .execute()
  for (const { id, dataVersion } of sources) {
    await emit(tx, { kind: 'source', placeId, payload: { id } })
    if (dataVersion > 0) {
      const version = dataVersion + 1
      const none = { created: 0, updated: 0, removed: 0 }
      await recordVersion(tx, { sourceId: id, placeId, version }, none, { fieldsChanged: true })
      await emit(tx, { kind: 'data', placeId, payload: { sourceId: id, version } })
    }
  }
  for (const id of insights) await emit(tx, { kind: 'insight', placeId, payload: { id } })
  await emit(tx, { kind: 'dataType', placeId, payload: { id: to } })
  await recordActivity(tx, ctx, { verb: 'moved', type: 'dataType', id: to, name: type.name, placeId })
  const liveCount = sources.filter(({ deletedAt }) => deletedAt === null).length
  await writeToAdmins(tx, ctx.settings, placeId, await makeEmail(tx, move, type.name, liveCount))
  return true
}

/** Updates queries of the data type, and joins of it in any query of the place. Returns the ids of the changed ones. */
async function moveQuestions(tx: Tx, { placeId, fromTypeId: from, toTypeId: to }: Move): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update insight set version = version + 1, updated_at = now(),
      data_type_id = case when data_type_id = ${from} then ${to} else data_type_id end,
      query = case when jsonb_typeof(query->'joins') = 'array' then jsonb_set(query, '{joins}', (
        select coalesce(jsonb_agg(case when j->>'dataTypeId' = ${from} then jsonb_set(j, '{dataTypeId}', to_jsonb(${to}::text))
          else j end order by n), '[]') from jsonb_array_elements(query->'joins') with ordinality u(j, n))) else query end
    where place_id = ${placeId} and (data_type_id = ${from} or (query ? 'joins'
      and jsonb_path_exists(query, '$.joins[*] ? (@.dataTypeId == $id)', jsonb_build_object('id', ${from}::text))))
    returning id`.execute(tx)
  return rows.map(({ id }) => id)
}

async function makeEmail(
  tx: Tx,
  { changeId, toTypeId, placeId }: Move,
  typeName: string,
  sources: number,
): Promise<Draft> {
  const { kind } = await tx
    .selectFrom('dataTypeChange')
    .select('kind')
    .where('id', '=', changeId)
    .executeTakeFirstOrThrow()
  const name = toSingleLine(typeName)
  const what = kind === 'delete' ? 'deleted' : 'changed'
  const yours =
    sources === 0 ? 'What you made of it' : sources === 1 ? 'Your source' : `Your ${sources} sources`
  const uses = sources > 1 ? 'use' : 'uses'
  return {
    subject: `The data type “${name}” is ${what} by its owner`,
    lines: [
      `The organization that owns the data type “${name}” has ${what} it. ${yours} now ${uses} a data type of your own, with the same name and the same fields as before.`,
      'Your records, questions and observers are as they were, and addresses of the old data type lead to the new one. You can change your data type as you like.',
    ],
    link: {
      label: 'See your data type',
      path: pathInPlace(`/types/${encodeURIComponent(toTypeId)}`, placeId),
    },
  }
}
