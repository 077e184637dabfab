import { expect, test } from 'vitest'
import { defaultCaps } from '../caps.ts'
import type { FaultyCase } from './case.testing.ts'
import { buildDbf, buildPbf, buildShp, buildXlsx, buildZip } from '../files.testing.ts'
import { readAll, utf8 } from '../reading.testing.ts'

type Bomb = Pick<FaultyCase, 'is' | 'parser' | 'source' | 'options'> & {
  /** The expected error, of the whole source or its first rejected row; null: it is read. */
  says: RegExp | null
}

const { columns, entries, members, points } = defaultCaps
const kml = (inner: string) => `<kml><Placemark>${inner}</Placemark></kml>`
const bytes = (size: number, at: (i: number) => number) => Uint8Array.from({ length: size }, (_, i) => at(i))
const zeros = new Uint8Array(2_000_000)

/** A stream of a text, repeated `count` times. */
async function* repeated(text: string, count: number, before = '', after = '') {
  yield utf8(before)
  const block = utf8(text.repeat(Math.ceil(65_536 / text.length)))
  for (let offset = 0; offset < count * text.length; offset += block.length) yield block
  yield utf8(after)
}

/** A shape in which every second part has all of its points. */
function overlapping(): Uint8Array {
  const line = Array.from({ length: 10_000 }, (_, i) => [i / 1e5, i % 2])
  const parts = Array.from({ length: 10_000 }, () => [] as number[][])
  const file = buildShp([{ type: 3, parts: [...parts, line] }])
  const view = new DataView(file.buffer)
  for (let i = 0; i < 10_000; i++) view.setUint32(108 + 44 + i * 4, i % 2 ? 10_000 : 0, true)
  return file
}
function saying(offset: number, count: number): Uint8Array {
  const file = buildShp([
    {
      type: 3,
      parts: [
        [
          [0, 0],
          [1, 1],
        ],
      ],
    },
  ])
  new DataView(file.buffer).setUint32(108 + offset, count, true)
  return file
}
function headed(length: number): Uint8Array {
  const file = buildDbf([{ name: 'a', type: 'C', length: 1 }], [['x']])
  new DataView(file.buffer).setUint16(8, length, true)
  return buildZip({ 'a.shp': buildShp([null]), 'a.dbf': file })
}
const feed = buildPbf([[1, buildPbf([[1, '2.0']])]])
const update = new Uint8Array(80_000).map((_, i) => (i % 2 ? 0 : 0x12))
const book = (extra: Record<string, string>) => buildXlsx({ a: [['a'], [1]] }, { extra })
const sheet = 'xl/worksheets/sheet1.xml'

