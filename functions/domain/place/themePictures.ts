import { emit } from '#functions/domain/outbox/outbox.ts'
import type { Context } from '#functions/context.ts'
import type { Tx } from '#db/schema.ts'

/** A picture of a place's files, as everyone may know it. `width` and `height` in pixels; null: a drawing that does not say. */
export interface ThemePicture {
  id: string
  name: string
  type: string
  width: number | null
  height: number | null
  alt: string
  /** Where the eye should rest, from the top: 0 to 1. */
  focalY: number
}

/** The file that an address of a theme names; undefined for what is on the web. */
export function fileIn(address: string | undefined): string | undefined {
  return /^\/m\/([^/?]+)\//.exec(address ?? '')?.[1]
}

/**
 * The files of a place that its theme names, by id. Without a file no question is asked. A file that is of another place,
 * deleted or not confirmed is not in the answer.
 */
export async function themePictures(
  ctx: Context,
  placeId: string,
  theme: Record<string, string>,
): Promise<Map<string, ThemePicture>> {
  const ids = filesOf(theme)
  if (ids.length === 0) return new Map()
  const rows = await ctx.db
    .selectFrom('asset')
    .select(['id', 'name', 'type', 'width', 'height', 'alt', 'focalY'])
    .where('id', 'in', ids)
    .where('placeId', '=', placeId)
    .where('purpose', '<>', 'source')
    .where('state', '=', 'ready')
    .where('deletedAt', 'is', null)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Tells that a place looks otherwise where its theme names one of some files that were changed. */
export async function tellOfPictures(
  tx: Tx,
  placeId: string | null,
  fileIds: readonly string[],
): Promise<void> {
  if (placeId === null || fileIds.length === 0) return
  const place = await tx.selectFrom('place').select('theme').where('id', '=', placeId).executeTakeFirst()
  if (filesOf(place?.theme ?? {}).some((id) => fileIds.includes(id)))
    await emit(tx, { kind: 'place', placeId, payload: { id: placeId } })
}

function filesOf(theme: Record<string, string>): string[] {
  return [...new Set(Object.values(theme).flatMap((address) => fileIn(address) ?? []))]
}
