import type { FeatureCollection } from 'geojson'
import { sql } from 'kysely'
import { parquetReadObjects } from 'hyparquet'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { find } from './dataset.ts'
import { ingest } from '../records/ingest.ts'
import { recordsWorld, type RecordsWorld } from '../records/testing.ts'
import { exportRows } from './export.ts'
import { createNumberedSource } from './export.testing.ts'
import { open, type Scope } from './open.ts'
import { anonymous, system, type Context } from '#functions/context.ts'
import {
  plainOptions,
  readCsv,
  readXml,
  readZip,
  listElements,
  buildFileSource,
  textIn,
  writeExport,
} from '#functions/engine/export/reading.testing.ts'
import { columns, rows, schema } from '#functions/engine/export/rows.testing.ts'
import type { ExportOptions } from '#functions/shapes/datum.ts'
import { exportFormats, type ExportFormat } from '#functions/shapes/export-format.ts'
import { computeExtent, mergeExtents } from '#functions/shapes/fields/extent.ts'
import type { Geometry } from '#functions/shapes/fields/geometry.ts'

let world: RecordsWorld
let ctx: Context
/** Difficult values of every type. */
let odd: Scope
/** The same without lists and objects: every format can be written in SQL. */
let simple: Scope
let count: Scope
const counts = 12_345
/** Two rows are equal to Postgres, which has no -0: they are one record. */
const recordCount = rows.length - 1

beforeAll(async () => {
  world = await recordsWorld()
  ctx = world.as(system)
  await world.dataType('odd', schema)
  odd = { placeId: 'oak', sourceId: await world.source('odd', 'public') }
  const plain = Object.fromEntries(
    Object.entries(schema).filter(([, { type }]) => type !== 'array' && type !== 'object'),
  )
  await world.dataType('simple', plain)
  simple = { placeId: 'oak', sourceId: await world.source('simple', 'public') }
  for (const scope of [odd, simple]) {
    const inputRows = rows.map(({ data }) => ({ text: 'none', ...data }))
    const { rejected } = await ingest(ctx, scope.sourceId ?? '', inputRows)
    expect(rejected).toEqual([])
  }
  count = await createNumberedSource(world, counts)
}, 120_000)
afterAll(() => world.close())

async function exportBytes(
  options: ExportOptions,
  scope: Scope = count,
  as: Context = ctx,
): Promise<Uint8Array> {
  const { body } = await exportRows(as, scope, options)
  return new Uint8Array(await new Response(body as BodyInit).arrayBuffer())
}

interface PlainRow {
  n: number
}
const exportData = async (options: ExportOptions, scope: Scope = count) =>
  JSON.parse(textIn(await exportBytes({ ...options, format: 'json' }, scope))) as PlainRow[]

/** All records, read by paging through a list. */
async function walked(scope: Scope, options: object): Promise<object[]> {
  const records: object[] = []
  let next: string | undefined
  do {
    const page = await find(ctx, scope, { ...options, limit: 1000, ...(next && { next }) })
    records.push(...page.results.map(({ data }) => data ?? {}))
    next = page.meta.next
  } while (next !== undefined)
  return records
}

