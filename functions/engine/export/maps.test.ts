import { describe, expect, test } from 'vitest'
import {
  listElements,
  child,
  readDbf,
  readXml,
  readZip,
  buildFileSource,
  textIn,
  writeExport,
  type Xml,
} from './reading.testing.ts'
import { columns, rows, shapes } from './rows.testing.ts'
import { computeDoubleArea } from './places.ts'

const none = buildFileSource(columns, [])
const full = buildFileSource(columns, rows)

describe('KML', () => {
  test('has one placemark per row, with its fields and its geometry', async () => {
    const document = readXml(textIn(await writeExport('kml', full)))
    const placemarks = listElements(document, 'Placemark')
    expect(placemarks).toHaveLength(rows.length)
    const last = placemarks.at(-3) as Xml
    expect(child(last, 'name')).toBeUndefined()
    const values = Object.fromEntries(
      listElements(last, 'SimpleData').map((data) => [data.attributes.name, data.text]),
    )
    expect(values).toMatchObject({ text: 'all', n: '12.5', isOn: 'false', tags: 'a, b, c, "d", 👩‍👩‍👧' })
    expect(listElements(last, 'Polygon')).toHaveLength(2)
    expect(listElements(last, 'innerBoundaryIs')).toHaveLength(1)
    const [spot] = placemarks.filter((each) => listElements(each, 'Point').length > 0)
    expect(listElements(spot as Xml, 'coordinates')[0]?.text).toBe('-74.0059731,40.7127753')
    expect(listElements(document, 'SimpleField').map(({ attributes }) => attributes.type)).toContain('double')
    const names = listElements(document, 'Placemark').map((each) => child(each, 'name')?.text)
    expect(names).toContain('n שלום עולם')
    expect(listElements(readXml(textIn(await writeExport('kml', none))), 'Placemark')).toEqual([])
  })

  test('KMZ is the same in a zip archive', async () => {
    const files = readZip(await writeExport('kmz', full))
    expect([...files.keys()]).toEqual(['doc.kml'])
    expect(files.get('doc.kml')).toEqual(await writeExport('kml', full))
  })
})

describe('GPX', () => {
  test('has points as waypoints, followed by lines as tracks', async () => {
    const document = readXml(textIn(await writeExport('gpx', full)))
    const order = document.children.map(({ name }) => name)
    expect(order).toEqual(['metadata', 'wpt', 'trk', 'trk', 'trk', 'trk', 'trk'])
    expect(listElements(document, 'wpt')[0]?.attributes).toEqual({ lat: '40.7127753', lon: '-74.0059731' })
    const segments = listElements(document, 'trk').map((track) => listElements(track, 'trkseg').length)
    expect(segments).toEqual([1, 2, 2, 3, 3])
    expect(listElements(document, 'trk').at(-1)?.children[0]?.text).toContain('Counts: 1, 2.5, -3')
  })

  test('rejects a data type without points and lines', async () => {
    const areas = columns.filter(({ type }) => type === 'text' || type === 'polygon')
    await expect(writeExport('gpx', buildFileSource(areas, rows))).rejects.toThrow(
      /GPX holds points and lines/,
    )
    expect(listElements(readXml(textIn(await writeExport('gpx', none))), 'wpt')).toEqual([])
  })
})

