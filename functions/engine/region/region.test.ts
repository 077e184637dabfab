import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Feature, MultiPolygon, Polygon, Position } from 'geojson'
import { sql } from 'kysely'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem, freshDatabase, type TestDatabase } from '#db/testing.ts'
import { writeMeasurements } from '#functions/v1/testing/figures.testing.ts'
import { unrollRing } from './antimeridian.ts'
import { UnreadableError } from '../import/row.ts'
import { areaFinder } from './inside.ts'
import { readAreas } from './read.ts'
import { simplifyAreas, type AreaCollection } from './simplify.ts'

let database: TestDatabase
let db: ReturnType<TestDatabase['connect']>['db']
beforeAll(async () => {
  database = await freshDatabase()
  db = database.connect(asSystem).db
})
const measurements: Record<string, number> = {}
afterAll(async () => {
  writeMeasurements('regions', measurements)
  await database.close()
})

const atlas = createRequire(import.meta.url).resolve('us-atlas/counties-10m.json')
const topology = JSON.parse(readFileSync(atlas, 'utf8')) as Topology<{ counties: GeometryCollection }>
const counties = feature(topology, topology.objects.counties) as AreaCollection<{ name: string }>

/** Washington and Oregon: 75 counties with islands, holes and long rivers between them. */
const northwest: AreaCollection<{ name: string }> = {
  type: 'FeatureCollection',
  features: counties.features.filter(({ id }) => /^(41|53)/.test(String(id))),
}
const getRings = ({ geometry }: Feature<Polygon | MultiPolygon>): Position[][] =>
  geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat()

