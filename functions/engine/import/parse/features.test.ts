import proj4 from 'proj4'
import { expect, test } from 'vitest'
import { buildDbf, buildShp, buildZip } from './files.testing.ts'
import { readAll } from './reading.testing.ts'

const outer = [
  [0, 0],
  [0, 10],
  [10, 10],
  [10, 0],
  [0, 0],
]
const hole = [
  [2, 2],
  [4, 2],
  [4, 4],
  [2, 4],
  [2, 2],
]
const island = [
  [20, 20],
  [20, 21],
  [21, 21],
  [20, 20],
]
const wgs84 =
  'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["Degree",0.0174532925199433]]'
const utm33 = `PROJCS["WGS_1984_UTM_Zone_33N",${wgs84},PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000],PARAMETER["False_Northing",0],PARAMETER["Central_Meridian",15],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0],UNIT["Meter",1]]`

const geometries = (read: { values: unknown[] }) =>
  read.values.map((value) => (value as { geometry: unknown }).geometry)

test('Shapefile: rings become polygons with holes, heights are kept, measures dropped, and null shapes are null', async () => {
  const shp = buildShp([
    { type: 5, parts: [outer, island, hole] },
    {
      type: 13,
      parts: [
        [
          [0, 0, 7],
          [1, 1, 8],
        ],
      ],
    },
    {
      type: 3,
      parts: [
        [
          [0, 0],
          [1, 1],
        ],
        [
          [2, 2],
          [3, 3],
        ],
      ],
    },
    {
      type: 8,
      parts: [
        [
          [0, 0],
          [1, 1],
        ],
      ],
    },
    { type: 11, parts: [[[1, 2, 3]]] },
    null,
    { type: 5, parts: [hole] },
  ])
  const read = await readAll('shp', buildZip({ 'x/A.SHP': shp, 'x/a.prj': wgs84 }))
  expect(geometries(read)).toEqual([
    { type: 'MultiPolygon', coordinates: [[outer, hole], [island]] },
    {
      type: 'LineString',
      coordinates: [
        [0, 0, 7],
        [1, 1, 8],
      ],
    },
    {
      type: 'MultiLineString',
      coordinates: [
        [
          [0, 0],
          [1, 1],
        ],
        [
          [2, 2],
          [3, 3],
        ],
      ],
    },
    {
      type: 'MultiPoint',
      coordinates: [
        [0, 0],
        [1, 1],
      ],
    },
    { type: 'Point', coordinates: [1, 2, 3] },
    null,
    { type: 'Polygon', coordinates: [hole] },
  ])
  expect(read.notices.map(({ message }) => message).join()).toContain('no .dbf')
  expect(read.notices.map(({ message }) => message).join()).toContain('lie in no other')
  expect(read.rows[0]?.at).toEqual({ row: 1, entry: 'x/A.SHP', line: 1 })
})

test('Shapefile: positions are projected by the .prj of each layer, with the columns of its table', async () => {
  const [x = 0, y = 0] = proj4('+proj=utm +zone=33 +datum=WGS84', 'WGS84').inverse([16.37, 48.21])
  const columns = [
    { name: 'ID', type: 'C', length: 4 },
    { name: 'BIG', type: 'N', length: 18 },
    { name: 'F', type: 'F', length: 8, decimals: 2 },
  ]
  const table = buildDbf(
    columns,
    [
      ['007', '123456789012345678', '1.50'],
      ['', '', ''],
    ],
    0x57,
  )
  const layer = buildShp([{ type: 1, parts: [[[x, y]]] }, null])
  const read = await readAll(
    'shp',
    buildZip({
      'a.shp': layer,
      'a.dbf': table,
      'a.prj': utm33,
      'b.shp': buildShp([{ type: 1, parts: [[[1, 2]]] }]),
    }),
  )
  const [first, second, third] = read.values as {
    properties: unknown
    geometry: { coordinates: number[] } | null
  }[]
  expect(first?.properties).toEqual({ ID: '007', BIG: '123456789012345678', F: 1.5 })
  expect(first?.geometry?.coordinates[0]).toBeCloseTo(16.37, 8)
  expect(first?.geometry?.coordinates[1]).toBeCloseTo(48.21, 8)
  expect(second).toEqual({ type: 'Feature', properties: { ID: '', BIG: null, F: null }, geometry: null })
  expect(third?.geometry?.coordinates).toEqual([1, 2])
})

test('GeoJSON in other coordinate systems is projected to longitude and latitude', async () => {
  const buildPointCollection = (name: string, coordinates: number[]) =>
    JSON.stringify({
      type: 'FeatureCollection',
      crs: { type: 'name', properties: { name } },
      features: [{ type: 'Feature', geometry: { type: 'Point', coordinates }, properties: null }],
    })
  const cases: [string, number[], number[]][] = [
    ['urn:ogc:def:crs:EPSG::3857', [-8237642.31, 4970241.33, 5], [-74, 40.7128, 5]],
    ['EPSG:32633', [601767.9, 5340470.4], [16.37, 48.21]],
    ['http://www.opengis.net/def/crs/EPSG/0/25833', [601767.9, 5340470.4], [16.37, 48.21]],
    ['EPSG:32756', [334368.6, 6250948.3], [151.2093, -33.8688]],
    ['urn:ogc:def:crs:EPSG::4326', [1, 2], [1, 2]],
  ]
  for (const [name, coordinates, expected] of cases) {
    const read = await readAll('geojson', buildPointCollection(name, coordinates))
    const [geometry] = geometries(read) as { coordinates: number[] }[]
    expect(geometry?.coordinates.length).toBe(expected.length)
    expected.forEach((n, i) => expect(geometry?.coordinates[i], name).toBeCloseTo(n, 2))
  }
})