describe('the database writes the same as the writers', () => {
  // Local times are those of New York; JSON is for programs and stays in UTC.
  test.each([...(['csv', 'tsv', 'json', 'ndjson', 'geojson', 'geojsonl'] as const)])('%s', async (format) => {
    const fileText = textIn(await exportBytes({ format }, simple))
    const list = await find(ctx, simple, {
      orderings: [{ value: { field: 'id' }, direction: 'asc' }],
      limit: 1000,
    })
    const own = list.results
      .map(({ id = '', data = {}, geometry = null }) => ({ id, data, geometry }))
      .sort((a, b) => Number(a.id) - Number(b.id))
    const simpleColumns = columns.filter(
      ({ key }) =>
        Object.hasOwn(schema, key) && schema[key]?.type !== 'array' && schema[key]?.type !== 'object',
    )
    const expected = textIn(
      await writeExport(format, buildFileSource(simpleColumns, own), {
        ...plainOptions,
        timeZone: 'America/New_York',
      }),
    )
    if (!format.startsWith('geojson')) return expect(fileText).toBe(expected)
    // Rings are reoriented for maps only, so polygons are compared without coordinates.
    const parseFeatures = (text: string) =>
      format === 'geojson'
        ? (JSON.parse(text) as { features: { geometry: { type: string } }[] }).features
        : text
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line) as { geometry: { type: string } })
    const flat = (text: string) =>
      parseFeatures(text).map((feature) =>
        feature.geometry?.type.endsWith('Polygon')
          ? { ...feature, geometry: feature.geometry.type }
          : feature,
      )
    expect(flat(fileText)).toEqual(flat(expected))
  })

  test('with lists and maps too, and in time zones', async () => {
    const cells = readCsv(textIn(await exportBytes({ format: 'csv' }, odd)))
    expect(cells).toHaveLength(recordCount + 1)
    const all = JSON.parse(textIn(await exportBytes({ format: 'json' }, odd))) as { text: string }[]
    expect(all.find(({ text }) => text === 'all')).toEqual(rows.at(-3)?.data)
    const exportInZone = (timezone: string) => exportBytes({ format: 'csv', timezone }, odd)
    expect(textIn(await exportBytes({ format: 'csv' }, odd))).toContain('2024-02-29T18:59:59.123-05:00')
    expect(textIn(await exportInZone('Asia/Kolkata'))).toContain('2024-03-01T05:29:59.123+05:30')
    // Several places have no common time zone.
    const everywhere = textIn(await exportBytes({ format: 'csv' }, { dataTypeId: 'odd' }))
    expect(everywhere).toContain('2024-02-29T23:59:59.123Z')
    const here = textIn(await exportBytes({ format: 'csv' }, { dataTypeId: 'odd', placeId: 'oak' }))
    expect(here).toContain('2024-02-29T18:59:59.123-05:00')
    expect(textIn(await exportBytes({ format: 'json' }, odd))).toContain('2024-02-29T23:59:59.123Z')
  })

  test('winds outer rings counter-clockwise for maps', async () => {
    const { features } = JSON.parse(textIn(await exportBytes({ format: 'geojson' }, simple))) as {
      features: { geometry: { type: string; coordinates: number[][][] } | null }[]
    }
    const area = features.find(({ geometry }) => geometry?.type === 'Polygon')?.geometry
    const { computeDoubleArea } = await import('#functions/engine/export/places.ts')
    expect(area?.coordinates.map((ring) => Math.sign(computeDoubleArea(ring)))).toEqual([1, -1])
  })
})

describe('a file equals all pages of a list', () => {
  const field = (name: string) => ({ field: name })
  test.each<[string, object]>([
    ['all', {}],
    ['filters', { filters: { 'data.n': { $gte: 3000 } } }],
    ['nothing', { filters: { 'data.n': -1 } }],
    ['search', { search: 'green' }],
    ['dates', { filters: { 'data.at': { $lt: '2024-01-01T05:00:00Z' } } }],
  ])('%s', async (_name, question) => {
    const pages = (await walked(count, question)) as PlainRow[]
    const file = await exportData(question)
    const byN = (a: PlainRow, b: PlainRow) => a.n - b.n
    expect([...file].sort(byN)).toEqual([...pages].sort(byN))
    expect(file).toHaveLength(pages.length)
  })
  test.each<[string, object]>([
    ['a field', { orderings: [{ value: field('data.word'), direction: 'desc' }] }],
    [
      'a field with nulls',
      {
        orderings: [
          { value: field('data.at'), direction: 'asc' },
          { value: field('data.n'), direction: 'desc' },
        ],
      },
    ],
    [
      'filters and order',
      { filters: { 'data.n': { $lt: 3000 } }, orderings: [{ value: field('data.n'), direction: 'desc' }] },
    ],
  ])('in order: %s', async (_name, question) => {
    expect(await exportData(question)).toEqual(await walked(count, question))
  })
  test('a part of it equals the part of a list', async () => {
    for (const options of [{ limit: 7 }, { limit: 7, offset: 3210 }, { offset: counts - 3 }]) {
      const { results } = await find(ctx, count, { limit: 1000, ...options })
      expect(await exportData(options)).toEqual(results.map(({ data }) => data))
    }
    expect(await exportData({ limit: 0 })).toEqual([])
  })
  test('an order by a function contains every row once', async () => {
    const value = { function: 'remainder', arguments: [field('data.n'), 10] }
    const file = await exportData({ orderings: [{ value, direction: 'asc' }] })
    expect(new Set(file.map(({ n }) => n)).size).toBe(counts)
    expect(file.map(({ n }) => n % 10)).toEqual(file.map(({ n }) => n % 10).sort())
  })
})

const countElements = (bytes: Uint8Array, ...names: string[]) => {
  const xml = readXml(textIn(bytes))
  return names.reduce((sum, name) => sum + listElements(xml, name).length, 0)
}
const countLines = (bytes: Uint8Array) => textIn(bytes).split('\n').length - 1
const readArchived = (archive: Uint8Array, name: string) => readZip(archive).get(name) ?? new Uint8Array()

