import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem, freshDatabase, type TestDatabase } from '#db/testing.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { boundaryKey } from '#functions/engine/tile/manifest.ts'
import { regionFiles } from '#scripts/tiles/region-files.ts'
import { mapAnswer } from './cluster-by-region.ts'
import { buildDrawing } from './drawing.ts'
import { drawMap, mapKeys, nothingLeft, describeMapGaps } from './map.ts'
import { readShapes } from './shapes.ts'

let database: TestDatabase
const tiles = memoryBucket()
const setId = 'regions-de'

beforeAll(async () => {
  database = await freshDatabase()
  const { files } = await regionFiles()
  await tiles.put(boundaryKey(setId), files.find(({ key }) => key === boundaryKey(setId))?.bytes ?? '')
}, 120_000)
afterAll(() => database.close())

const number = { type: 'number' as const }
const answer = {
  visualization: {
    type: 'map' as const,
    settings: { latitude: 'lat', longitude: 'lon', boundarySetId: setId, clusterByRegion: true },
  },
  output: {
    ...{ aggregations: [], groupings: [], orderings: [] },
    schema: {
      name: { name: 'Name', type: 'text' as const },
      lon: { name: 'Longitude', ...number },
      lat: { name: 'Latitude', ...number },
    },
  },
  ...{ title: 'Wells', timeZone: 'UTC', locale: 'en', credit: '' },
}

type MapQuestion = Parameters<typeof mapKeys>[1]

/** Points in and around Germany, the same in every run. */
function wells(count: number) {
  let state = 11
  const generateNumber = () => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32
  return Array.from({ length: count }, (_, i) => ({
    ...{ name: `Well ${i}`, lon: 5 + generateNumber() * 11, lat: 47 + generateNumber() * 8.5 },
  }))
}

test('points are counted by region as in PostGIS, and those outside are reported', async () => {
  const rows = wells(3000)
  const { features } = await readShapes(tiles, setId)
  const { db } = database.connect(asSystem)
  const { rows: expected } = await sql<{ code: string | null; count: number }>`
    with area as materialized (
      select code, ST_MakeValid(ST_SetSRID(ST_GeomFromGeoJSON(shape), 4326)) as area
      from unnest(${features.map(({ properties }) => String(properties?.code))}::text[],
        ${features.map(({ geometry }) => JSON.stringify(geometry))}::text[]) as region (code, shape))
    select area.code, count(*)::int as count
    from unnest(${rows.map(({ lon }) => lon)}::float8[], ${rows.map(({ lat }) => lat)}::float8[]) as point (lon, lat)
    left join area on ST_Contains(area.area, ST_SetSRID(ST_MakePoint(lon, lat), 4326)) group by area.code`.execute(
    db,
  )
  const regionCounts = await mapAnswer<MapQuestion>(tiles, { ...answer, rows }, 'en')
  const toCountsByCode = (each: { code: string | null; count: number }[]) =>
    new Map(
      each
        .toSorted((a, b) => String(a.code).localeCompare(String(b.code)))
        .map((row) => [row.code, row.count]),
    )
  expect(
    toCountsByCode(
      regionCounts.rows.map((row) => ({ code: row['region'] as string, count: Number(row['points']) })),
    ),
  ).toEqual(toCountsByCode(expected))
  expect(expected.length).toBeGreaterThan(14)
  const outside = expected.find(({ code }) => code === null)?.count ?? 0
  expect(outside).toBeGreaterThan(100)
  const keys = await mapKeys(tiles, regionCounts)
  const message = describeMapGaps(keys, nothingLeft, { ...answer, output: regionCounts.output })
  expect(message).toContain(`Points: ${outside.toLocaleString('en')}`)
  expect(message).toContain('Regions of Germany')
})

test('each circle is in its region, sized by its count and labelled with it, as in the list and the specification', async () => {
  const rows = wells(3000)
  const regionCounts = await mapAnswer<MapQuestion>(tiles, { ...answer, rows }, 'en')
  const keys = await mapKeys(tiles, regionCounts)
  const size = { width: 640, height: 420 }
  const { svg, legend } = drawMap(
    keys,
    { ...answer, ...regionCounts },
    { id: 'm', title: 'Wells', description: '' },
    size,
  )
  const titles = [...svg.matchAll(/r="([\d.]+)"><title>([^<]*): ([\d,]+)</g)].map(([, r, name, count]) => ({
    ...{ r: Number(r), name, count: Number(count?.replace(',', '')) },
  }))
  const listEntries = keys.rows.map(({ row }) => ({ name: keys.getRowName(row), count: row['points'] }))
  expect(titles.map(({ name, count }) => ({ name, count }))).toEqual(listEntries)
  expect(listEntries[0]?.name).toBe('Bayern')
  const [first, second] = titles
  expect((first?.r ?? 0) ** 2 / (second?.r ?? 1) ** 2).toBeCloseTo(
    (first?.count ?? 0) / (second?.count ?? 1),
    0,
  )
  expect(legend).toMatchObject({ kind: 'dots', unit: 'Points', missing: 0 })
  // The largest have their count written in them.
  expect(svg).toContain(`>${first?.count}</text>`)
  const { db } = database.connect(asSystem)
  const { features } = await readShapes(tiles, setId)
  const anchors = keys.rows.map(({ key, at }) => ({
    shape: features.find((each) => each.properties?.gid === key)?.geometry,
    at,
  }))
  const { rows: inside } = await sql<{ inside: boolean }>`
    select ST_Contains(ST_MakeValid(ST_SetSRID(ST_GeomFromGeoJSON(shape), 4326)), ST_SetSRID(ST_MakePoint(lon, lat), 4326)) as inside
    from unnest(${anchors.map(({ shape }) => JSON.stringify(shape))}::text[], ${anchors.map(({ at }) => at?.[0] ?? 0)}::float8[],
      ${anchors.map(({ at }) => at?.[1] ?? 0)}::float8[]) as anchor (shape, lon, lat)`.execute(db)
  expect(inside.length).toBe(listEntries.length)
  expect(inside.every((row) => row.inside)).toBe(true)
  const { spec } = await buildDrawing(tiles, { ...answer, rows })
  expect(JSON.stringify(spec)).toContain('"tip":"Bayern"')
})

test('a calculated region column is used instead of the outlines', async () => {
  const region = {
    name: 'Land',
    type: 'text' as const,
    regionOf: { point: 'at', boundarySetId: setId, value: 'code' as const },
  }
  const rows = [
    { name: 'A', lon: 11.5, lat: 48.1, land: 'DE-BE' },
    { name: 'B', lon: 11.6, lat: 48.2, land: 'DE-BE' },
    { name: 'C', lon: 13.4, lat: 52.5, land: null },
  ]
  const output = { ...answer.output, schema: { ...answer.output.schema, land: region } }
  const regionCounts = await mapAnswer<MapQuestion>(tiles, { ...answer, output, rows }, 'de')
  expect(regionCounts.rows).toEqual([
    { region: 'DE-BE', points: 2 },
    { region: null, points: 1 },
  ])
  expect(regionCounts.output.schema['points']?.name).toBe('Punkte')
})

test('a truncated answer is drawn as points: counts would be incomplete', async () => {
  const output = { ...answer.output, total: 9 }
  const truncatedAnswer = { ...answer, output, rows: wells(8) }
  expect(await mapAnswer(tiles, truncatedAnswer, 'en')).toBe(truncatedAnswer)
})
