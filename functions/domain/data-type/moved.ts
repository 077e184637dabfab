import type { Context } from '#functions/context.ts'

/**
 * The data type of a place's own that its sources have moved to from another one, the latest of several; null where
 * there is none, and where the actor may see no source of it.
 */
export async function findMovedType(
  ctx: Context,
  placeId: string,
  dataTypeId: string,
): Promise<string | null> {
  const row = await ctx.db
    .selectFrom('dataTypeMove')
    .select('toTypeId')
    .where('placeId', '=', placeId)
    .where('fromTypeId', '=', dataTypeId)
    .where('movedAt', 'is not', null)
    .orderBy('movedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.toTypeId ?? null
}