const bombs: Bomb[] = [
  { is: 'gzip', parser: 'csv', source: Uint8Array.of(0x1f, 0x8b, 8, 0), says: /gzip/ },
  {
    is: 'a thousandfold',
    parser: 'csv',
    options: { zip: true },
    source: buildZip({ 'a.csv': zeros }),
    says: /grows more than/,
  },
  {
    is: 'an archive in an archive',
    parser: 'csv',
    options: { zip: true },
    source: buildZip({ 'a.zip': buildZip({ 'a.csv': 'a' }) }),
    says: /no \.csv/,
  },
  {
    is: 'many entries',
    parser: 'csv',
    options: { zip: true },
    source: buildZip(Object.fromEntries(Array.from({ length: entries + 1 }, (_, i) => [`${i}.csv`, '']))),
    says: /10001 entries/,
  },
  { is: 'many columns', parser: 'csv', source: `${','.repeat(columns)}\n1`, says: /at most 2000 are read/ },
  {
    is: 'a line that does not end',
    parser: 'csv',
    source: repeated('x', 3_000_000, 'a,b\n'),
    says: /longer than 1 MB/,
  },
  {
    is: 'bytes that are no text',
    parser: 'csv',
    source: new Uint8Array([
      ...utf8(`a\n${'ééé\n'.repeat(12_000)}`),
      ...bytes(100_000, (i) => (i % 2 ? 10 : 255)),
    ]),
    says: /cannot be read/,
  },
  {
    is: 'a text of JSON that is none',
    parser: 'json',
    options: { selector: '*' },
    source: new Uint8Array([
      ...utf8(`["${'é'.repeat(60_000)}"`),
      ...bytes(100_000, (i) => [44, 34, 255, 34][i % 4] ?? 0),
      93,
    ]),
    says: /cannot be read/,
  },
  {
    is: 'deep JSON',
    parser: 'json',
    options: { selector: '*' },
    source: '['.repeat(100_000),
    says: /deeper than 100/,
  },
  {
    is: 'a deep line',
    parser: 'ndjson',
    source: `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
    says: /deeper than 100/,
  },
  {
    is: 'members',
    parser: 'ndjson',
    source: `{${Array.from({ length: members }, (_, i) => `"${i}":1`).join()}}`,
    says: /lists, objects and members/,
  },
  {
    is: 'a member twice beside a long text',
    parser: 'ndjson',
    source: `{"a":1,"a":2,"t":"${'x'.repeat(15_000_000)}"}`,
    says: /comes twice/,
  },
  {
    is: 'a long number beside a long text',
    parser: 'ndjson',
    source: `{"a":12345678901234567890,"t":"${'x'.repeat(15_000_000)}"}`,
    says: /longer than 1 MB/,
  },
  {
    is: 'one feature of 18 MB',
    parser: 'geojson',
    source: repeated(
      '[1.5,2.5],',
      1_800_000,
      '{"type":"Feature","geometry":{"type":"LineString","coordinates":[',
      '[1,2]]}}',
    ),
    says: /longer than 16 MB/,
  },
  {
    is: 'one geometry of many points',
    parser: 'geojson',
    source: `{"type":"MultiPoint","coordinates":[${'[1,2],'.repeat(members)}[1,2]]}`,
    says: /lists, objects and members/,
  },
  {
    is: 'a system that is no JSON',
    parser: 'geojson',
    source: '{"crs":{x},"features":[]}',
    says: /"crs" cannot be read/,
  },
  {
    is: 'a system with a long name',
    parser: 'geojson',
    source: `{"crs":{"properties":{"name":"EPSG${':'.repeat(60_000)}"}},"features":[]}`,
    says: /not known here/,
  },
  { is: 'NUL', parser: 'csv', source: 'a,b\n1,2\n3,2\n4,2\0\n', says: /NUL/ },
  {
    is: 'comments before anything',
    parser: 'xml',
    source: `${'<!---->'.repeat(200)}<r><i>1</i></r>`,
    says: null,
  },
  { is: 'deep XML', parser: 'xml', source: '<a>'.repeat(100_000), says: /deeper than 100/ },
  { is: 'deep KML', parser: 'kml', source: `<kml>${'<Folder>'.repeat(100_000)}`, says: /deeper than 100/ },
  { is: 'deep GPX', parser: 'gpx', source: `<gpx>${'<a>'.repeat(100_000)}`, says: /deeper than 100/ },
  {
    is: 'a deep page',
    parser: 'html',
    options: { selector: 'a' },
    source: '<a><b>'.repeat(50_000),
    says: /deeper than 500/,
  },
  {
    is: 'a deep sheet',
    parser: 'excel',
    source: book({ [sheet]: `<worksheet>${'<a>'.repeat(100_000)}` }),
    says: /deeper than 100/,
  },
  { is: 'ands', parser: 'xml', source: `<r><i>${'&'.repeat(100_000)}</i></r>`, says: /well-formed/ },
  {
    is: 'elements of one row',
    parser: 'xml',
    source: `<r><i>${'<a/>'.repeat(members + 1)}</i></r>`,
    says: /elements, attributes and texts/,
  },
  {
    is: 'blanks between positions',
    parser: 'kml',
    source: kml(`<Point><coordinates>1${' '.repeat(200_000)}x</coordinates></Point>`),
    says: /not a position|2 positions/,
  },
  {
    is: 'points of a placemark',
    parser: 'kml',
    source: kml(`<LineString><coordinates>${'1,2 '.repeat(points + 1)}</coordinates></LineString>`),
    says: /500,001 points; it may have 500,000/,
  },
  {
    is: 'one name of many values',
    parser: 'kml',
    source: kml(
      `<ExtendedData>${Array.from({ length: 20_000 }, (_, i) => `<Data name="a"><value>${i}</value></Data>`).join('')}</ExtendedData>`,
    ),
    says: null,
  },
  {
    is: 'points of a track',
    parser: 'gpx',
    source: repeated('<trkpt lat="1" lon="2"/>', points + 10, '<gpx><trk><trkseg>'),
    says: /500000 points/,
  },
  {
    is: 'tracks without points',
    parser: 'gpx',
    source: repeated('<trkseg/>', points + 10, '<gpx><trk>'),
    says: /500000 points/,
  },
  {
    is: 'empty cells',
    parser: 'excel',
    source: book({ [sheet]: `<worksheet><row>${'<c/>'.repeat(500_000)}` }),
    says: /columns|grows more than/,
  },
  {
    is: 'shared texts',
    parser: 'excel',
    source: book({ 'xl/sharedStrings.xml': `<sst><si>${`<t>${'x'.repeat(50_000)}</t>`.repeat(700)}` }),
    says: /grows more than|texts of the workbook/,
  },
  {
    is: 'a shape that says points',
    parser: 'shp',
    source: buildZip({ 'a.shp': saying(40, 4e9) }),
    says: /cut off/,
  },
  {
    is: 'a shape that says parts',
    parser: 'shp',
    source: buildZip({ 'a.shp': saying(36, 4e9) }),
    says: /50000 parts/,
  },
  {
    is: 'parts that overlap',
    parser: 'shp',
    source: buildZip({ 'a.shp': overlapping() }),
    says: /not in their order/,
  },
  {
    is: 'a table whose head is shorter than itself',
    parser: 'shp',
    source: headed(0),
    says: /head of the table/,
  },
  {
    is: 'a table whose head is longer than the file',
    parser: 'shp',
    source: headed(65_535),
    says: /damaged|ends before/,
  },
  {
    is: 'times of a trip',
    parser: 'gtfsrt',
    source: Uint8Array.from([
      ...feed,
      ...buildPbf([
        [
          2,
          buildPbf([
            [1, 'x'],
            [3, update],
          ]),
        ],
      ]),
    ]),
    says: null,
  },
]

test.each(bombs)('$parser: $is', async ({ parser, source, options, says }) => {
  const before = process.cpuUsage()
  const { refusal, rejects, notices, rows } = await readAll(parser, source, options)
  const messageText = [refusal, rejects[0]?.message, ...notices.map(({ message }) => message)].join(' ')
  if (says) expect(messageText).toMatch(says)
  else expect([refusal, rejects.length, rows.length]).toEqual([null, 0, 1])
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1e6, 'seconds of the processor').toBeLessThan(5)
})

// In small chunks: joining a row for each of them would take a minute.
test.each<Pick<Bomb, 'parser' | 'options' | 'source'>>([
  { parser: 'ndjson', source: repeated('x', 8_000_000, '{"a":"', '"}') },
  { parser: 'json', options: { selector: '*' }, source: repeated('x', 8_000_000, '{"a":"', '"}') },
  { parser: 'geojson', source: repeated('x', 8_000_000, '{"type":"Feature","properties":{"a":"', '"}}') },
])('$parser: a row of 8 MB takes linear time', async ({ parser, source, options }) => {
  const before = process.cpuUsage()
  const { refusal, rejects } = await readAll(parser, source, options, { caps: { block: 4096 } })
  expect(refusal).toBeNull()
  expect(rejects).toHaveLength(1)
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1e6, 'seconds of the processor').toBeLessThan(3)
})
