import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import { NetBuilder, type BorderNet } from '#functions/engine/region/net.ts'
import { bytesOf, readRings } from '#functions/engine/tile/twkb.ts'

const areasAtOnce = 100

/** The properties of an area for pictures and maps. `gid` is valid within this edition only. */
export interface ShapeProperties {
  gid: string
  code: string
  name: string
}

/**
 * The borders of a set in typed arrays, and its areas in the same order. Areas are read in batches, which bounds the
 * memory for plain lists.
 */
export async function readNet(
  { db }: Pick<Context, 'db'>,
  set: { id: string; edition: number; vertexCount: number },
): Promise<{ net: BorderNet; areas: ShapeProperties[] }> {
  const builder = new NetBuilder(set.vertexCount)
  const areas: ShapeProperties[] = []
  for (let last = 0; ;) {
    const { rows } = await sql<{ number: number; code: string; name: string; twkb: string }>`
      select number, code, name, encode(ST_AsTWKB(area, 7), 'base64') as twkb from boundary_set_area
      where boundary_set_id = ${set.id} and edition = ${set.edition} and number > ${last}::int
      order by number limit ${areasAtOnce}::int`.execute(db)
    for (const { number, code, name, twkb } of rows) {
      builder.add(readRings(bytesOf(twkb)))
      areas.push({ gid: `a${number}`, code, name })
    }
    last = rows.at(-1)?.number ?? last
    if (rows.length < areasAtOnce) return { net: builder.finish(), areas }
  }
}
