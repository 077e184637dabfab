import { sql } from 'kysely'
import { record } from '#functions/domain/activity/activity.ts'
import type { NounRequest } from '#functions/domain/noun/requests.ts'
import { nextRunOf, requireGoodImporter, storedSources } from './check.ts'
import { requireFiles } from './stored.ts'
import { importerColumns, importerOf, sealedOf, sourceOf } from './of-source.ts'
import { withIncludes } from '#functions/domain/noun/includes.ts'
import { insertNew } from '#functions/domain/noun/newId.ts'
import { write } from '#functions/domain/outbox/outbox.ts'
import {
  by,
  whereFiltered,
  listPage,
  whereSearched,
  buildOrder,
  total,
} from '#functions/domain/noun/paging.ts'
import {
  conflict,
  expectVersion,
  fresh,
  bumpVersion,
  withoutUndefined,
} from '#functions/domain/noun/versions.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { ImporterChanges, ImporterOptions, NewImporter } from '#functions/shapes/importer.ts'
import { openStatuses } from '#functions/shapes/job.ts'
import type { OneOptions } from '#functions/shapes/options.ts'
import type { Tx } from '#db/schema.ts'

/** The importers of a source that the actor may see, by name; undefined without such a source. */
export async function find(ctx: Context, asked: NounRequest<ImporterOptions>) {
  const source = await sourceOf(ctx, asked)
  if (!source) return undefined
  const { search, filters, orderings, includes, ...cut } = asked.options
  const query = ctx.db
    .selectFrom('importer')
    .select([...importerColumns, total])
    .where('importer.sourceId', '=', source.id)
    .where('importer.deletedAt', 'is', null)
    .where(whereSearched(search, ['importer.name']))
    .where(whereFiltered(filters, 'importer'))
  const found = await listPage(ctx, query, buildOrder(orderings, 'importer', [by('name')]), cut)
  return { ...found, results: await withIncludes(ctx, 'importer', found.results, includes) }
}

/** One importer; undefined when its source has none of this id that the actor may see. */
export async function findById(ctx: Context, asked: NounRequest<OneOptions>) {
  const row = await importerOf(ctx, asked)
  if (!row) return undefined
  const [importer] = await withIncludes(ctx, 'importer', [row], asked.options.includes)
  return importer
}

/** How many importers a place has at most, where the settings say nothing else. */
const mostImporters = 200

/**
 * Makes an importer. What is secret in its sources is encrypted and never given out. Failure `invalid` at `name` when the place
 * has as many as it may have.
 */
export async function create(ctx: Context, asked: NounRequest<unknown, NewImporter>) {
  const source = await sourceOf(ctx, asked)
  if (!source) return undefined
  const { sources, mapping = {}, columns = {}, ...data } = asked.data
  requireGoodImporter(asked.data)
  const { enabled = true, schedule = null } = data
  await requireFiles(ctx, source, sources)
  const { placeId, timeZone } = source
  const id = await write(ctx, async (tx) => {
    await requireRoom(ctx, tx, placeId)
    const row = {
      ...withoutUndefined(data),
      ...{ placeId, sourceId: source.id, name: data.name, enabled, schedule },
      mapping: JSON.stringify(mapping),
      columns: JSON.stringify(columns),
      nextRunAt: await nextRunOf(tx, { enabled, schedule, timeZone }),
      ...fresh(ctx),
    }
    const id = await insertNew(tx, ctx, { noun: 'importer', placeId, given: data.id }, async (free) =>
      tx
        .insertInto('importer')
        // What is secret is sealed for the id that it is stored under.
        .values({ ...row, ...(await storedSources(ctx, { id: free, secrets: null }, sources)), id: free })
        .onConflict((c) => c.column('id').doNothing())
        .executeTakeFirst(),
    )
    await record(tx, ctx, { verb: 'created', type: 'importer', id, name: data.name, placeId })
    return id
  })
  return importerOf(ctx, { params: { sourceId: source.id, importerId: id }, placeId })
}

