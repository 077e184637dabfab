import type { Context } from '#functions/context.ts'
import type { ArchivedMedia } from '#functions/shapes/archive.ts'

/** The files of the media library and the pictures of the theme that are there. */
export const mediaRows = (ctx: Context, placeId: string) =>
  ctx.db
    .selectFrom('asset')
    .where('asset.placeId', '=', placeId)
    .where('asset.purpose', 'in', ['library', 'place'])
    .where('asset.state', '=', 'ready')
    .where('asset.deletedAt', 'is', null)

/** The archived description of each media file and the key of its bytes, by id. */
export async function* listMedia(
  ctx: Context,
  placeId: string,
): AsyncGenerator<{ key: string; about: ArchivedMedia }> {
  for (let after = ''; ;) {
    const rows = await mediaRows(ctx, placeId)
      .select(['asset.id', 'asset.purpose', 'asset.folderId', 'asset.name', 'asset.type', 'asset.size'])
      .select(['asset.key', 'asset.alt', 'asset.focalX', 'asset.focalY'])
      .where('asset.id', '>', after)
      .orderBy('asset.id')
      .limit(100)
      .execute()
    for (const { key, ...row } of rows)
      yield {
        key,
        about: { ...row, purpose: row.purpose as ArchivedMedia['purpose'], size: Number(row.size) },
      }
    const last = rows.at(-1)
    if (!last) return
    after = last.id
  }
}
