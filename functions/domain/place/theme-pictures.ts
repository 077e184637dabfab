import { emit } from '#functions/domain/outbox/outbox.ts'
import type { Context } from '#functions/context.ts'
import type { Tx } from '#db/schema.ts'

/** A public picture from a place's files. `width` and `height` in pixels; null: a drawing without a stated size. */
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

/** The id of the file in a URL of a theme; undefined for external URLs. */
export function fileIn(address: string | undefined): string | undefined {
  return /^\/m\/([^/?]+)\//.exec(address ?? '')?.[1]
}

/**
 * The files of a place that its theme uses, by id. Runs no query for a theme without files. Files of another place, and
 * deleted or unconfirmed ones, are left out.
 */
export async function themePictures(
  ctx: Context,
  placeId: string,
  theme: Record<string, string>,
): Promise<Map<string, ThemePicture>> {
  const ids = getFileIds(theme)
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

/** Emits that the design of a place has changed if its theme uses one of some changed files. */
export async function emitThemeChange(
  tx: Tx,
  placeId: string | null,
  fileIds: readonly string[],
): Promise<void> {
  if (placeId === null || fileIds.length === 0) return
  const place = await tx.selectFrom('place').select('theme').where('id', '=', placeId).executeTakeFirst()
  if (getFileIds(place?.theme ?? {}).some((id) => fileIds.includes(id)))
    await emit(tx, { kind: 'place', placeId, payload: { id: placeId } })
}

function getFileIds(theme: Record<string, string>): string[] {
  return [...new Set(Object.values(theme).flatMap((address) => fileIn(address) ?? []))]
}
