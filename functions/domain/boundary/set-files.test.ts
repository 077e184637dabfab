import { gzipSync } from 'node:zlib'
import type { Geometry } from 'geojson'
import { sql } from 'kysely'
import { topology } from 'topojson-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { v1 } from '#functions/v1/index.ts'
import { call } from '#functions/api/call.ts'
import { buildDbf, buildShp, buildZip } from '#functions/engine/import/parse/files.testing.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'
import { box, collection } from './sets.testing.ts'
import { writeMeasurements } from '#functions/v1/testing/figures.testing.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

const { boundarySet } = v1.place
const tiles = memoryBucket()
const openContext = () => world.as('content_admin', { tiles })
const params = { placeId: 'oakton' }
const create = (data: object) =>
  call(boundarySet.create, openContext(), { params, data: { name: 'Districts', ...data } })
const createFile = (name: string, content: string | Uint8Array) => new File([content as BlobPart], name)
const onSet = (id: string) => ({ params: { ...params, boundarySetId: id } })

const districts = collection(
  [{ NAME: 'North', DIST: '01', KIND: 'ward' }, box(0, 1)],
  [{ NAME: 'South', DIST: '02', KIND: 'ward' }, box(0, 0)],
)

async function areaNames(id: string) {
  const { results } = await call(boundarySet.area.find, openContext(), { ...onSet(id), options: {} })
  return results.map(({ name }) => name)
}

test('of every format give the same areas', async () => {
  const columns = [{ name: 'NAME', type: 'C', length: 10 }]
  const ring = (x: number, y: number): [number, number][] => [
    [x, y],
    [x, y + 1],
    [x + 1, y + 1],
    [x + 1, y],
    [x, y],
  ]
  const shapes = [
    { type: 5, parts: [ring(0, 1)] },
    { type: 5, parts: [ring(0, 0)] },
  ]
  const placemark = (name: string, y: number) =>
    `<Placemark><name>${name}</name><Polygon><outerBoundaryIs><LinearRing><coordinates>0,${y} 1,${y} 1,${y + 1} 0,${y + 1} 0,${y}</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>`
  const kml = `<kml><Document>${placemark('North', 1)}${placemark('South', 0)}</Document></kml>`
  const plain = collection([{ NAME: 'North' }, box(0, 1)], [{ NAME: 'South' }, box(0, 0)])
  const swappedJson = JSON.stringify(plain).replaceAll(
    /\[(\d),(\d)\]/g,
    (_, x: string, y: string) => `[${Number(y) + 47},${Number(x) - 122}]`,
  )
  const files = {
    'a.geojson': JSON.stringify(plain),
    'a.topojson': JSON.stringify(topology({ districts: plain })),
    'a.kml': kml,
    'a.kmz': buildZip({ 'doc.kml': kml }),
    'a.zip': buildZip({
      'a.shp': buildShp(shapes, [0, 0, 1, 2]),
      'a.dbf': buildDbf(columns, [['North'], ['South']]),
    }),
    'swapped.geojson': swappedJson,
  }
  for (const [name, content] of Object.entries(files)) {
    const set = await create({ name, file: createFile(name, content) })
    const moved = name === 'swapped.geojson'
    expect(set.bounds, name).toEqual(moved ? [-122, 47, -121, 49] : [0, 0, 1, 2])
    expect(await areaNames(set.id), name).toEqual(['North', 'South'])
    expect(
      set.findings.some(({ message }) => message.startsWith('Latitude stood before')),
      name,
    ).toBe(moved)
  }
  // Whoever sends a file may say the order of its axes, in each format: nothing is guessed then.
  for (const [name, content] of Object.entries(files)) {
    const axes = (value: string) => create({ name, file: createFile(name, content), axes: value })
    const isMoved = name === 'swapped.geojson'
    if (!isMoved) expect((await axes('asRead')).bounds, name).toEqual([0, 0, 1, 2])
    else
      await expect(axes('asRead')).rejects.toMatchObject({
        issues: [{ path: ['file'], validator: 'areas' }],
      })
    const swapped = await axes('swapped')
    expect(swapped.bounds, name).toEqual(isMoved ? [-122, 47, -121, 49] : [0, 0, 2, 1])
    expect(
      swapped.findings.some(({ message }) => message.startsWith('Latitude')),
      name,
    ).toBe(false)
  }
})

