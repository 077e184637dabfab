import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { whereRowsVisible } from '#functions/domain/noun/visible.ts'
import { getReadablePlaceIds, readsAll } from '#functions/domain/access/identity.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { Visibility } from '#db/schema.ts'

const notDeleted = sql`${sql.ref('dataType.deletedAt')} is null`
const notClosed = sql`${sql.ref('dataType.closedAt')} is null`
const owner = sql.ref('dataType.ownerPlaceId')

/**
 * A condition for the data types that the actor may see: those with a visible source (in the given place, if any), those
 * its places own, and, without a place, official ones. `maxVisibility=public` leaves those with a public source.
 */
export function whereDataTypeVisible(
  ctx: Context,
  placeId: string | null,
  maxVisibility?: Visibility,
): RawBuilder<SqlBool> {
  const inPlace = placeId === null ? sql`true` : sql`source.place_id = ${placeId}`
  const withSource = sql`exists (select from source where source.data_type_id = ${sql.ref('dataType.id')}
    and ${inPlace} and ${whereRowsVisible(ctx, 'source', maxVisibility)})`
  // A deleted data type exists only for places whose sources still move away from it.
  const isLive = sql`${notDeleted} and (${notClosed} or ${owner} <> all(${getReadablePlaceIds(ctx.actor)}::text[]))`
  if (maxVisibility === 'public') return sql<SqlBool>`(${isLive} and ${withSource})`
  const isOwn = readsAll(ctx.actor)
    ? sql`true`
    : sql`${owner} = any(${getReadablePlaceIds(ctx.actor)}::text[])`
  if (placeId !== null)
    return sql<SqlBool>`(${isLive} and (${withSource} or (${owner} = ${placeId} and ${isOwn})))`
  return sql<SqlBool>`(${isLive} and (${withSource} or ${owner} is null or ${isOwn}))`
}

/**
 * A condition for the data types that a place may use: official ones, its own, and those of public sources of any place.
 * It depends on the place and not on the actor: a source shows its data type to everyone who sees the source, so a
 * person of two places, or a super admin, would publish the private type of one by a source of the other.
 */
export function usableDataType(placeId: string | null): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${notDeleted} and ${notClosed} and (${owner} is null or ${owner} = ${placeId} or exists (
    select from source shown join place on place.id = shown.place_id
    where shown.data_type_id = ${sql.ref('dataType.id')} and shown.visibility = 'public'
      and shown.deleted_at is null and place.deleted_at is null)))`
}

/**
 * A condition for the data types that a query of a place may use: those that the place may use, and those of its
 * existing sources (a source keeps its data type) if the actor may see these.
 */
export function askableDataType(ctx: Context, placeId: string | null): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${usableDataType(placeId)} or (${notDeleted} and exists (
    select from source where source.data_type_id = ${sql.ref('dataType.id')}
      and source.place_id = ${placeId} and ${whereRowsVisible(ctx, 'source')})))`
}

/**
 * Rejects a data type that does not meet a condition, with the error of a missing one, so that its existence is not
 * revealed. Failure `invalid` at `dataTypeId`.
 */
export async function requireDataType(
  ctx: Context,
  id: string,
  condition: RawBuilder<SqlBool>,
): Promise<void> {
  const row = await ctx.db
    .selectFrom('dataType')
    .select('id')
    .where('id', '=', id)
    .where(condition)
    .executeTakeFirst()
  if (row) return
  throw new Failure('invalid', {
    issues: [{ path: ['dataTypeId'], value: id, message: 'There is no such data type.' }],
  })
}

/** The given data types that a place may use. */
export async function usableAmong(
  ctx: Context,
  placeId: string | null,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await ctx.db
    .selectFrom('dataType')
    .select('id')
    .where('id', 'in', [...ids, ''])
    .where(usableDataType(placeId))
    .execute()
  return new Set(rows.map(({ id }) => id))
}
