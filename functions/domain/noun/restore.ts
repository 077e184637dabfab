import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { recordActivity } from '#functions/domain/activity/activity.ts'
import { param, type NounRequest } from './requests.ts'
import { askableDataType, usableDataType } from '#functions/domain/data-type/visibility.ts'
import { emit, write } from '#functions/domain/outbox/outbox.ts'
import { updateRow } from './rows.ts'
import { whereRowsVisible, type PlacedNoun } from './visible.ts'
import type { OperationName } from '#functions/domain/access/operations.ts'
import { permit } from '#functions/domain/access/permit.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'

/** How many days a deleted row can be restored. */
export const restoreDays = 30

const deleting: Record<PlacedNoun, OperationName> = {
  source: 'source.delete',
  insight: 'insight.delete',
  collection: 'collection.delete',
  page: 'page.delete',
  boundarySet: 'boundarySet.delete',
}

/** A condition on a column of deletion times: the row can still be restored. */
export function isRestorable(ctx: Context, deletedAt: string): RawBuilder<SqlBool> {
  const since = new Date(ctx.now().getTime() - restoreDays * 86_400_000)
  return sql<SqlBool>`${sql.ref(deletedAt)} > ${since}`
}

/**
 * A condition: deleted rows of a place that the actor could restore. Fails like deleting for actors who may
 * not delete such rows; Failure `invalid` without a place.
 */
export async function whereDeleted(
  ctx: Context,
  noun: PlacedNoun,
  placeId: string | undefined,
): Promise<RawBuilder<SqlBool>> {
  const place = await placeOfDeleted(ctx, deleting[noun], placeId)
  return sql<SqlBool>`(${whereRowsVisible(ctx, noun, 'private', isRestorable(ctx, `${noun}.deletedAt`))}
    and ${sql.ref(`${noun}.placeId`)} = ${place})`
}

/** The place whose deleted rows the actor may see. */
export async function placeOfDeleted(
  ctx: Context,
  operation: OperationName,
  placeId: string | undefined,
): Promise<string> {
  if (placeId === undefined)
    throw new Failure('invalid', { issues: [{ path: ['deleted'], message: 'Only of one place.' }] })
  await permit(ctx, operation, { placeId }, undefined)
  return placeId
}

/**
 * Restores a deleted row and what was deleted with it. False when there is none that the actor could have deleted, or it was deleted
 * too long ago. `conflict` when its data type is deleted, or the place may not use it any more.
 */
export async function restoreRow(
  ctx: Context,
  noun: PlacedNoun,
  request: Pick<NounRequest, 'params' | 'placeId'>,
) {
  const id = param(request, `${noun}Id`)
  const condition = await whereDeleted(ctx, noun, request.placeId ?? undefined)
  const name = sql.ref<string>(noun === 'page' ? 'page.title' : `${noun}.name`)
  // The nouns have these columns alike.
  const table = noun as 'source'
  const row = await ctx.db
    .selectFrom(table)
    .select(['version', 'placeId'])
    .select(name.as('name'))
    .where(condition)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return false
  if (noun === 'source' || noun === 'insight') await requireDataType(ctx, noun, id, row.placeId)
  const { placeId } = row
  await write(ctx, async (tx) => {
    await updateRow(tx, ctx, noun, { id, ...row }, { deletedAt: null })
    await recordActivity(tx, ctx, { verb: 'restored', type: noun, id, name: row.name, placeId })
    await emit(tx, { kind: noun, placeId, payload: { id } })
  })
  return true
}

async function requireDataType(ctx: Context, noun: 'source' | 'insight', id: string, placeId: string) {
  const table = noun as 'source'
  const row = await ctx.db
    .selectFrom(table)
    .innerJoin('dataType', 'dataType.id', `${table}.dataTypeId`)
    .select('dataType.id')
    .where(`${table}.id`, '=', id)
    .where(noun === 'source' ? usableDataType(placeId) : askableDataType(ctx, placeId))
    .executeTakeFirst()
  if (!row)
    throw new Failure('conflict', {
      message:
        'Its data type is not there: it was deleted, or is not shown any more. It has to come back first.',
    })
}
