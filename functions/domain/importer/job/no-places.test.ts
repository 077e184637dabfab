import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getColumnName, dataTable, tableNameFor } from '#db/data-table.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { gazetteerSample } from '#functions/engine/gazetteer/gazetteer.testing.ts'
import { gazetteerKey, manifestKey } from '#functions/engine/tile/manifest.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import type { Download } from '#functions/shapes/download.ts'
import type { JobReject } from '#functions/shapes/job.ts'
import { rejects } from '../rejects.ts'
import { test as tryImporter, testNew } from '../try.ts'
import { createOutsideFetch } from '#functions/engine/import/fetch/testing.ts'
import { openImporterFixture, origin, type ImporterFixture } from './testing.ts'

let bed: ImporterFixture
const tiles = memoryBucket()
beforeAll(async () => {
  bed = await openImporterFixture()
  await tiles.put(gazetteerKey('abc'), gzipSync(gazetteerSample()))
  const gazetteer = { inputHash: '', hash: 'abc', bytes: 0 }
  await tiles.put(manifestKey, JSON.stringify({ sets: [], boundaries: [], gazetteer }))
  const schema: FieldSchema = {
    id: { name: 'Id', type: 'text' },
    height: { name: 'Height', type: 'number' },
    at: { name: 'At', type: 'point' },
  }
  await bed.setFields(schema)
})
afterAll(() => bed.close())

const mapping = {
  id: { field: 'id' },
  height: { field: 'height' },
  at: { transform: 'findPlace', arguments: [{ field: 'town' }, 'town', { field: 'state' }, 'United States'] },
}
const csv = [
  'id,height,town,state',
  'a,1,Springfield,Illinois',
  'b,1,springfield,MO',
  'c,1,Springfield,',
  'd,1,Atlantis,Illinois',
  'e,1,,',
  'f,much,Springfield,',
].join('\n')

test('a run geocodes names, imports rows with unknown or ambiguous names without a point, and lists those names', async () => {
  bed.files.set('/trees.csv', csv)
  const id = await bed.importer({ mapping: JSON.stringify(mapping) })
  const jobId = await bed.start(id)
  await bed.finish(undefined, bed.system({ tiles }))
  // The last row is rejected for its height: its place name is not reported.
  expect(await bed.job(id)).toMatchObject({
    status: 'succeeded',
    counts: { read: 6, created: 5, rejected: 1 },
  })
  const { db } = bed.system()
  const { rows } = await sql<{ id: string; at: string | null }>`
    select external_id as id, ST_AsText(${sql.id(getColumnName('at'))}) as at from ${dataTable(tableNameFor('sapling'))}
    where source_id = ${id} order by 1`.execute(db)
  expect(rows).toEqual([
    { id: 'a', at: 'POINT(-89.64371 39.80172)' },
    { id: 'b', at: 'POINT(-93.29824 37.21533)' },
    ...['c', 'd', 'e'].map((each) => ({ id: each, at: null })),
  ])
  const ask = {
    ...{ params: { sourceId: id, importerId: id, jobId }, placeId: 'oakton', data: undefined },
    options: {},
  }
  const ctx = bed.world.as('content_admin', { files: bed.system().files })
  const { results } = (await rejects(ctx, ask)) as { results: JobReject[] }
  expect(results.map(({ row, field, value, isTaken }) => ({ row, field, value, isTaken }))).toEqual([
    { row: 6, field: 'height', value: 'much', isTaken: false },
    { row: 3, field: 'at', value: 'Springfield', isTaken: true },
    { row: 4, field: 'at', value: 'Atlantis', isTaken: true },
  ])
  expect(results[1]?.message).toBe(
    '“Springfield” is the name of 2 places: Missouri, US (166,810 people); Illinois, US (116,565 people).',
  )
  const file = (await rejects(ctx, { ...ask, options: { format: 'csv' } })) as Download
  const text = await new Response(file.body as BodyInit).text()
  expect(text.split('\r\n').filter((line) => line.endsWith(',true'))).toHaveLength(2)
  const log = await db.selectFrom('jobLog').select('message').where('jobId', '=', jobId).execute()
  expect(log.map(({ message }) => message)).toContainEqual(
    expect.stringContaining('2 names of places lead to no one point (1 of several places, 1 not known)'),
  )
})

test('a trial reports the same for the first rows; without a gazetteer each row is rejected', async () => {
  bed.files.set('/trees.csv', csv)
  const id = await bed.importer()
  const data = { name: 'Trial', sources: [{ url: `${origin}/trees.csv`, parser: 'csv' }], mapping }
  const request = { params: { sourceId: id }, options: {}, placeId: 'oakton', data } as never
  const fetch = createOutsideFetch(() => bed.net)
  const trial = await tryImporter(bed.world.as('content_admin', { tiles, fetch }), request)
  expect(trial?.rows.map(({ noPlaces }) => noPlaces.map(({ kind }) => kind))).toEqual([
    ...[[], [], ['ambiguous'], ['unknown'], [], []],
  ])
  const without = await tryImporter(bed.world.as('content_admin', { tiles: memoryBucket(), fetch }), request)
  expect(without?.rows[0]?.errors[0]).toMatchObject({
    message: expect.stringContaining('have not been made on this server') as string,
  })
})

test('proposes a point for a new source with a column of place names, unless it has coordinates', async () => {
  const ctx = bed.world.as('content_admin', { tiles })
  const propose = async (text: string) => {
    const data = {
      name: 'Towns',
      file: new File([text], 'towns.csv'),
      sources: [{ url: 'file:x', parser: 'csv' }],
    }
    const request = { params: { placeId: 'oakton' }, options: {}, placeId: 'oakton', data } as never
    const trial = await testNew(ctx, request)
    return trial?.schemaGuess
  }
  const rows = [
    'Springfield,Illinois',
    'Springfield,Missouri',
    'St. Louis,Missouri',
    'Twin,Illinois',
    'Nowhere,Illinois',
  ]
  const guess = await propose(['City,State', ...rows].join('\n'))
  expect(guess?.mapping['location']).toEqual({
    transform: 'findPlace',
    arguments: [{ field: 'City' }, 'town', { field: 'State' }],
  })
  expect(guess?.fields.at(-1)).toMatchObject({
    type: 'point',
    values: 5,
    parsed: 4,
    paths: ['City', 'State'],
  })
  // Without a state most names are of several places.
  const bare = await propose(['City', ...rows.map((row) => row.split(',')[0])].join('\n'))
  expect(bare?.schema).not.toHaveProperty('location')
  const rowsWithCoordinates = rows.map((row, i) => `${row},${40 + i},${-90 - i}`)
  const located = await propose(['City,State,Latitude,Longitude', ...rowsWithCoordinates].join('\n'))
  expect(JSON.stringify(located?.mapping)).not.toMatch('findPlace')
  expect(Object.values(located?.schema ?? {}).map(({ type }) => type)).toContain('point')
})