/** Held for the rest of the transaction: two that are made at a time would each find the last room. */
async function requireRoom(ctx: Context, tx: Tx, placeId: string): Promise<void> {
  const most = ctx.settings.importersPerPlace ?? mostImporters
  await sql`select pg_advisory_xact_lock(hashtextextended(${`importers:${placeId}`}, 0))`.execute(tx)
  const { count } = await tx
    .selectFrom('importer')
    .select(sql<string>`count(*)`.as('count'))
    .where('placeId', '=', placeId)
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
  if (Number(count) < most) return
  const message = `There are ${most} importers already, as many as an organization may have. Delete one first.`
  throw new Failure('invalid', { say: message, issues: [{ path: ['name'], message, validator: 'limit' }] })
}

/** Changes an importer. `{ secret: true }` in its sources keeps the stored value. A run that goes on is not changed. */
export async function updateById(ctx: Context, asked: NounRequest<unknown, ImporterChanges>) {
  const [source, row] = [await sourceOf(ctx, asked), await importerOf(ctx, asked)]
  if (!source || !row) return undefined
  const { version, sources, mapping, columns, ...changes } = asked.data
  expectVersion(ctx, version, row)
  requireGoodImporter(asked.data)
  const { id, placeId } = row
  await requireFiles(ctx, { id: row.sourceId, placeId }, sources)
  const stored = sources && (await storedSources(ctx, { id, secrets: await sealedOf(ctx, id) }, sources))
  const { enabled, schedule } = { ...row, ...withoutUndefined(changes) }
  const isRescheduled = enabled !== row.enabled || schedule !== row.schedule
  const { timeZone } = source
  await write(ctx, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('importer')
      .set({
        ...withoutUndefined(changes),
        ...stored,
        ...(mapping && { mapping: JSON.stringify(mapping) }),
        ...(columns && { columns: JSON.stringify(columns) }),
        ...(isRescheduled && { nextRunAt: await nextRunOf(tx, { enabled, schedule, timeZone }) }),
        // Switched on again, it starts anew.
        ...(enabled && !row.enabled && { failures: 0 }),
        ...bumpVersion(ctx, row),
      })
      .where('id', '=', id)
      .where('version', '=', row.version)
      .executeTakeFirstOrThrow()
    if (!numUpdatedRows) throw conflict(row.version, null)
    await record(tx, ctx, { verb: 'updated', type: 'importer', id, name: changes.name ?? row.name, placeId })
  })
  return importerOf(ctx, asked)
}

/** Puts an importer away; it does not run any more. What it brought stays. A run that goes on ends first: `conflict`. */
export async function deleteById(ctx: Context, asked: NounRequest) {
  const row = await importerOf(ctx, asked)
  if (!row) return undefined
  const { id, name, placeId } = row
  await write(ctx, async (tx) => {
    const open = await tx
      .selectFrom('job')
      .select('id')
      .where('importerId', '=', id)
      .where('status', 'in', openStatuses)
      .executeTakeFirst()
    if (open) throw new Failure('conflict', { say: 'This importer is running: stop it first.' })
    await tx
      .updateTable('importer')
      .set({ deletedAt: ctx.now(), nextRunAt: null, ...bumpVersion(ctx, row) })
      .where('id', '=', id)
      .execute()
    await record(tx, ctx, { verb: 'deleted', type: 'importer', id, name, placeId })
  })
  return { id }
}

/** What of a new importer its shape does not say. A mark for a secret needs the importer it is stored of: its `id`. */
export async function check(ctx: Context, asked: NounRequest<unknown, Partial<NewImporter>>): Promise<void> {
  const { data } = asked
  requireGoodImporter(data)
  if (!data.sources) return
  const source = await sourceOf(ctx, asked)
  if (source) await requireFiles(ctx, source, data.sources)
  const id = data.id ?? ''
  const known = id && (await importerOf(ctx, { ...asked, params: { ...asked.params, importerId: id } }))
  await storedSources(ctx, { id, secrets: known ? await sealedOf(ctx, id) : null }, data.sources)
}
