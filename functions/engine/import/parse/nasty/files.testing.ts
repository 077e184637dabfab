import { utf16, toBytes } from '../reading.testing.ts'
import {
  buildDbf,
  buildOds,
  odsRow,
  buildPbf,
  buildShp,
  buildXlsx,
  buildZip,
  type Cell,
} from '../files.testing.ts'
import type { FaultyCase } from './case.testing.ts'

const page = '<!DOCTYPE html><html><body>Not found</body></html>'
const days = ['yyyy-mm-dd', 'd.m.yy h:mm', 'h:mm:ss', '[h]:mm', '0.00" days"', '[Red]#,##0']
const styled = (style: number, value: number): Cell => ({ xml: `<c s="${style}"><v>${value}</v></c>` })

const names = [
  { name: 'NAME', type: 'C', length: 8 },
  { name: 'N', type: 'N', length: 6 },
  { name: 'D', type: 'D', length: 8 },
  { name: 'L', type: 'L', length: 1 },
]
const degrees =
  'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["Degree",0.0174532925199433]]'
const points = [
  [1, 2],
  [3, 4],
  [5, 6],
].map((position) => ({ type: 1, parts: [[position]] }))
const layer = (rows: (string | Uint8Array)[][], more: Record<string, string | Uint8Array> = {}) =>
  buildZip({
    'a.shp': buildShp(points.slice(0, rows.length)),
    'a.dbf': buildDbf(names, rows),
    'a.prj': degrees,
    ...more,
  })
const fine = ['x', '1', '20240229', 'T']
const buildPointFeature = (n: number, NAME: string) => ({
  type: 'Feature',
  properties: { NAME, N: 1, D: '2024-02-29', L: true },
  geometry: { type: 'Point', coordinates: points[n]?.parts[0]?.[0] },
})

const header = buildPbf([[1, buildPbf([[1, '2.0']])]])
const entity = (id: string) => buildPbf([[2, buildPbf([[1, id]])]])

