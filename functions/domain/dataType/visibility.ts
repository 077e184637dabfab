import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { whereSeen } from '#functions/domain/noun/visible.ts'
import { readPlacesOf, readsAll } from '#functions/domain/access/identity-of.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { Visibility } from '#db/schema.ts'

const notDeleted = sql`${sql.ref('dataType.deletedAt')} is null`
const notClosed = sql`${sql.ref('dataType.closedAt')} is null`
const owner = sql.ref('dataType.ownerPlaceId')

/**
 * The data types that the actor may see: those with a source it may see (in the place, where one is named), those its
 * places own, and, unless a place is named, official ones. `maxVisibility=public` leaves those with a public source.
 */
export function seenDataType(
  ctx: Context,
  placeId: string | null,
  maxVisibility?: Visibility,
): RawBuilder<SqlBool> {
  const inPlace = placeId === null ? sql`true` : sql`source.place_id = ${placeId}`
  const withSource = sql`exists (select from source where source.data_type_id = ${sql.ref('dataType.id')}
    and ${inPlace} and ${whereSeen(ctx, 'source', maxVisibility)})`
  // One that its owner has deleted is there only for those whose sources still move away from it.
  const isLive = sql`${notDeleted} and (${notClosed} or ${owner} <> all(${readPlacesOf(ctx.actor)}::text[]))`
  if (maxVisibility === 'public') return sql<SqlBool>`(${isLive} and ${withSource})`
  const isOwn = readsAll(ctx.actor) ? sql`true` : sql`${owner} = any(${readPlacesOf(ctx.actor)}::text[])`
  if (placeId !== null)
    return sql<SqlBool>`(${isLive} and (${withSource} or (${owner} = ${placeId} and ${isOwn})))`
  return sql<SqlBool>`(${isLive} and (${withSource} or ${owner} is null or ${isOwn}))`
}

/**
 * The data types that a place may make something of: official ones, its own, and those that a public source of any place
 * shows. It is the place that counts and not who asks: a source of one place shows its data type to all who may see the
 * source, and a person of two places, or a super admin, would publish the private type of one by the source of another.
 */
export function usableDataType(placeId: string | null): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${notDeleted} and ${notClosed} and (${owner} is null or ${owner} = ${placeId} or exists (
    select from source shown join place on place.id = shown.place_id
    where shown.data_type_id = ${sql.ref('dataType.id')} and shown.visibility = 'public'
      and shown.deleted_at is null and place.deleted_at is null)))`
}

/**
 * The data types that a question of a place may be about: those it may use, and those of sources that it has already (a
 * source keeps its data type), as far as the actor may see these.
 */
export function askableDataType(ctx: Context, placeId: string | null): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${usableDataType(placeId)} or (${notDeleted} and exists (
    select from source where source.data_type_id = ${sql.ref('dataType.id')}
      and source.place_id = ${placeId} and ${whereSeen(ctx, 'source')})))`
}

/**
 * Refuses a data type that does not meet a condition, in the words for one that there is not: who asks is not told which of
 * the two it is. Failure `invalid` at `dataTypeId`.
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

/** Which of some data types a place may make something of. */
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
