import type { Geometry } from 'geojson'
import { expect, test } from 'vitest'
import { box, collection } from '#functions/domain/boundary/sets.testing.ts'
import { defaultCaps } from '../import/parse/caps.ts'
import { decodeGeometry } from '../import/parse/fgb-feature.ts'
import { FlatTable } from '../import/parse/flat-table.ts'
import { readWkb, shapeKinds } from '../import/parse/wkb.ts'
import { readAreas } from './read.ts'

const line: Geometry = {
  type: 'LineString',
  coordinates: [
    [0, 0],
    [1, 1],
  ],
}
const buildCollection = (...geometries: Geometry[]): Geometry => ({ type: 'GeometryCollection', geometries })
const mixed = buildCollection(
  box(0, 0),
  line,
  buildCollection(box(2, 0), { type: 'Point', coordinates: [0, 0] }),
)
const mixedFindings = [
  ['noted', 'It is a collection of geometries: its areas were put together.'],
  ['leftOut', 'What it has beside areas was left out: 1 LineString, 1 Point.'],
]

async function read(text: string) {
  const reading = readAreas(new TextEncoder().encode(text))
  const wests: (number | undefined)[][] = []
  for await (const { polygons } of reading.areas) wests.push(polygons.map((rings) => rings[0]?.[0]?.[0]))
  return { wests, findings: reading.findings.map(({ kind, message }) => [kind, message]) }
}

test('a collection gives its areas, of whatever depth, and its other parts are listed', async () => {
  expect(await read(JSON.stringify(collection([{}, mixed], [{}, box(5, 5)])))).toEqual({
    wests: [[0, 2], [5]],
    findings: mixedFindings,
  })
  const only = collection([{}, buildCollection(line, line)], [{}, buildCollection()], [{}, box(5, 5)])
  expect(await read(JSON.stringify(only))).toEqual({
    wests: [[5]],
    findings: [
      ['leftOut', 'The collection has no area, only 2 LineString.'],
      ['leftOut', 'The collection is empty.'],
    ],
  })
  let deep = box(0, 0)
  for (let i = 0; i < 21; i++) deep = buildCollection(deep)
  expect((await read(JSON.stringify(collection([{}, deep])))).findings).toEqual([
    ['leftOut', 'Collections are nested deeper than 20 levels.'],
  ])
})

test('a collection in other degrees is projected, as far as it has areas', async () => {
  const mercatorGeometry = buildCollection(
    {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [111_319.49, 0],
          [111_319.49, 111_325.14],
          [0, 0],
        ],
      ],
    },
    { type: 'Point', coordinates: [] },
  )
  const { wests, findings } = await read(
    JSON.stringify({ crs: { properties: { name: 'EPSG:3857' } }, ...collection([{}, mercatorGeometry]) }),
  )
  expect(wests).toEqual([[0]])
  expect(findings.at(-1)).toEqual(['leftOut', 'What it has beside areas was left out: 1 Point.'])
})

test('KML and TopoJSON have collections as well', async () => {
  const ring =
    '<outerBoundaryIs><LinearRing><coordinates>0,0 1,0 1,1</coordinates></LinearRing></outerBoundaryIs>'
  const kml = `<kml><Placemark><MultiGeometry><Polygon>${ring}</Polygon><Point><coordinates>0,0</coordinates></Point></MultiGeometry></Placemark></kml>`
  expect(await read(kml)).toEqual({
    wests: [[0]],
    findings: [
      ['repaired', 'A ring was not closed: it was closed.'],
      ['noted', 'It is a collection of geometries: its areas were put together.'],
      ['leftOut', 'What it has beside areas was left out: 1 Point.'],
    ],
  })
  const parts = [
    { type: 'Polygon', arcs: [[0]] },
    { type: 'Point', coordinates: [0, 0] },
  ]
  const topology = {
    type: 'Topology',
    objects: {
      wards: { type: 'GeometryCollection', geometries: [{ type: 'GeometryCollection', geometries: parts }] },
    },
    arcs: [
      [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 0],
      ],
    ],
  }
  expect((await read(JSON.stringify(topology))).wests).toEqual([[0]])
})

test('the parts of a collection are read in the binary forms of GeoPackage, GeoParquet and FlatGeobuf', () => {
  // A collection of the triangle (0 0, 1 0, 1 1) and of a point, as PostGIS writes it.
  const number = (value: number) => Buffer.from(Float64Array.of(value).buffer).toString('hex')
  const corners = [0, 0, 1, 0, 1, 1, 0, 0]
  const wkb = `010700000002000000${'01030000000100000004000000'}${corners.map(number).join('')}0101000000${number(7)}${number(8)}`
  const expectedGeometry = buildCollection(
    {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 0],
        ],
      ],
    },
    { type: 'Point', coordinates: [7, 8] },
  )
  expect(readWkb(Uint8Array.from(Buffer.from(wkb, 'hex')), 0, defaultCaps)).toEqual({
    geometry: expectedGeometry,
  })
  expect(readWkb(Uint8Array.from(Buffer.from(wkb, 'hex')), 0, { ...defaultCaps, points: 3 })).toEqual({
    fault: 'The geometry has 4 points; it may have 3.',
    points: 4,
  })
  const nested = Buffer.from(`${'010700000001000000'.repeat(30)}010700000000000000`, 'hex')
  expect(readWkb(Uint8Array.from(nested), 0, defaultCaps)).toEqual({
    fault: 'Collections are nested deeper than 20 levels.',
  })

  const kind = (name: string) => shapeKinds.indexOf(name)
  const flat = flatTable({
    6: kind('GeometryCollection'),
    7: [flatTable({ 1: corners, 6: kind('Polygon') }), flatTable({ 1: [7, 8], 6: kind('Point') })],
  })
  const root = Uint8Array.from([4 + entry, 0, 0, 0, ...flat])
  expect(decodeGeometry(FlatTable.root(root), 0, defaultCaps)).toEqual(expectedGeometry)
  expect(decodeGeometry(FlatTable.root(root), 0, { ...defaultCaps, points: 4 })).toMatchObject({
    message: 'The geometry has more than 4 points.',
  })
})

/** The bytes before a table: its list of eight fields. */
const entry = 20

/** The bytes of a FlatBuffers table with eight fields: bytes, lists of doubles and lists of tables. */
function flatTable(fields: Record<number, number | number[] | number[][]>): number[] {
  const bytes = (value: number) => [...new Uint8Array(Uint32Array.of(value).buffer)]
  const short = (value: number) => [value & 255, value >> 8]
  const places = Array.from({ length: 8 }, (_, i) => (i in fields ? 4 + 4 * i : 0))
  const head = [...short(entry), ...short(36), ...places.flatMap(short), ...bytes(entry)]
  const cells: number[] = []
  const rest: number[] = []
  for (let i = 0; i < 8; i++) {
    const value = fields[i] ?? 0
    const distance = 4 * (8 - i) + rest.length
    if (typeof value === 'number') cells.push(...bytes(value))
    else {
      cells.push(...bytes(distance))
      const isTables = Array.isArray(value[0])
      rest.push(...bytes(value.length))
      if (!isTables) rest.push(...new Uint8Array(Float64Array.from(value as number[]).buffer))
      else {
        const tables = value as number[][]
        let at = 4 * tables.length
        for (const [n, table] of tables.entries()) {
          rest.push(...bytes(at - 4 * n + entry))
          at += table.length
        }
        rest.push(...tables.flat())
      }
    }
  }
  return [...head, ...cells, ...rest]
}
