import type { Context } from '#functions/context.ts'
import { writeOutlines } from '#functions/engine/region/outlines.ts'
import { outlinesKey } from '#functions/engine/tile/manifest.ts'
import { readExactAreas } from './read-exact-areas.ts'

/**
 * Stores the exact areas of a public set where tables of hubs read them without the database; nothing where its present
 * edition is stored already.
 */
export async function publishOutlines(
  ctx: Pick<Context, 'db' | 'tiles'>,
  { id, edition, codeField }: { id: string; edition: number; codeField: string | null },
): Promise<void> {
  // Another attribute may name the areas of the same edition.
  const stamp = `${edition} ${codeField ?? ''}`
  const object = await ctx.tiles.head(outlinesKey(id))
  if (object?.customMetadata?.stamp === encodeURIComponent(stamp)) return
  const areas: { code: string; twkb: Uint8Array }[] = []
  for await (const { code, twkb } of readExactAreas(ctx, { id, edition })) areas.push({ code, twkb })
  await ctx.tiles.put(outlinesKey(id), writeOutlines(edition, areas), {
    customMetadata: { stamp: encodeURIComponent(stamp) },
  })
}
