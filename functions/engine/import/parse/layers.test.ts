import { readFileSync } from 'node:fs'
import type { Feature } from 'geojson'
import { expect, test } from 'vitest'
import type { ParserName } from '#functions/shapes/parser/index.ts'
import { listSelectors } from './index.ts'
import { defaultCaps } from './caps.ts'
import { chunked, readAll } from './reading.testing.ts'
import { readWkb } from './wkb.ts'

const readSample = (name: string) => new Uint8Array(readFileSync(new URL(name, import.meta.url)))
/** Written by SQLite with pages of 512 bytes: two layers in two coordinate systems, and a table. */
const gpkg = readSample('layers.testing.gpkg')
/** Written by GDAL (ogr2ogr) in UTM 32 with an index; features without a geometry are left out. */
const fgb = readSample('layers.testing.fgb')

test('GeoPackage: reads all layers with geometries or the selected ones; booleans, large integers, heights, invalid geometries', async () => {
  const read = await readAll('gpkg', gpkg)
  expect(read.refusal).toBeNull()
  const features = read.values as Feature[]
  const stops = features.filter((_, i) => read.rows[i]?.at.sheet === 'stops')
  expect(stops.map(({ properties, geometry }) => [properties?.['the name'], geometry])).toEqual([
    ['é東', { type: 'Point', coordinates: [10, 50] }],
    ['high', { type: 'Point', coordinates: [11, 51, 7] }],
    ['of PostGIS', { type: 'Point', coordinates: [12, 52] }],
    ['empty', null],
    ['none', null],
    // prettier-ignore
    ['lines', { type: 'MultiLineString', coordinates: [[[0, 0], [1, 1]], [[2, 2], [3, 3]]] }],
  ])
  expect(stops[0]?.properties).toEqual({
    ...{
      fid: 1,
      'the name': 'é東',
      big: '9007199254740993',
      open: true,
      share: 0.5,
      day: '2024-02-29',
      picture: null,
    },
  })
  expect(stops.map(({ properties }) => properties?.open as unknown)).toEqual([
    true,
    false,
    null,
    null,
    null,
    null,
  ])
  expect(read.rejects.map(({ at, field, message }) => [at.line, field, message])).toEqual([
    [6, 'geometry', 'The geometry is a CompoundCurve, which is not read.'],
    [7, 'geometry', 'The geometry breaks off.'],
    [8, 'geometry', expect.stringMatching(/not in degrees|no such latitude/)],
    [10, 'the name', 'The bytes are no text in the encoding of the database.'],
  ])
  const areas = features.filter((_, i) => read.rows[i]?.at.sheet === 'areas')
  expect(areas).toHaveLength(30)
  expect(areas[2]?.properties?.name).toHaveLength(602)
  expect(areas[0]?.geometry).toMatchObject({ type: 'MultiPolygon' })
  expect((areas[0]?.geometry as { coordinates: number[][][][] }).coordinates[0]?.[0]?.[2]).toEqual([
    expect.closeTo(1, 9),
    expect.closeTo(1, 3),
  ])
  expect(read.notices.map(({ message }) => message).join()).toMatch(/picture of stops.*left out.*areas.*3857/)
  expect(await listSelectors('gpkg', chunked(gpkg))).toEqual(['*', 'stops', 'areas', 'notes'])
  const notes = await readAll('gpkg', gpkg, { selector: 'notes' })
  expect(notes.values[2]).toEqual({ type: 'Feature', properties: { id: 3, note: 'n2' }, geometry: null })
  expect((await readAll('gpkg', gpkg, { selector: 'x' })).refusal).toMatch(
    /no layer "x": it has "stops", "areas", "notes"/,
  )
})