describe('Shapefile', () => {
  test('has one layer per geometry type, with the same number of records in all of its files', async () => {
    const files = readZip(await writeExport('shp', full))
    const layers = ['points', 'lines', 'polygons'].map((layer) => readLayer(files, `calls_${layer}`))
    expect(layers.map(({ shapes: layerShapes }) => layerShapes.length)).toEqual([rows.length - 5, 2, 3])
    expect(layers[0]?.shapes.filter((shape) => shape !== null)).toEqual([shapes.spot?.coordinates])
    expect(layers[1]?.shapes).toEqual([[shapes.way?.coordinates], shapes.ways?.coordinates])
    const polygons = layers[2]?.shapes.filter((shape) => shape !== null) as number[][][][]
    expect(polygons).toHaveLength(3)
    // Outer rings clockwise, holes not.
    expect(polygons.map((rings) => rings.map((ring) => Math.sign(computeDoubleArea(ring))))).toEqual([
      [-1, 1],
      [-1, -1, 1],
      [-1, -1, 1],
    ])
    const last = layers[2]?.records.at(-1)
    expect(last).toMatchObject({
      text: 'all',
      n: '12.5',
      isOn: 'F',
      at: '2024-02-29T23:59:59.123Z',
      counts: '1, 2.5, -3',
    })
    const values = layers[0]?.records.map(({ n }) => n).filter((n) => n !== '')
    expect(values?.map(Number)).toContain(-2.5e-300)
  })

  test('field names are short and unique, and the archive maps them to the original ones and counts truncated values', async () => {
    const files = readZip(await writeExport('shp', full))
    const mapping = JSON.parse(textIn(files.get('fields.json') as Uint8Array)) as {
      name: string
      key: string
      cut: number
    }[]
    expect(mapping.filter(({ key }) => key.startsWith('xxx')).map(({ name }) => name)).toEqual([
      'xxxxxxxxxx',
      'xxxxxxxx_1',
    ])
    expect(mapping.find(({ key }) => key === 'text')?.cut).toBe(2)
    expect(textIn(files.get('README.txt') as Uint8Array)).toContain('2 texts are cut at 254 bytes')
    const { records } = readLayer(files, 'calls_points')
    // No character is cut in half.
    expect(records.map(({ text }) => text)).toContain('漢'.repeat(84))
  })

  test('has one empty layer without records; without a geometry field, or with too many rows, it is rejected', async () => {
    const files = readZip(await writeExport('shp', none))
    expect(readLayer(files, 'calls_points')).toEqual({ shapes: [], records: [] })
    const texts = columns.filter(({ type }) => type === 'text')
    await expect(writeExport('shp', buildFileSource(texts, rows))).rejects.toThrow(/needs a geometry/)
    await expect(writeExport('shp', { ...full, count: 100_001 })).rejects.toThrow(/100000 rows at most/)
  })
})

/** A layer by ESRI's description of 1998: main file and index must agree with each other and with the table. */
function readLayer(files: Map<string, Uint8Array>, name: string) {
  const [main, index, table] = ['shp', 'shx', 'dbf'].map((ending) => {
    const bytes = files.get(`${name}.${ending}`)
    if (!bytes) throw new Error(`There is no ${name}.${ending}.`)
    return Buffer.from(bytes)
  }) as [Buffer, Buffer, Buffer]
  for (const file of [main, index]) {
    if (file.readInt32BE(0) !== 9994 || file.readInt32BE(24) * 2 !== file.length)
      throw new Error('A wrong head.')
  }
  const layerShapes: unknown[] = []
  for (let at = 100; at < index.length; at += 8) {
    const offset = index.readInt32BE(at) * 2
    if (main.readInt32BE(offset) !== layerShapes.length + 1) throw new Error('A wrong number.')
    if (main.readInt32BE(offset + 4) !== index.readInt32BE(at + 4)) throw new Error('A wrong length.')
    layerShapes.push(readShape(main.subarray(offset + 8, offset + 8 + main.readInt32BE(offset + 4) * 2)))
  }
  return { shapes: layerShapes, records: readDbf(table) }
}

function readShape(bytes: Buffer) {
  const type = bytes.readInt32LE(0)
  if (type === 0) return null
  const position = (at: number) => [bytes.readDoubleLE(at), bytes.readDoubleLE(at + 8)]
  if (type === 1) return position(4)
  const [parts, points] = [bytes.readInt32LE(36), bytes.readInt32LE(40)]
  const starts = Array.from({ length: parts }, (_, i) => bytes.readInt32LE(44 + i * 4))
  return starts.map((start, i) =>
    Array.from({ length: (starts[i + 1] ?? points) - start }, (_, j) =>
      position(44 + parts * 4 + (start + j) * 16),
    ),
  )
}