test('have swapped axes where only then they lie near other data, or more of them can be read', async () => {
  const world = await openWorld(city)
  const add = (geojson: object, name = 'Areas') =>
    call(boundarySet.create, world.as('content_admin', { tiles }), { params, data: { name, geojson } })
  const swapped = (south: number, west: number) => collection([{ NAME: 'A' }, box(south, west)])
  // Bavaria with its latitudes first: nothing is known of the place that tells.
  expect(await add(swapped(48, 11))).toMatchObject({ bounds: [48, 11, 49, 12], findings: [] })
  await world.close()

  const other = await openWorld(city)
  const addTo = (geojson: object) =>
    call(boundarySet.create, other.as('content_admin', { tiles }), {
      params,
      data: { name: 'Areas', geojson },
    })
  await addTo(collection([{ NAME: 'Munich' }, box(11, 48)]))
  const swappedSet = await addTo(swapped(48, 11))
  expect(swappedSet).toMatchObject({ bounds: [11, 48, 12, 49], findingCount: 1 })
  expect(swappedSet.findings[0]?.message).toContain('near other data of the organization')
  const unswappedSet = await call(boundarySet.create, other.as('content_admin', { tiles }), {
    params,
    data: { name: 'Somalia', geojson: swapped(48, 11), axes: 'asRead' },
  })
  expect(unswappedSet).toMatchObject({ bounds: [48, 11, 49, 12], findings: [] })
  await call(boundarySet.deleteById, other.as('content_admin', { tiles }), onSet(unswappedSet.id))
  // What lies elsewhere in either order stays as it is.
  expect(await addTo(swapped(3, 36))).toMatchObject({ bounds: [3, 36, 4, 37], findings: [] })
  // India: only its east is beyond 90 degrees.
  const india = collection([{ NAME: 'Kerala' }, box(10, 76)], [{ NAME: 'Assam' }, box(26, 92)])
  const read = await addTo(india)
  expect(read).toMatchObject({ bounds: [76, 10, 93, 27], areaCount: 2 })
  expect(read.findings).toMatchObject([{ kind: 'repaired' }])
  // One wrong area does not swap the others.
  const mixed = collection(
    [{ NAME: 'Seattle' }, box(-122, 47)],
    [{ NAME: 'Tacoma' }, box(-123, 47)],
    [{ NAME: 'Assam' }, box(26, 92)],
  )
  expect(await addTo(mixed)).toMatchObject({ bounds: [-123, 47, -121, 48], areaCount: 2 })
  // A new version lies where the set was.
  const replaced = await call(boundarySet.replace, other.as('content_admin', { tiles }), {
    ...onSet(swappedSet.id),
    data: { geojson: swapped(48, 11) },
  })
  expect(replaced).toMatchObject({ bounds: [11, 48, 12, 49] })
  await other.close()
})

