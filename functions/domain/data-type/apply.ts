import { sql } from 'kysely'
import { lockTableShape } from '#db/data-type-change.ts'
import type { Tx } from '#db/schema.ts'
import { system, type Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { DataTypeChanges } from '#functions/shapes/data-type.ts'
import type { SchemaChange } from '#functions/shapes/data-type-schema.ts'
import { applyChanges } from './data-types.ts'
import { emitDataType } from './emit-data-type.ts'
import { makeChange } from './schema-change/change.ts'
import { updateRow } from '#functions/domain/noun/rows.ts'
import { foreignPlaces, openMoves } from './change.ts'

/**
 * Applies a change that the owner of a data type requested, once no other place uses the type any more; in the
 * transaction that ends the change, so it is applied once. Sources that other places have added since are moved first. A
 * change that cannot be applied (a value would be lost) ends as failed, with the reason: the owner may request it again,
 * and nothing waits any more.
 */
export async function apply(ctx: Context, changeId: string): Promise<void> {
  try {
    await ctx.transaction((tx) => applyIn(tx, ctx, changeId))
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'unavailable' || error.kind === 'broken') throw error
    const reasons = error.issues.map(({ message }) => message)
    await end(ctx.db, changeId, 'failed', [error.message, ...reasons].join(' '))
  }
}

async function applyIn(tx: Tx, ctx: Context, changeId: string): Promise<void> {
  const about = await tx
    .selectFrom('dataTypeChange')
    .innerJoin('dataType', 'dataType.id', 'dataTypeChange.dataTypeId')
    .select(['dataType.id', 'dataType.tableName'])
    .where('dataTypeChange.id', '=', changeId)
    .executeTakeFirst()
  if (!about) return
  // The order of locks is that of an owner's request.
  if (about.tableName !== null) await lockTableShape(tx, about.tableName)
  const type = await tx
    .selectFrom('dataType')
    .select(['id', 'name', 'schema', 'temporal', 'mappingLabelSchema', 'ownerPlaceId', 'version', 'closedAt'])
    .where('id', '=', about.id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const change = await tx
    .selectFrom('dataTypeChange')
    .select(['kind', 'data', 'askedBy'])
    .where('id', '=', changeId)
    .where('status', '=', 'moving')
    .forUpdate()
    .executeTakeFirst()
  const { id, ownerPlaceId, version } = type
  if (!change || ownerPlaceId === null) return
  const places = await foreignPlaces(tx, { id, ownerPlaceId })
  if (places.length > 0) return openMoves(tx, { changeId, typeId: id }, places)
  const { rows: rest } = await sql`
    select from data_type_move where change_id = ${changeId}
      and (status = 'copying' or ${change.kind === 'schema'} and status = 'clearing') limit 1`.execute(tx)
  if (rest.length > 0) return
  const asker = actAs(ctx, change.askedBy)
  if (change.kind === 'delete') {
    await updateRow(tx, ctx, 'dataType', type, { deletedAt: type.closedAt ?? ctx.now(), closedAt: null })
    await emitDataType(tx, id, ownerPlaceId)
  } else if (change.kind === 'document') {
    await applyChanges(tx, asker, type, change.data as DataTypeChanges)
  } else {
    await makeChange(asker, tx, id, version, change.data as SchemaChange, true)
  }
  await end(tx, changeId, 'succeeded', null)
}

async function end(
  db: Tx | Context['db'],
  changeId: string,
  status: 'succeeded' | 'failed',
  error: string | null,
): Promise<void> {
  await db
    .updateTable('dataTypeChange')
    .set({ status, error, finishedAt: sql<Date>`now()` })
    .where('id', '=', changeId)
    .where('status', '=', 'moving')
    .execute()
}

/** The system actor, with the requesting person as the author in the audit log. */
function actAs(ctx: Context, userId: string | null): Context {
  const user = userId && {
    ...{ id: userId, email: '', name: '', image: null },
    ...{ verified: true, welcomed: true, role: null },
  }
  const actor = user ? { ...system, user } : system
  return Object.create(ctx, { actor: { value: actor } }) as Context
}
