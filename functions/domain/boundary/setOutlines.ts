import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import { writeOutlines } from '#functions/engine/region/outlines.ts'
import { outlinesKey } from '#functions/engine/tile/manifest.ts'
import { bytesOf } from '#functions/engine/tile/twkb.ts'

const areasAtOnce = 100

/**
 * Stores the exact areas of a public set where tables of hubs read them without the database; nothing where its present
 * edition is stored already.
 */
export async function publishOutlines(
  { db, tiles }: Pick<Context, 'db' | 'tiles'>,
  { id, edition, codeField }: { id: string; edition: number; codeField: string | null },
): Promise<void> {
  // Another attribute may name the areas of the same edition.
  const stamp = `${edition} ${codeField ?? ''}`
  const object = await tiles.head(outlinesKey(id))
  if (object?.customMetadata?.stamp === encodeURIComponent(stamp)) return
  const areas: { code: string; twkb: Uint8Array }[] = []
  for (let last = 0; ;) {
    const { rows } = await sql<{ number: number; code: string; twkb: string }>`
      select number, code, encode(ST_AsTWKB(area, 7), 'base64') as twkb from boundary_set_area
      where boundary_set_id = ${id} and edition = ${edition} and number > ${last}::int
      order by number limit ${areasAtOnce}::int`.execute(db)
    for (const { code, twkb } of rows) areas.push({ code, twkb: bytesOf(twkb) })
    last = rows.at(-1)?.number ?? last
    if (rows.length < areasAtOnce) break
  }
  await tiles.put(outlinesKey(id), writeOutlines(edition, areas), {
    customMetadata: { stamp: encodeURIComponent(stamp) },
  })
}
