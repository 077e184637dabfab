import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getColumnName, dataTable, tableNameFor } from '#db/data-table.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { create } from '#functions/domain/boundary/sets.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { openImporterFixture, origin, type ImporterFixture } from './testing.ts'

let bed: ImporterFixture
beforeAll(async () => {
  bed = await openImporterFixture()
})
afterAll(() => bed.close())

test('an import computes regions, counts with them, and changes nothing the second time', async () => {
  const ring = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
    [0, 0],
  ]
  const geojson = {
    type: 'Feature',
    properties: { CODE: 'A' },
    geometry: { type: 'Polygon', coordinates: [ring] },
  }
  const set = await create(bed.world.as('content_admin', { tiles: memoryBucket() }), {
    params: { placeId: 'oakton' },
    options: {},
    placeId: 'oakton',
    data: { name: 'Wards', geojson, visibility: 'public' },
  })
  const boundarySetId = String(set?.id)
  const schema: FieldSchema = {
    id: { name: 'Id', type: 'text' },
    ward: { name: 'Ward', type: 'text', regionOf: { point: 'at', boundarySetId, value: 'code' } },
    at: { name: 'At', type: 'point' },
  }
  const { db } = bed.system()
  await bed.setFields(schema)
  const sources = JSON.stringify([
    { url: `${origin}/trees.json`, parser: 'json', parserOptions: { selector: '*' } },
  ])
  const id = await bed.importer({ sources })
  const tree = (i: number) => ({
    ...{ id: `t${String(i).padStart(4, '0')}`, ward: 'sent' },
    at: { type: 'Point', coordinates: [i % 3 === 0 ? 0.5 : 1.5, 0.5] },
  })
  bed.files.set('/trees.json', JSON.stringify(Array.from({ length: 1200 }, (_, i) => tree(i))))
  for (const counts of [
    { created: 1200, unchanged: 0 },
    { created: 0, unchanged: 1200 },
  ]) {
    await bed.start(id)
    await bed.finish()
    expect(await bed.job(id)).toMatchObject({
      status: 'succeeded',
      counts: { ...counts, updated: 0, rejected: 0 },
    })
  }
  const { rows } = await sql<{ ward: string | null; n: number }>`
    select ${sql.id(getColumnName('ward'))} as ward, count(*)::int as n from ${dataTable(tableNameFor('sapling'))}
    where source_id = ${id} group by 1 order by 1`.execute(db)
  expect(rows).toEqual([
    { ward: 'A', n: 400 },
    { ward: null, n: 800 },
  ])
  const stat = await db
    .selectFrom('sourceStat')
    .select('fields')
    .where('sourceId', '=', id)
    .executeTakeFirst()
  expect(stat?.fields).toMatchObject({ ward: { values: { A: 400 }, nulls: 800 } })
})