test('FlatGeobuf: reads all geometry types, column types, and another coordinate system', async () => {
  const read = await readAll('fgb', fgb)
  expect([read.refusal, read.rejects]).toEqual([null, []])
  const rounded = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(rounded) : Math.round((value as number) * 1e6) / 1e6 + 0
  const shapes = (read.values as Feature[]).map(({ geometry, properties }) => [
    properties?.name as unknown,
    geometry.type,
    rounded((geometry as { coordinates: unknown }).coordinates),
  ])
  // prettier-ignore
  expect(new Map(shapes.map((shape) => [shape[1], shape]))).toEqual(new Map([
    ['Point', ['é東', 'Point', [10, 50]]],
    ['Polygon', [null, 'Polygon', [[[0, 0], [0, 10], [10, 10], [10, 0], [0, 0]], [[2, 2], [4, 2], [4, 4], [2, 2]]]]],
    ['MultiPolygon', ['m', 'MultiPolygon', [[[[0, 0], [0, 1], [1, 1], [0, 0]]], [[[5, 5], [5, 6], [6, 6], [5, 5]]]]]],
    ['MultiLineString', ['l', 'MultiLineString', [[[0, 0], [1, 1]], [[2, 2], [3, 3]]]]],
    ['MultiPoint', ['p', 'MultiPoint', [[0, 0], [1, 1]]]],
  ]))
  const all = (read.values as Feature[]).find(({ properties }) => properties?.name === 'é東')
  expect(all?.properties).toEqual({
    ...{
      name: 'é東',
      n: '9007199254740993',
      d: 1.5,
      day: '2024-02-29T00:00:00',
      at: '2024-02-29T13:30:00Z',
      ok: true,
    },
  })
  expect(read.notices.map(({ message }) => message)).toEqual([
    'Coordinates are in ETRS89 / UTM zone 32N (EPSG:25832): they are put into longitude and latitude.',
  ])
})

test.each<[ParserName, Uint8Array]>([
  ['gpkg', gpkg],
  ['fgb', fgb],
])('%s resumes after the rows it returned, and never crashes on a corrupt byte', async (parser, bytes) => {
  const all = await readAll(parser, bytes, {}, { batchRows: 2 })
  for (const { cursor } of all.batches) {
    const rest = await readAll(parser, bytes, {}, { from: cursor })
    expect([...rest.rows, ...rest.rejects].every(({ at }) => at.row > cursor.rows)).toBe(true)
    expect(rest.values).toEqual(all.rows.filter(({ at }) => at.row > cursor.rows).map(({ value }) => value))
  }
  let refusalCount = 0
  for (let at = 8; at < bytes.length; at += bytes.length > 8000 ? 37 : 3) {
    const damagedBytes = bytes.slice()
    damagedBytes[at] = at % 3 ? 0xff : (damagedBytes[at] ?? 0) ^ (1 << (at % 8))
    const read = await readAll(parser, damagedBytes)
    if (read.refusal) refusalCount += 1
    expect(read.rows.length).toBeLessThan(200)
  }
  expect(refusalCount).toBeGreaterThan(20)
  for (let length = 12; length < bytes.length; length += 150)
    expect((await readAll(parser, bytes.slice(0, length))).refusal).not.toBeNull()
})

test('cyclic pages of a database, and rows beyond the size limit, end the reading', async () => {
  // The root of `areas` becomes its own child, page by page.
  for (let page = 1; page < gpkg.length / 512; page++) {
    const at = page * 512
    if (gpkg[at] !== 5) continue
    const circle = gpkg.slice()
    new DataView(circle.buffer).setUint32(at + 8, page + 1)
    const { refusal } = await readAll('gpkg', circle, { selector: '*' })
    expect(refusal).toMatch(/damaged/)
  }
  const text = (read: { refusal: string | null }) => read.refusal
  expect(text(await readAll('gpkg', gpkg, {}, { caps: { row: 300 } }))).toMatch(
    /row of the database is larger than 300/,
  )
  expect(text(await readAll('fgb', fgb, {}, { caps: { row: 700 } }))).toMatch(/head.*damaged|longer than 700/)
})

test('does not allocate for false counts in a geometry', () => {
  const lie = new Uint8Array(21)
  new DataView(lie.buffer).setUint8(0, 1)
  new DataView(lie.buffer).setUint32(1, 6, true)
  new DataView(lie.buffer).setUint32(5, 0xffffffff, true)
  expect(readWkb(lie, 0, defaultCaps)).toEqual({ fault: 'The geometry breaks off.' })
  new DataView(lie.buffer).setUint32(1, 4, true)
  new DataView(lie.buffer).setUint32(5, 0, true)
  expect(readWkb(lie, 0, defaultCaps)).toEqual({ geometry: null })
  expect(readWkb(lie, 30, defaultCaps)).toEqual({ fault: 'The geometry breaks off.' })
})
