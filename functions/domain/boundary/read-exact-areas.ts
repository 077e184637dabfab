import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import { decodeBase64 } from '#functions/engine/tile/twkb.ts'

const areasAtOnce = 100

interface ExactArea {
  /** Its number in the file. */
  number: number
  code: string
  name: string
  /** Its outline as Tiny WKB with 7 decimals. */
  twkb: Uint8Array
}

/** The areas of an edition of a set, in the order of the file; in memory are a hundred at a time. */
export async function* readExactAreas(
  { db }: Pick<Context, 'db'>,
  { id, edition }: { id: string; edition: number },
): AsyncGenerator<ExactArea> {
  for (let last = 0; ;) {
    const { rows } = await sql<Omit<ExactArea, 'twkb'> & { twkb: string }>`
      select number, code, name, encode(ST_AsTWKB(area, 7), 'base64') as twkb from boundary_set_area
      where boundary_set_id = ${id} and edition = ${edition} and number > ${last}::int
      order by number limit ${areasAtOnce}::int`.execute(db)
    for (const row of rows) yield { ...row, twkb: decodeBase64(row.twkb) }
    last = rows.at(-1)?.number ?? last
    if (rows.length < areasAtOnce) return
  }
}
