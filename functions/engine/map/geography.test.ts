import { geoAlbersUsa, geoMercator, type GeoProjection } from 'd3-geo'
import type { Feature, MultiPolygon, Polygon } from 'geojson'
import { sql } from 'kysely'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem, freshDatabase, type TestDatabase } from '#db/testing.ts'
import { writeMeasurements } from '#functions/v1/testing/figures.testing.ts'
import { measureRegionAreas } from '../picture/denominators.ts'
import { drawInsetScales, drawScale } from './draw-scale.ts'
import { addProjectionParts } from './parts.ts'
import { rewindRings } from './projection.ts'

let database: TestDatabase
let db: ReturnType<TestDatabase['connect']>['db']
beforeAll(async () => {
  database = await freshDatabase()
  db = database.connect(asSystem).db
})
const measurements: Record<string, number> = {}
afterAll(async () => {
  writeMeasurements('geography', measurements)
  await database.close()
})

const atlas = createRequire(import.meta.url).resolve('us-atlas/counties-10m.json')
const topology = JSON.parse(readFileSync(atlas, 'utf8')) as Topology<{ counties: GeometryCollection }>
/** Counties from the Caribbean to the Arctic: Alaska, California, Hawaii, Puerto Rico, Texas, Oregon and Washington. */
const counties = feature(topology, topology.objects.counties)
  .features.filter(({ id }) => /^(02|06|15|72|48|41|53)/.test(String(id)))
  .map((county) => ({ ...county, properties: { gid: String(county.id) } })) as Feature<
  Polygon | MultiPolygon,
  { gid: string }
>[]

/**
 * The largest share by which an area on the sphere differs from that of PostGIS on the ellipsoid. Found: 0.0072, in the
 * north of Alaska; the ellipsoid allows 0.0045 at the equator and 0.009 at a pole. The areas of organizations' own sets
 * are those of PostGIS.
 */
const maxOfArea = 0.0075

test('areas of regions on the sphere are those of PostGIS on the ellipsoid, but for its flattening', async () => {
  const areas = measureRegionAreas({ type: 'FeatureCollection', features: counties })
  const { rows } = await sql<{ gid: string; km2: number }>`
    select gid, ST_Area(ST_GeomFromGeoJSON(shape)::geography) / 1e6 as km2
    from unnest(${counties.map(({ properties }) => properties.gid)}::text[],
      ${counties.map(({ geometry }) => JSON.stringify(geometry))}::text[]) as sent (gid, shape)`.execute(db)
  const shares = rows.map(({ gid, km2 }) => Math.abs((areas.get(gid) ?? 0) / km2 - 1))
  Object.assign(measurements, { regions: rows.length, mostOfArea: Math.max(...shares) })
  expect(rows.length).toBeGreaterThan(400)
  expect(Math.max(...shares)).toBeLessThan(maxOfArea)
})

/**
 * The largest share by which a scale bar differs from the distance of PostGIS between its ends, at the centre of its
 * map: it is reckoned on the sphere, and drawn to a tenth of a unit. Found: 0.0041.
 */
const maxOfDistance = 0.005
const size = { width: 640, height: 420 }

test('scale bars are as long as the distance that PostGIS measures between their ends', async () => {
  const bars = counties.flatMap((county) => {
    const projection = geoMercator().fitSize([size.width, size.height], rewindRings(county))
    const scale = drawScale(projection, size, { fontSize: 11, isNarrow: false }, 'en')
    if (!scale) return []
    const [, barLength = ''] = /h([\d.]+)v-4/.exec(scale.svg) ?? []
    const [, number = '', unit] = />([\d.]+) (k?m)<\/text>/.exec(scale.svg) ?? []
    const ends = [-0.5, 0.5].map((side) =>
      projection.invert?.([size.width / 2 + side * Number(barLength), size.height / 2]),
    )
    return [{ metres: Number(number) * (unit === 'km' ? 1000 : 1), ends }]
  })
  const axis = (end: number, i: number) => bars.map(({ ends }) => ends[end]?.[i] ?? null)
  const { rows } = await sql<{ metres: number }>`
    select ST_Distance(ST_MakePoint(ax, ay)::geography, ST_MakePoint(bx, by)::geography) as metres
    from unnest(${axis(0, 0)}::float8[], ${axis(0, 1)}::float8[], ${axis(1, 0)}::float8[], ${axis(1, 1)}::float8[])
      with ordinality as sent (ax, ay, bx, by, n) order by n`.execute(db)
  const shares = rows.map(({ metres }, i) => Math.abs((bars[i]?.metres ?? 0) / metres - 1))
  Object.assign(measurements, { bars: bars.length, mostOfDistance: Math.max(...shares) })
  expect(bars.length).toBeGreaterThan(400)
  expect(Math.max(...shares)).toBeLessThan(maxOfDistance)
})

/** The largest share by which a bar of the United States in one picture differs from PostGIS, wherever it is laid. Found: 0.0180. */
const maxOfStates = 0.02

test('the bar of the United States in one picture is true everywhere in it, and those of its insets', async () => {
  const projection = addProjectionParts('albersUsa', geoAlbersUsa().precision(0) as GeoProjection, size)
  const { main = projection, insets = [] } = projection
  const lettering = { fontSize: 11, isNarrow: false }
  const barsIn = (svg: string) =>
    [...svg.matchAll(/h([\d.]+)v-4"\/><text[^>]*>(\d+) km</g)].map(([, units, km]) => ({
      units: Number(units),
      metres: 1000 * Number(km),
    }))
  const [bar] = barsIn(drawScale(projection, size, lettering, 'en')?.svg ?? '')
  const own = barsIn(drawInsetScales(insets, lettering))
  const places: [number, number][] = [
    ...[-122, -110, -98, -86, -76].flatMap((lon): [number, number][] => [
      [lon, 41],
      [lon, 34],
    ]),
    [-120, 47],
    [-82, 28],
  ]
  const laid = [
    ...places.map((place) => ({ part: main, at: main(place) ?? [0, 0], bar })),
    ...insets.map(({ projection: part, x, y, width, height }, i) => {
      return { part, at: [x + width / 2, y + height / 2], bar: own[i] }
    }),
  ]
  const rows = laid.flatMap(({ part, at: [x = 0, y = 0], bar: each }) =>
    (['across', 'down'] as const).map((way) => {
      const half = (each?.units ?? 0) / 2
      const [dx, dy] = way === 'across' ? [half, 0] : [0, half]
      const ends = [part.invert?.([x - dx, y - dy]), part.invert?.([x + dx, y + dy])]
      return { metres: each?.metres ?? 0, ends }
    }),
  )
  const axis = (end: number, i: number) => rows.map(({ ends }) => ends[end]?.[i] ?? null)
  const { rows: measured } = await sql<{ metres: number }>`
    select ST_Distance(ST_MakePoint(ax, ay)::geography, ST_MakePoint(bx, by)::geography) as metres
    from unnest(${axis(0, 0)}::float8[], ${axis(0, 1)}::float8[], ${axis(1, 0)}::float8[], ${axis(1, 1)}::float8[])
      with ordinality as sent (ax, ay, bx, by, n) order by n`.execute(db)
  const shares = measured.map(({ metres }, i) => Math.abs((rows[i]?.metres ?? 0) / metres - 1))
  Object.assign(measurements, { barsOfStates: rows.length, mostOfStates: Math.max(...shares) })
  expect(shares).toHaveLength(2 * (places.length + 2))
  expect(Math.max(...shares)).toBeLessThan(maxOfStates)
})