test('over a pole and over the antimeridian have the area that PostGIS computes on the globe', async () => {
  const parallel = (latitude: number, step: number) =>
    Array.from({ length: 361 }, (_, i) => [((i * step + 540) % 360) - 180, latitude])
  const toPolygon = (positions: number[][]): Geometry => ({ type: 'Polygon', coordinates: [positions] })
  const pacific = [170, 175, -175, -170].map((lon) => [lon, 10])
  const shapes = {
    arctic: toPolygon(parallel(80, 1)),
    antarctic: toPolygon(parallel(-75, -1)),
    pacific: toPolygon([
      ...pacific,
      ...pacific.toReversed().map(([lon]) => [lon as number, -10]),
      pacific[0] as number[],
    ]),
  }
  const set = await create({
    geojson: collection(
      ...Object.entries(shapes).map(([name, shape]) => [{ name }, shape] as [object, Geometry]),
    ),
  })
  const { rows } = await sql<{ name: string; ours: number; theirs: number; isWithin: boolean }>`
    select a.name, ST_Area(a.area::geography) as ours, ST_Area(ST_GeomFromGeoJSON(sent.shape)::geography) as theirs,
      ST_XMin(a.area) >= -180 and ST_XMax(a.area) <= 180 and ST_IsValid(a.area) as is_within
    from boundary_set_area a
    join unnest(${Object.keys(shapes)}::text[], ${Object.values(shapes).map((each) => JSON.stringify(each))}::text[])
      as sent (name, shape) on sent.name = a.name
    where a.boundary_set_id = ${set.id}`.execute(world.as('system').db)
  expect(rows).toHaveLength(3)
  expect(rows.filter(({ isWithin }) => !isWithin)).toEqual([])
  for (const { name, ours, theirs } of rows) expect(ours / theirs, name).toBeCloseTo(1, 2)
  const apart = rows.map(({ ours, theirs }) => 1000 * Math.abs(ours / theirs - 1))
  writeMeasurements('set-areas', { areas: rows.length, thousandths: Math.max(...apart) })
})

test('that are no sets are rejected with the reason', async () => {
  const refusals: [File, string][] = [
    [
      createFile('a.gpkg', 'SQLite format 3\0'),
      'The file is an SQLite database that is damaged or breaks off.',
    ],
    [createFile('a.zip', buildZip({ 'a.txt': 'x' })), 'The archive has neither a .shp nor a .kml file.'],
    [createFile('a.geojson', gzipSync('{}')), 'This is none of GeoJSON'],
    [createFile('half.geojson', JSON.stringify(districts).slice(0, 200)), ''],
    [
      createFile(
        'a.geojson',
        JSON.stringify({ ...collection([{}, { type: 'Point', coordinates: [1, 1] }]) }),
      ),
      'There is no area in it. Of number 1: It is a Point',
    ],
    [
      createFile(
        'a.geojson',
        JSON.stringify({
          type: 'FeatureCollection',
          crs: { properties: { name: 'EPSG:99999' } },
          features: districts.features,
        }),
      ),
      'The coordinates are in EPSG:99999, which is not known here. Save the file in longitude and latitude (WGS 84, EPSG:4326) and bring that one.',
    ],
    [
      createFile(
        'a.topojson',
        JSON.stringify({ type: 'Topology', objects: { a: { type: 'Polygon', arcs: [[7]] } }, arcs: [] }),
      ),
      'Geometry 1 of the topology names borders that are not in it.',
    ],
  ]
  for (const [file, message] of refusals)
    await expect(create({ file }), file.name).rejects.toMatchObject({
      kind: 'invalid',
      issues: [{ path: ['file'], message: expect.stringContaining(message) as string }],
    })
  await expect(create({})).rejects.toMatchObject({ issues: [{ path: ['file'], validator: 'required' }] })
})

test('with too many corners are rejected with their number, before anything is stored', async () => {
  const ring = Array.from({ length: 250_001 }, (_, i) => {
    const angle = ((i % 250_000) / 250_000) * 2 * Math.PI
    return [Math.cos(angle).toFixed(5), Math.sin(angle).toFixed(5)].map(Number)
  })
  const circle = JSON.stringify({
    type: 'Feature',
    properties: {},
    geometry: { type: 'Polygon', coordinates: [ring] },
  })
  const text = `{"type":"FeatureCollection","features":[${[circle, circle, circle, circle].join()}]}`
  const before = (await call(boundarySet.find, openContext(), { params, options: {} })).meta.total
  await expect(create({ file: createFile('circles.geojson', text) })).rejects.toMatchObject({
    kind: 'tooLarge',
    message: 'It has 1,000,004 corners; a set may have 1,000,000.',
  })
  expect((await call(boundarySet.find, openContext(), { params, options: {} })).meta.total).toBe(before)
})