/** Numbers between 0 and 1 that are the same in every run. */
function numbers(seed: number) {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

test('10,000 random points are in the same areas as in PostGIS', async () => {
  const next = numbers(7)
  const points = Array.from({ length: 10_000 }, () => [-125 + next() * 9, 41.5 + next() * 8] as const)
  const find = areaFinder(northwest.features.map((county, key) => ({ key, rings: getRings(county) })))
  const shapes = northwest.features.map(({ geometry }) => JSON.stringify(geometry))
  const { rows } = await sql<{ inside: number[] }>`
    with areas as materialized (
      select n - 1 as key, ST_GeomFromGeoJSON(shape) as area from unnest(${shapes}::text[]) with ordinality as s (shape, n))
    select array(select key::int from areas where ST_Contains(area, ST_SetSRID(ST_MakePoint(p.x, p.y), 4326)) order by key) as inside
    from unnest(${points.map(([x]) => x)}::float8[], ${points.map(([, y]) => y)}::float8[]) with ordinality as p (x, y, n)
    order by n`.execute(db)
  const apart = points.filter(([x, y], i) => find(x, y).join() !== rows[i]?.inside.join())
  Object.assign(measurements, { points: points.length, apart: apart.length })
  expect(apart).toEqual([])
  expect(rows.filter(({ inside }) => inside.length > 0).length).toBeGreaterThan(5000)
})

test('simplification leaves no gaps or overlaps between neighbours, by areas of PostGIS', async () => {
  const simple = simplifyAreas(northwest, 500)
  expect(simple.features).toHaveLength(northwest.features.length)
  const corners = (areas: typeof northwest) => areas.features.flatMap(getRings).flat().length
  expect(corners(simple)).toBeLessThan(corners(northwest) / 2)
  const measure = async (areas: typeof northwest) => {
    const shapes = areas.features.map(({ geometry }) => JSON.stringify(geometry))
    const { rows } = await sql<{ sum: number; whole: number; holes: number; faults: number }>`
      with areas as materialized (select ST_GeomFromGeoJSON(shape) as area from unnest(${shapes}::text[]) as s (shape)),
      joined as (select ST_Union(area) as area from areas)
      select (select sum(ST_Area(area)) from areas) as sum, ST_Area(area) as whole,
        (select sum(ST_NumInteriorRings(part.geom)) from ST_Dump(area) as part)::int as holes,
        (select count(*) filter (where not ST_IsValid(area)) from areas)::int as faults
      from joined`.execute(db)
    return rows[0] as (typeof rows)[number]
  }
  const [before, after] = [await measure(northwest), await measure(simple)]
  const overlaps = Math.abs(after.sum - after.whole) < 1e-9 ? 0 : 1
  Object.assign(measurements, {
    simplified: simple.features.length,
    slivers: overlaps + Math.max(0, after.holes - before.holes),
  })
  expect(after.faults).toBeLessThanOrEqual(before.faults)
  expect(Math.abs(after.sum - after.whole)).toBeLessThan(1e-9)
  expect(after.holes).toBeLessThanOrEqual(before.holes)
  // Simplified separately they have gaps, so the measurement can detect them.
  const alone = northwest.features.map(
    (county) => simplifyAreas({ ...northwest, features: [county] }, 16).features,
  )
  const torn = await measure({ ...northwest, features: alone.flat() })
  expect(torn.sum - torn.whole > 1e-9 || torn.holes > before.holes).toBe(true)
})

/**
 * Two neighbours whose common border was digitized twice, at other vertices: theirs are `steps` long and half a step apart.
 */
function createMismatchedNeighbours(
  steps: number,
  apart: number,
  wave: (y: number) => number,
): typeof northwest {
  const border = (offset: number) =>
    [0, ...Array.from({ length: steps - 1 }, (_, i) => (i + 1 + offset) / steps).filter((y) => y < 1), 1].map(
      (y): Position => [wave(y), y],
    )
  const left = border(0)
  const right = border(0.5).map(([x = 0, y = 0]): Position => [x + apart, y])
  const rings: Position[][] = [
    [[-1, 0], ...left, [-1, 1], [-1, 0]],
    [[1, 0], [1, 1], ...right.toReversed(), [1, 0]],
  ]
  return {
    type: 'FeatureCollection',
    features: rings.map((ring, i) => ({
      ...{ type: 'Feature', properties: { name: String(i) } },
      geometry: { type: 'Polygon', coordinates: [ring] },
    })),
  } as typeof northwest
}

/** How much wider a gap may become, in degrees, where 1,208 vertices become 300: a drawing of both has 640 units. Found: 0.0003. */
const maxWider = 0.0005

test.each([
  ['cross each other stay as they are', 0],
  ['have a gap between them are simplified each, and never overlap', 0.003],
])('borders that were digitized twice and %s', async (_, apart) => {
  const wave = (y: number) => 0.02 * Math.sin(25 * y) + 0.004 * Math.sin(140 * y)
  const originalAreas = createMismatchedNeighbours(600, apart, wave)
  const simple = simplifyAreas(originalAreas, 300)
  const corners = (areas: typeof northwest) => areas.features.flatMap(getRings).flat().length
  /** The widest gap and the widest overlap, to a tenth of a thousandth of a degree. */
  const widest = async (areas: typeof northwest) => {
    const [left = '', right = ''] = areas.features.map(({ geometry }) => JSON.stringify(geometry))
    const { rows } = await sql<{ gap: number; overlap: number }>`
      with areas as materialized (
        select ST_GeomFromGeoJSON(${left}::text) as one, ST_GeomFromGeoJSON(${right}::text) as other),
      faults as materialized (
        select ST_Difference(ST_MakeEnvelope(-1, 0, 1, 1, 4326), ST_Union(one, other)) as gap,
          ST_Intersection(one, other) as overlap
        from areas),
      widths as (select n * 0.0001 as width from generate_series(1, 300) n)
      select (select coalesce(max(width), 0) from widths where not ST_IsEmpty(ST_Buffer(gap, -width / 2)))::float8 as gap,
        (select coalesce(max(width), 0) from widths where not ST_IsEmpty(ST_Buffer(overlap, -width / 2)))::float8 as overlap
      from faults`.execute(db)
    return rows[0] as (typeof rows)[number]
  }
  const [before, after] = [await widest(originalAreas), await widest(simple)]
  Object.assign(measurements, { [`gap ${apart}`]: after.gap, [`overlap ${apart}`]: after.overlap })
  expect(after.overlap).toBeLessThanOrEqual(before.overlap)
  if (apart === 0) expect([corners(simple), after]).toEqual([corners(originalAreas), before])
  else {
    expect(corners(simple)).toBeLessThan(corners(originalAreas) / 2)
    expect(after.gap - before.gap).toBeLessThanOrEqual(maxWider)
  }
})

test('simplification keeps about the requested number of vertices, a little fewer than all or a tenth', () => {
  const corners = (areas: typeof northwest) => areas.features.flatMap(getRings).flat().length
  const all = corners(northwest)
  // Both areas have the vertices of a shared border: this is the number of distinct ones.
  const joined = all / 1.6
  const few = corners(simplifyAreas(northwest, Math.round(joined * 0.95)))
  const tenth = corners(simplifyAreas(northwest, Math.round(joined * 0.1)))
  expect(few).toBeLessThanOrEqual(all)
  expect(few).toBeGreaterThan(all * 0.8)
  expect(tenth).toBeLessThan(all * 0.35)
})

test('an area keeps its largest polygon if nothing else would remain', () => {
  const speck: Position[] = [
    [0, 0],
    [1e-5, 0],
    [1e-5, 1e-5],
    [0, 1e-5],
    [0, 0],
  ]
  const simplifiedAreas = simplifyAreas(
    {
      ...northwest,
      features: [
        ...northwest.features,
        {
          type: 'Feature',
          properties: { name: 'Speck' },
          geometry: { type: 'Polygon', coordinates: [speck] },
        },
      ],
    },
    900,
  )
  expect(getRings(simplifiedAreas.features.at(-1) as Feature<Polygon>)[0]?.length).toBeGreaterThanOrEqual(4)
})

test('rings across the antimeridian and around a pole are unrolled into one piece', () => {
  expect(
    unrollRing([
      [179, -17],
      [-179, -17],
      [-179, -16],
      [179, -16],
      [179, -17],
    ]),
  ).toEqual({
    ring: [
      [179, -17],
      [181, -17],
      [181, -16],
      [179, -16],
      [179, -17],
    ],
    crosses: true,
  })
  const around = [
    [-120, -70],
    [0, -70],
    [120, -70],
    [-120, -70],
  ]
  expect(unrollRing(around)).toEqual({
    ring: [
      [-120, -70],
      [0, -70],
      [120, -70],
      [240, -70],
      [240, -90],
      [-120, -90],
      [-120, -70],
    ],
    crosses: true,
  })
  const sheet = [
    [-180, -90],
    [180, -90],
    [180, -60],
    [-180, -60],
    [-180, -90],
  ]
  expect(unrollRing(sheet)).toEqual({ ring: sheet, crosses: false })
})

test('reads a GeoPackage by pages: overflow pages, heights, numbers, empty geometries', async () => {
  const bytes = new Uint8Array(readFileSync(new URL('wards.testing.gpkg', import.meta.url)))
  const reading = readAreas(bytes)
  const areas = []
  for await (const area of reading.areas) areas.push(area)
  expect(areas).toHaveLength(23)
  expect(areas[0]?.attributes).toEqual({ fid: '1', NAME: 'North', pop: '1200', share: '0.5' })
  expect(areas[0]?.polygons).toEqual([
    [
      [
        [0, 1],
        [1, 1],
        [1, 2],
        [0, 2],
        [0, 1],
      ],
    ],
  ])
  expect(areas[1]?.attributes).toEqual({ fid: '2', NAME: 'Süd', pop: '-3', share: '2.25', note: 'x' })
  // Three numbers a corner and a text of 500 letters: more than a page has.
  expect(areas[2]?.polygons[0]?.[0]?.slice(0, 2)).toEqual([
    [1, 2.5],
    [0.9972609, 2.5522642],
  ])
  expect(areas[2]?.attributes.note).toHaveLength(499)
  expect(areas.at(-1)?.attributes).toMatchObject({ fid: '24', NAME: 'Ward 24', pop: '24000000' })
  expect(reading.findings).toEqual([{ kind: 'leftOut', message: 'It has no geometry.', number: 4 }])
  // A truncated file is an error or has fewer areas; reading always ends, and throws nothing but
  // `UnreadableError`.
  for (let length = 600; length < bytes.length; length += 500) {
    const read = async () => {
      for await (const area of readAreas(bytes.subarray(0, length)).areas)
        expect(area.number).toBeLessThan(25)
    }
    await read().catch((error: unknown) => expect(error).toBeInstanceOf(UnreadableError))
  }
})