/** Workbooks, archives, shapefiles and feeds. */
export const fileCases: FaultyCase[] = [
  {
    is: 'an old workbook',
    parser: 'excel',
    source: toBytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'),
    good: [],
    refusal: /Legacy XLS files are not supported/,
  },
  {
    is: 'a workbook with a password',
    parser: 'excel',
    source: Uint8Array.from([...toBytes('\xd0\xcf\x11\xe0'), ...utf16('EncryptedPackage')]),
    good: [],
    refusal: /password/,
  },
  {
    is: 'a workbook of OpenDocument taken for one of Excel',
    parser: 'excel',
    source: buildOds({ A: odsRow(['a']) }),
    good: [],
    refusal: /OpenDocument sheet \(\.ods\)/,
  },
  {
    is: 'a workbook of Excel',
    parser: 'ods',
    source: buildXlsx({ A: [['a'], ['1']] }),
    good: [],
    refusal: /not a workbook of type \.ods but \.xlsx: choose Excel/,
  },
  {
    is: 'an old workbook',
    parser: 'ods',
    source: toBytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'),
    good: [],
    refusal: /Save as.*Excel Workbook \(\.xlsx\)/,
  },
  {
    is: 'an old workbook taken for CSV',
    parser: 'csv',
    source: toBytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'),
    good: [],
    refusal: /an old Office file, not CSV\. Legacy XLS.*Excel Workbook \(\.xlsx\)/,
  },
  {
    is: 'a workbook with a password',
    parser: 'ods',
    source: buildZip({ 'encrypted-package': 'x' }),
    good: [],
    refusal: /password/,
  },
  { is: 'a web page for a workbook', parser: 'ods', source: page, good: [], refusal: /web page/ },
  {
    is: 'a workbook that is damaged',
    parser: 'ods',
    source: buildOds({ A: `${odsRow(['a'])}${odsRow(['1'])}<table:table-row></wrong>` }),
    good: [],
    refusal: /damaged in content\.xml/,
  },
  {
    is: 'errors, a cell without its value, one beside the header, one that is too long',
    parser: 'ods',
    source: buildOds({
      A: [
        odsRow(['id', 'n']),
        odsRow([
          '1',
          '<table:table-cell office:value-type="string" calcext:value-type="error"><text:p>#DIV/0!</text:p></table:table-cell>',
        ]),
        odsRow(['2', '<table:table-cell office:value-type="float"/>']),
        odsRow(['3', 4, 'note']),
        odsRow(['4', 'x'.repeat(300 * 1024)]),
        odsRow(['5', 6]),
      ].join(''),
    }),
    good: [{ id: '5', n: 6 }],
    faults: [
      { row: 1, field: 'n', line: 2, says: /#DIV\/0!/ },
      { row: 2, field: 'n', line: 3, says: /has no value/ },
      { row: 3, field: 'C', line: 4, says: /C4 stands under no name/ },
      { row: 4, field: 'n', line: 5, says: /longer than 256 kB/ },
    ],
  },
  {
    is: 'rows and columns that one element stands for without an end',
    parser: 'ods',
    source: buildOds({
      A: `${odsRow(['a'])}${odsRow(['<table:table-cell table:number-columns-repeated="16384"/>'], 900_000)}${odsRow([1])}${odsRow([], 148_000)}`,
    }),
    good: [{ a: 1 }],
  },
  {
    is: 'a cell repeated over more columns than there may be',
    parser: 'ods',
    source: buildOds({
      A: odsRow([
        '<table:table-cell office:value-type="string" table:number-columns-repeated="16384"><text:p>a</text:p></table:table-cell>',
      ]),
    }),
    good: [],
    refusal: /more than 2000 columns/,
  },
  { is: 'a web page for a workbook', parser: 'excel', source: page, good: [], refusal: /web page/ },
  { is: 'no bytes for a workbook', parser: 'excel', source: '', good: [], refusal: /empty/ },
  {
    is: 'an archive that is no workbook',
    parser: 'excel',
    source: buildZip({ a: 'x' }),
    good: [],
    refusal: /not a workbook/,
  },
  {
    is: 'a workbook cut off',
    parser: 'excel',
    source: buildXlsx({ A: [['a'], ['1']] }).slice(0, -40),
    good: [],
    refusal: /cut off/,
  },
  {
    is: 'errors, and formulas without a value',
    parser: 'excel',
    source: buildXlsx({
      A: [
        ['id', 'n'],
        ['1', { xml: '<c t="e"><v>#N/A</v></c>' }],
        ['2', { xml: '<c><f>1/0</f></c>' }],
        ['3', { xml: '<c><f>1+1</f><v>2</v></c>' }],
      ],
    }),
    good: [{ id: '3', n: 2 }],
    faults: [
      { row: 1, field: 'n', line: 2, says: /#N\/A/ },
      { row: 2, field: 'n', line: 3, says: /no value that was kept/ },
    ],
  },
  {
    is: 'dates of many formats',
    parser: 'excel',
    source: buildXlsx(
      {
        A: [
          ['a'],
          ...[
            styled(1, 45351),
            styled(2, 45351.5625),
            styled(3, 0.5),
            styled(4, 1.5),
            styled(5, 3),
            styled(6, 45351),
            styled(1, 59),
            styled(1, 60),
            styled(1, 61),
          ].map((cell) => [cell]),
        ],
      },
      { formats: days },
    ),
    good: [
      '2024-02-29',
      '2024-02-29T13:30:00',
      '12:00:00',
      '36:00:00',
      3,
      45351,
      '1900-02-28',
      '1900-03-01',
    ].map((a) => ({ a })),
    faults: [{ row: 8, field: 'a', line: 9, says: /not a date/ }],
  },
  {
    is: 'dates counted from 1904',
    parser: 'excel',
    source: buildXlsx({ A: [['a'], [styled(1, 43889)]] }, { formats: days, is1904: true }),
    good: [{ a: '2024-02-29' }],
  },
  {
    is: 'blank rows above, a header in other columns, merged names, a note beside',
    parser: 'excel',
    source: buildXlsx({
      A: [null, [null, ' id ', 'wide', null], [null, '007', 1, true], null, [null, '008', 2, false, 'note']],
    }),
    good: [],
    faults: [
      { row: 1, field: 'D', line: 3 },
      { row: 2, field: 'D', line: 5 },
      { row: 2, field: 'E', line: 5, says: /E5 stands under no name/ },
    ],
  },
  {
    is: 'a header of two equal names and an empty one',
    parser: 'excel',
    source: buildXlsx({
      A: [
        ['a', 'a', null, 'b'],
        ['1', '2', '3', '4'],
      ],
    }),
    good: [{ a: '1', a_2: '2', column_3: '3', b: '4' }],
    notice: /Column 3 has no name/,
  },
  {
    is: 'shared texts with furigana',
    parser: 'excel',
    source: buildXlsx(
      { A: [['a'], [{ xml: '<c t="s"><v>0</v></c>' }]] },
      { strings: ['<r><t>東</t></r><r><t>京</t></r><rPh><t>とう</t></rPh>'] },
    ),
    good: [{ a: '東京' }],
  },
  {
    is: 'a shared text that is not there',
    parser: 'excel',
    source: buildXlsx({ A: [['a'], [{ xml: '<c t="s"><v>9</v></c>' }]] }),
    good: [],
    faults: [{ row: 1, field: 'a', line: 2, says: /not there/ }],
  },
  {
    is: 'a sheet that is not there',
    parser: 'excel',
    options: { selector: 'B' },
    source: buildXlsx({ A: [['a']] }),
    good: [],
    refusal: /no sheet "B": it has "A"/,
  },
  { is: 'a web page for an archive', parser: 'shp', source: page, good: [], refusal: /web page, not a zip/ },
  {
    is: 'cells of a table that are none',
    parser: 'shp',
    source: layer([fine, ['y', '******', '20240230', 'x'], fine]),
    good: [buildPointFeature(0, 'x'), buildPointFeature(2, 'x')],
    faults: [
      { row: 2, field: 'N', says: /no number/ },
      { row: 2, field: 'D', says: /no date/ },
      { row: 2, field: 'L', says: /no yes or no/ },
    ],
  },
  {
    is: 'a table in windows-1252 by its .cpg',
    parser: 'shp',
    source: layer([[toBytes('Caf\xe9'), ...fine.slice(1)]], { 'a.cpg': 'ANSI 1252' }),
    good: [buildPointFeature(0, 'Café')],
  },
  {
    is: 'a table without a word of its encoding',
    parser: 'shp',
    source: layer([[toBytes('Caf\xe9'), ...fine.slice(1)]]),
    good: [buildPointFeature(0, 'Café')],
    notice: /names no encoding and 0xE9/,
  },
  {
    is: 'a table said to be UTF-8 that is not',
    parser: 'shp',
    source: layer([[toBytes('Caf\xe9'), ...fine.slice(1)], fine], { 'a.cpg': 'UTF-8' }),
    good: [buildPointFeature(1, 'x')],
    faults: [{ row: 1, field: 'NAME', says: /0xE9/ }],
  },
  {
    is: 'a shapefile cut off',
    parser: 'shp',
    source: buildZip({
      'a.shp': buildShp(points).slice(0, -10),
      'a.dbf': buildDbf(names, [fine, fine, fine]),
      'a.prj': degrees,
    }),
    good: [buildPointFeature(0, 'x'), buildPointFeature(1, 'x')],
    refusal: /cut off in record 3/,
  },
  {
    is: 'a table shorter than its shapes',
    parser: 'shp',
    source: buildZip({ 'a.shp': buildShp(points), 'a.dbf': buildDbf(names, [fine, fine]), 'a.prj': degrees }),
    good: [buildPointFeature(0, 'x'), buildPointFeature(1, 'x')],
    refusal: /ends before record 3/,
  },
  {
    is: 'metres without a .prj',
    parser: 'shp',
    source: buildZip({ 'a.shp': buildShp(points, [5e5, 5e6, 6e5, 6e6]) }),
    good: [],
    refusal: /no \.prj.*not in degrees/,
  },
  {
    is: 'a .prj that is not understood',
    parser: 'shp',
    source: buildZip({ 'a.shp': buildShp(points), 'a.prj': 'LOCAL_CS["here"' }),
    good: [],
    refusal: /in here \(its \.prj\), which is not known here\. Save the file in longitude and latitude/,
  },
  {
    is: 'null shapes and an open ring',
    parser: 'shp',
    source: buildZip({
      'a.shp': buildShp([
        null,
        {
          type: 5,
          parts: [
            [
              [0, 0],
              [0, 1],
              [1, 1],
              [1, 0],
            ],
          ],
        },
      ]),
      'a.prj': degrees,
    }),
    good: [{ type: 'Feature', properties: {}, geometry: null }],
    faults: [{ row: 2, field: 'geometry', says: /not closed/ }],
  },
  {
    is: 'an archive without shapes',
    parser: 'shp',
    source: buildZip({ 'a.dbf': buildDbf(names, []) }),
    good: [],
    refusal: /no \.shp/,
  },
  {
    is: 'a timetable that is none',
    parser: 'gtfs',
    source: buildZip({ 'readme.txt': 'a\n' }),
    good: [],
    refusal: /not a timetable/,
  },
  {
    is: 'stops at no place and rows cut short',
    parser: 'gtfs',
    source: buildZip({ 'stops.txt': 'stop_id,stop_lat,stop_lon\n01,1,2\n02,x,2\n03,1\n' }),
    good: [{ type: 'stop', data: { stop_id: '01', stop_lat: 1, stop_lon: 2 } }],
    faults: [
      { row: 1, field: 'stop_lon', line: 4 },
      { row: 2, field: 'stop_lat', line: 3, says: /not a number/ },
    ],
  },
  {
    is: 'a feed that is a web page',
    parser: 'gtfsrt',
    source: page,
    good: [],
    refusal: /web page, not GTFS Realtime/,
  },
  { is: 'no bytes for a feed', parser: 'gtfsrt', source: '', good: [], refusal: /empty/ },
  {
    is: 'a feed cut off',
    parser: 'gtfsrt',
    source: Uint8Array.from([...header, ...entity('001'), ...entity('002').slice(0, -1)]),
    good: [{ id: '001' }],
    refusal: /cut off.*byte 14/,
  },
  {
    is: 'an entity without an id',
    parser: 'gtfsrt',
    source: Uint8Array.from([...header, ...buildPbf([[2, buildPbf([[2, 1]])]]), ...entity('2')]),
    good: [{ id: '2' }],
    faults: [{ row: 1, field: 'id' }],
  },
]