test('KML: display names, schema types, folders, multiple geometries and tracks', async () => {
  const kml = `<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="g"><Document>
    <Schema id="s" name="S"><SimpleField type="int" name="n"/><SimpleField type="bool" name="b"/></Schema>
    <Folder><name>Parks</name>
      <Placemark id="p1"><name>One</name><styleUrl>#x</styleUrl><TimeStamp><when>2024-01-01</when></TimeStamp>
        <ExtendedData><Data name="k"><displayName>Key</displayName><value>007</value></Data>
        <SchemaData schemaUrl="#s"><SimpleData name="n">12</SimpleData><SimpleData name="b">1</SimpleData></SchemaData></ExtendedData>
        <Polygon><outerBoundaryIs><LinearRing><coordinates>0,0 0,10 10,10 0,0</coordinates></LinearRing></outerBoundaryIs>
        <innerBoundaryIs><LinearRing><coordinates>1,2 1,3 2,3 1,2</coordinates></LinearRing></innerBoundaryIs></Polygon></Placemark>
      <Placemark><MultiGeometry><Point><coordinates>1,2,3</coordinates></Point><Point><coordinates>4,5</coordinates></Point></MultiGeometry></Placemark>
    </Folder>
    <Placemark><gx:Track><when>2024</when><gx:coord>1 2 3</gx:coord><gx:coord>4 5 6</gx:coord></gx:Track></Placemark>
    <Placemark><MultiGeometry><Point><coordinates>1,2</coordinates></Point><LineString><coordinates>1,2 3,4</coordinates></LineString></MultiGeometry></Placemark>
  </Document></kml>`
  const read = await readAll('kmz', buildZip({ 'doc.kml': kml, 'files/a.png': 'x' }))
  const folder = { name: 'Parks' }
  expect(read.values).toEqual([
    {
      type: 'Feature',
      id: 'p1',
      properties: { name: 'One', TimeStamp: { when: '2024-01-01' }, Key: '007', n: 12, b: true, folder },
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [0, 10],
            [10, 10],
            [0, 0],
          ],
          [
            [1, 2],
            [1, 3],
            [2, 3],
            [1, 2],
          ],
        ],
      },
    },
    {
      type: 'Feature',
      properties: { folder },
      geometry: {
        type: 'MultiPoint',
        coordinates: [
          [1, 2, 3],
          [4, 5],
        ],
      },
    },
    {
      type: 'Feature',
      properties: {},
      geometry: {
        type: 'LineString',
        coordinates: [
          [1, 2, 3],
          [4, 5, 6],
        ],
      },
    },
  ])
  expect(read.rejects).toMatchObject([{ at: { row: 4, entry: 'doc.kml' }, field: 'geometry' }])
})

test('GPX: a file is one line with the times and heart rates of its points', async () => {
  const point = (n: number, more = '') =>
    `<trkpt lat="${n}" lon="${n + 1}"><ele>${n * 10}</ele>${more}</trkpt>`
  const hr = '<time>2024-01-01T00:00:00Z</time><extensions><x:hr xmlns:x="x">99</x:hr></extensions>'
  const one = `<gpx><metadata><name>Run</name></metadata><wpt lat="1" lon="1"/><trk><trkseg>${point(1, hr)}${point(2)}</trkseg></trk></gpx>`
  const read = await readAll('gpx', one)
  expect(read.values).toEqual([
    {
      type: 'Feature',
      properties: { name: 'Run', times: ['2024-01-01T00:00:00Z', null], heartRates: [99, null] },
      geometry: {
        type: 'LineString',
        coordinates: [
          [2, 1, 10],
          [3, 2, 20],
        ],
      },
    },
  ])
  expect(read.notices[0]?.message).toContain('waypoints are left out')
  const two = one.replace('</trkseg>', `</trkseg><trkseg>${point(3)}${point(4)}</trkseg>`)
  expect(geometries(await readAll('gpx', two))).toMatchObject([{ type: 'MultiLineString' }])
})

test('duplicate names are numbered, and ignored parts are reported', async () => {
  const kml = `<kml><Placemark><name>Oak</name><ExtendedData><Data name="name"><value>Quercus</value></Data>
    <Data name="name"><value>Oak</value></Data></ExtendedData><Point><coordinates>1,2</coordinates></Point></Placemark></kml>`
  const marks = await readAll('kml', kml)
  expect(marks.values).toMatchObject([{ properties: { name: 'Oak', name_2: 'Quercus' } }])
  expect(marks.notices.map(({ message }) => message)).toEqual([
    'A placemark has "name" more than once: it is called "name_2" then.',
  ])
  const columns = [
    { name: 'POPULATION', type: 'N', length: 3 },
    { name: 'POPULATION', type: 'N', length: 3 },
  ]
  const layer = buildZip({
    'a.shp': buildShp([null]),
    'a.dbf': buildDbf(columns, [['  1', '  2']]),
    'a.prj': wgs84,
  })
  const table = await readAll('shp', layer)
  expect(table.values).toMatchObject([{ properties: { POPULATION: 1, POPULATION_2: 2 } }])
  const buildGpxPoint = (tag: string, n: number) => `<${tag} lat="${n}" lon="${n}"/>`
  const gpx = `<gpx><rte>${buildGpxPoint('rtept', 1)}${buildGpxPoint('rtept', 2)}</rte><trk><trkseg>${buildGpxPoint('trkpt', 3)}${buildGpxPoint('trkpt', 4)}</trkseg></trk></gpx>`
  expect((await readAll('gpx', gpx)).notices.map(({ message }) => message)).toEqual([
    'Routes are left out (1): the file is read as its tracks.',
  ])
})
