import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import { isPlainNumber } from '#functions/shapes/plain-number.ts'

/**
 * The measures of an area that values may be divided by: square kilometres of its full geometry on the
 * ellipsoid, and numeric attributes of its file.
 */
export interface AreaMeasures {
  km2: number
  numbers?: Record<string, number>
}

/** The maximal number of numeric attributes that are stored with the areas. */
const maxAttributes = 24
const areasAtOnce = 1000

/**
 * The numeric attributes of a set's areas, by the number of the area. An attribute is numeric where each of its values
 * is a plain number ("1234.5"): "1,234" may be another number elsewhere, and "06037" is a code.
 */
export async function areaMeasures(
  { db }: Pick<Context, 'db'>,
  set: { id: string; edition: number },
): Promise<Map<number, AreaMeasures>> {
  const areas: { number: number; km2: number; attributes: Record<string, string> }[] = []
  for (let last = 0; ;) {
    const { rows } = await sql<(typeof areas)[number]>`
      select number, ST_Area(area::geography) / 1e6 as km2, attributes from boundary_set_area
      where boundary_set_id = ${set.id} and edition = ${set.edition} and number > ${last}::int
      order by number limit ${areasAtOnce}::int`.execute(db)
    areas.push(...rows)
    last = rows.at(-1)?.number ?? last
    if (rows.length < areasAtOnce) break
  }
  const isNumber = new Map<string, boolean>()
  for (const { attributes } of areas)
    for (const [name, text] of Object.entries(attributes))
      if (text !== '' && isNumber.get(name) !== false) isNumber.set(name, isPlainNumber(text))
  const names = [...isNumber].flatMap(([name, is]) => (is ? [name] : [])).slice(0, maxAttributes)
  return new Map(
    areas.map(({ number, km2, attributes }) => {
      const values = names.flatMap((name) =>
        attributes[name] ? [[name, Number(attributes[name])] as const] : [],
      )
      const measures = { km2: Number(km2.toPrecision(9)) }
      return [number, values.length > 0 ? { ...measures, numbers: Object.fromEntries(values) } : measures]
    }),
  )
}
