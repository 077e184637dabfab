import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { head, record } from '#functions/engine/export/shp.ts'
import { zipFiles } from '#functions/engine/export/zip.ts'
import { generateFlights } from './import-corpus.ts'

type Note = (n: number) => string

/** The columns of a shapefile's table: name, type, width. */
const table = [
  ['id', 'C', 8],
  ['origin', 'C', 4],
  ['state', 'C', 3],
  ['kind', 'C', 4],
  ['delay', 'N', 5],
  ['distance', 'N', 5],
  ['late', 'L', 1],
  ['at', 'C', 24],
  ['notes', 'C', 254],
] as const
const recordWidth = table.reduce((sum, [, , width]) => sum + width, 1)
const pointBytes = 28
const encoder = new TextEncoder()
const packedAt = new Date('2026-01-01T00:00:00Z')
/** How many rows are made at a time. */
const rowsAtOnce = 1000

/** The flights with their notes, some at a time. */
function* portions(rows: number, note: Note) {
  let portion = []
  let n = 0
  for (const flight of generateFlights(rows)) {
    portion.push({ ...flight, notes: note(n++) })
    if (portion.length < rowsAtOnce) continue
    yield portion
    portion = []
  }
  if (portion.length) yield portion
}

/** A zipped Shapefile of points: its shapes, its table and its system. */
export function shpChunks(rows: number, note: Note): AsyncIterable<Uint8Array> {
  return zipFiles(
    [
      { name: 'flights.shp', pieces: shapes(rows, note) },
      { name: 'flights.dbf', pieces: tableRows(rows, note) },
      {
        name: 'flights.prj',
        pieces: [
          'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]',
        ],
      },
      { name: 'flights.cpg', pieces: ['UTF-8'] },
    ],
    packedAt,
  )
}

function* shapes(rows: number, note: Note): Generator<Uint8Array> {
  const bytes = 100 + rows * pointBytes
  yield head({ name: 'points', sizes: [], box: [-120, 28, -60, 50] }, bytes)
  let number = 0
  for (const portion of portions(rows, note))
    for (const { longitude, latitude } of portion) {
      const coordinates = [Number(longitude), Number(latitude)] as [number, number]
      yield record({ type: 'Point', coordinates }, ++number)
    }
}

function* tableRows(rows: number, note: Note): Generator<Uint8Array | string> {
  const start = new Uint8Array(32 + table.length * 32 + 1)
  const view = new DataView(start.buffer)
  start[0] = 3
  view.setUint32(4, rows, true)
  view.setUint16(8, start.length, true)
  view.setUint16(10, recordWidth, true)
  table.forEach(([name, type, width], i) => {
    start.set(encoder.encode(name), 32 + i * 32)
    start[32 + i * 32 + 11] = type.charCodeAt(0)
    start[32 + i * 32 + 16] = width
  })
  start[start.length - 1] = 0x0d
  yield start
  for (const portion of portions(rows, note)) {
    let text = ''
    for (const row of portion) {
      text += ' '
      for (const [name, type, width] of table) {
        const value = type === 'L' ? (row[name] ? 'T' : 'F') : String(row[name])
        text += type === 'N' ? value.padStart(width) : value.slice(0, width).padEnd(width)
      }
    }
    yield text
  }
  yield Uint8Array.of(0x1a)
}

/** GeoJSON of points in a zip archive. */
export function zippedGeojsonChunks(rows: number, note: Note): AsyncIterable<Uint8Array> {
  return zipFiles([{ name: 'flights.geojson', pieces: features(rows, note) }], packedAt)
}

function* features(rows: number, note: Note): Generator<string> {
  yield '{"type":"FeatureCollection","features":['
  let separator = ''
  for (const portion of portions(rows, note)) {
    const lines = portion.map(({ longitude, latitude, ...properties }) => {
      const geometry = { type: 'Point', coordinates: [Number(longitude), Number(latitude)] }
      return JSON.stringify({ type: 'Feature', properties, geometry })
    })
    yield separator + lines.join(',\n')
    separator = ',\n'
  }
  yield ']}'
}

/** KML of points in a zip archive, with typed columns. */
export function kmzChunks(rows: number, note: Note): AsyncIterable<Uint8Array> {
  return zipFiles([{ name: 'doc.kml', pieces: placemarks(rows, note) }], packedAt)
}

