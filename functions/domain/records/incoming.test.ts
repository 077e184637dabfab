import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getColumnName, dataTable, tableNameFor } from '#db/data-table.ts'
import { system, type Context } from '#functions/context.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { ingest } from './ingest.ts'
import { recordsWorld, type RecordsWorld } from './testing.ts'

const schema: FieldSchema = {
  id: { name: 'Id', type: 'text', validation: { required: true } },
  said: { name: 'Said', type: 'text' },
  tags: { name: 'Tags', type: 'array', items: { name: 'Tag', type: 'text' } },
  amount: { name: 'Amount', type: 'number' },
  spot: { name: 'Where', type: 'point' },
}
const texts = [
  'NULL',
  'null',
  '',
  '{}',
  '{a,b}',
  '"',
  '\\',
  '\\"',
  'a,b',
  "it's",
  '\t\n',
  '{"',
  'SRID=4326;POINT(1 2)',
]
const numbers = [0, 1e-7, 5e-324, 1.7976931348623157e308, 0.1 + 0.2, -1e21, 123456789.12345678]
/** Numbers with many digits, tiny and large ones: well-known text must not round any of them. */
const degrees = [12, 1e-7, -1.5e-12, 89.99999999999999, 0.1 + 0.2, -33.333333333333336, 5e-324]

let world: RecordsWorld
let ctx: Context
beforeAll(async () => {
  world = await recordsWorld()
  ctx = world.as(system)
  await world.dataType('said', schema)
})
afterAll(() => world.close())

/**
 * Every text with every number and every pair of degrees: several hundred rows, enough for the bulk insert.
 */
const rows = texts.flatMap((text, t) =>
  degrees.flatMap((x, i) =>
    degrees.map((y, k) => ({
      id: `${t} ${i} ${k}`,
      said: text,
      tags: [text, texts[(t + i) % texts.length]],
      amount: numbers[(i + k) % numbers.length],
      spot: { type: 'Point', coordinates: (t + k) % 3 ? [x, y] : [x, y, 12] },
    })),
  ),
)

test.each(['added', 'replaced'])('rows that are %s are read back exactly', async (way) => {
  const source = await world.source('said')
  if (way === 'replaced') await ingest(ctx, source, [{ id: 'first', said: 'there' }])
  const { created, rejected } = await ingest(ctx, source, rows)
  expect({ created, rejected }).toEqual({ created: rows.length, rejected: [] })
  const column = (key: string) => sql.id(getColumnName(key))
  const { rows: storedRows } = await sql<{
    said: string
    tags: string[]
    amount: number
    x: number
    y: number
  }>`
    select external_id as id, ${column('said')} as said, ${column('tags')} as tags, ${column('amount')} as amount,
      st_x(geometry) as x, st_y(geometry) as y, st_srid(geometry) as srid, st_ndims(geometry) as dimensions
    from ${dataTable(tableNameFor('said'))} where source_id = ${source} and external_id <> 'first'
    order by id`.execute(ctx.db.withoutPlugins())
  const byId = new Map(storedRows.map((row) => [(row as unknown as { id: string }).id, row]))
  for (const { id, said: text, tags, amount, spot } of rows) {
    const [x, y] = spot.coordinates
    expect(byId.get(id)).toEqual({ id, said: text, tags, amount, x, y, srid: 4326, dimensions: 2 })
  }
})