/** How many rows a file has, each format in its own way. */
const rowCounters: Record<ExportFormat, (bytes: Uint8Array) => number | Promise<number>> = {
  csv: (bytes) => readCsv(textIn(bytes)).length - 1,
  tsv: (bytes) => readCsv(textIn(bytes), '\t').length - 1,
  json: (bytes) => (JSON.parse(textIn(bytes)) as unknown[]).length,
  geojson: (bytes) => (JSON.parse(textIn(bytes)) as { features: unknown[] }).features.length,
  ndjson: countLines,
  geojsonl: countLines,
  kml: (bytes) => countElements(bytes, 'Placemark'),
  gpx: (bytes) => countElements(bytes, 'wpt', 'trk'),
  parquet: async (bytes) => (await parquetReadObjects({ file: bytes.slice().buffer })).length,
  kmz: (bytes) => countElements(readArchived(bytes, 'doc.kml'), 'Placemark'),
  xlsx: (bytes) => countElements(readArchived(bytes, 'xl/worksheets/sheet1.xml'), 'row') - 1,
  zip: (bytes) => readCsv(textIn(readArchived(bytes, 'data.csv'))).length - 1,
  // The number of records in the head of each table.
  shp: (bytes) =>
    [...readZip(bytes)]
      .filter(([name]) => name.endsWith('.dbf'))
      .reduce((sum, [, table]) => sum + new DataView(table.buffer).getUint32(4, true), 0),
}

describe.each(exportFormats)('%s', (format) => {
  test('contains the matching rows in the requested columns, and their number', async () => {
    for (const filters of [
      {},
      { 'data.text': { $in: ['spot', 'way', 'all'] } },
      { 'data.text': 'nowhere' },
    ]) {
      const as = world.as(anonymous)
      const { body } = await exportRows(as, odd, { format, filters, fields: ['text', 'spot', 'way'] })
      const bytes = new Uint8Array(await new Response(body as BodyInit).arrayBuffer())
      expect(await rowCounters[format](bytes)).toBe(Number(as.responseHeaders.get('x-row-count')))
      const isAll = Object.keys(filters).length === 0
      if (format !== 'gpx')
        expect(await rowCounters[format](bytes)).toBe(
          isAll ? recordCount : JSON.stringify(filters).includes('nowhere') ? 0 : 3,
        )
      expect(as.responseHeaders.get('x-data-version')).toBe('1')
      expect(as.responseHeaders.get('link')).toContain('rel="describedby"')
    }
  })

  test('can contain an answer', async () => {
    const options = {
      format,
      aggregations: [
        { alias: 'spot', value: { field: 'data.spot' } },
        { alias: 'n', value: { function: 'count' } },
      ],
      groupings: [{ field: 'spot' }],
      filters: { 'data.text': 'spot' },
    }
    expect(await rowCounters[format](await exportBytes(options, odd))).toBe(1)
  })
})

test('GeoJSON of a whole source begins with its bounding box, which is unknown for a part', async () => {
  const read = async (question: object) =>
    JSON.parse(textIn(await exportBytes({ format: 'geojson', ...question }, odd))) as FeatureCollection
  const whole = await read({})
  const extents = whole.features.flatMap(({ geometry }) =>
    (geometry as Geometry | null) ? [computeExtent(geometry as Geometry)] : [],
  )
  expect(extents.length).toBeGreaterThan(3)
  expect(Object.keys(whole)).toEqual(['type', 'bbox', 'features'])
  expect(whole.bbox).toEqual(mergeExtents(extents))
  for (const part of [{ limit: 2 }, { offset: 1 }, { filters: { 'data.text': 'none' } }])
    expect(await read(part)).not.toHaveProperty('bbox')
  expect(JSON.parse(textIn(await exportBytes({ format: 'geojson' })))).not.toHaveProperty('bbox')
})

test('rows by id within a source are read from an index, without a sort', async () => {
  const { scope } = await open(ctx, count)
  const plan = await ctx.transaction(async (tx) => {
    // Without statistics the planner takes the table for a small one and prefers sorting.
    await sql`set local enable_sort = off`.execute(tx)
    return sql<object>`explain select t.id from ${scope.from}
      where ${sql.join(scope.where, sql` and `)} and t.id > 0 order by t.id limit 20000`.execute(tx)
  })
  const text = plan.rows.map((row) => Object.values(row).join()).join('\n')
  expect(text).toMatch(/Index (Only )?Scan using t_count_(page|pkey)/)
  expect(text).not.toMatch(/Sort/)
})

test('a file is named after its source and the day', async () => {
  const file = await exportRows(ctx, count, { format: 'csv' })
  expect(file.fileName).toMatch(/^count-\d+-\d{4}-\d\d-\d\d\.csv$/)
})