function* placemarks(rows: number, note: Note): Generator<string> {
  const kmlTypes = { C: 'string', N: 'int', L: 'bool' }
  const schemaFields = table.map(([name, type]) => `<SimpleField name="${name}" type="${kmlTypes[type]}"/>`)
  yield `<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2"><Document><Schema id="flight" name="flight">${schemaFields.join('')}</Schema>`
  for (const portion of portions(rows, note))
    yield portion
      .map((row) => {
        const data = table.map(([name]) => `<SimpleData name="${name}">${row[name]}</SimpleData>`)
        const point = `<Point><coordinates>${row.longitude},${row.latitude}</coordinates></Point>`
        return `<Placemark><ExtendedData><SchemaData schemaUrl="#flight">${data.join('')}</SchemaData></ExtendedData>${point}</Placemark>`
      })
      .join('\n')
  yield '</Document></kml>'
}

/** How many times of a stop a timetable has, about as many as that of a large city. */
const timesOfStop = 250

/** A timetable (GTFS): stops at the places of the flights, and the times at which trips call there. */
export function gtfsChunks(stops: number, note: Note): AsyncIterable<Uint8Array> {
  const agency =
    'agency_id,agency_name,agency_url,agency_timezone\n1,Bench,https://example.org,America/New_York\n'
  return zipFiles(
    [
      { name: 'agency.txt', pieces: [agency] },
      { name: 'stops.txt', pieces: stopLines(stops, note) },
      { name: 'stop_times.txt', pieces: timeLines(stops) },
    ],
    packedAt,
  )
}

function* stopLines(stops: number, note: Note): Generator<string> {
  yield 'stop_id,stop_code,stop_name,stop_desc,stop_lat,stop_lon\n'
  for (const portion of portions(stops, note))
    yield portion
      .map((row) => `${row.id},${row.origin},${row.kind},${row.notes},${row.latitude},${row.longitude}\n`)
      .join('')
}

/** Trip by trip, each along fifty stops that follow each other. */
function* timeLines(stops: number): Generator<string> {
  yield 'trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,drop_off_type\n'
  const ids = [...generateFlights(stops)].map(({ id }) => id)
  const callsOfTrip = 50
  const trips = Math.ceil((stops * timesOfStop) / callsOfTrip)
  for (let trip = 0; trip < trips; trip += 1) {
    let text = ''
    const start = 5 * 3600 + ((trip * 6007) % (18 * 3600))
    for (let call = 0; call < callsOfTrip; call += 1) {
      const [arrival, departure] = [0, 20].map((seconds) => timeText(start + call * 97 + seconds))
      const stop = ids[(trip * 37 + call) % stops]
      text += `trip-${1_000_000 + trip},${arrival},${departure},${stop},${call + 1},0,0\n`
    }
    yield text
  }
}

const timeText = (seconds: number) =>
  [seconds / 3600, (seconds / 60) % 60, seconds % 60]
    .map((part) => String(Math.floor(part)).padStart(2, '0'))
    .join(':')

const columns = [
  ...(['id', 'origin', 'state', 'kind', 'at', 'notes'] as const).map((name) => [name, 'BYTE_ARRAY'] as const),
  ...(['delay', 'distance', 'longitude', 'latitude'] as const).map((name) => [name, 'DOUBLE'] as const),
  ['late', 'BOOLEAN'] as const,
]
/** As many rows as common writers put into a row group. */
const groupRows = 122_880

/** Parquet with row groups as DuckDB writes them, packed with Snappy. */
export function* parquetChunks(rows: number, note: Note): Generator<Uint8Array> {
  const writer = new ByteWriter(1_000_000)
  const file = new ParquetWriter({
    writer,
    schema: [
      { name: 'schema', num_children: columns.length },
      ...columns.map(([name, type]) => ({
        ...{ name, type, repetition_type: 'REQUIRED' as const },
        ...(type === 'BYTE_ARRAY' && { converted_type: 'UTF8' as const }),
      })),
    ],
    createdBy: 'Commonplace',
  })
  function* flushWriter() {
    yield writer.getBytes().slice()
    writer.index = 0
  }
  let group: ReturnType<typeof portions> extends Generator<infer Rows> ? Rows : never = []
  function* write() {
    const columnData = columns.map(([name, type]) => ({
      name,
      data: group.map((row) => (type === 'DOUBLE' ? Number(row[name]) : row[name])),
    }))
    void file.write({ columnData, rowGroupSize: group.length })
    group = []
    yield* flushWriter()
  }
  for (const portion of portions(rows, note)) {
    group.push(...portion)
    if (group.length >= groupRows) yield* write()
  }
  if (group.length) yield* write()
  void file.finish()
  yield* flushWriter()
}
