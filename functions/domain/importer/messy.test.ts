import { zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { importFile } from './messy.testing.ts'
import {
  hideSheet,
  lockedBook,
  buildOds,
  odsRow,
  xlsBook,
  buildXlsx,
  type Cell,
} from '#functions/engine/import/parse/files.testing.ts'
import { toBytes, utf16, utf8 } from '#functions/engine/import/parse/reading.testing.ts'

/** A file as a public body publishes it, and what its records are. */
interface MessyFile {
  has: string
  name: string
  bytes: Uint8Array
  /** The first record and the last one. */
  first?: Record<string, unknown>
  last?: Record<string, unknown>
  records?: number
  /** Titles and units of fields. */
  fields?: Record<string, object>
  /** The number of rows that a run reports as left out. */
  leftOut?: number
  selector?: string
  /** What a run says besides. */
  says?: string
  /** How it is refused. */
  refusal?: string
}

const sheet = (rows: (string | number)[][]) => rows.map((row) => odsRow(row)).join('')
const buildHiddenSheet = (name: string, rows: string) => ({ [name]: rows })
/** Twenty Japanese cities with people and households, their sum, and that the figures are provisional. */
const shiftJis =
  '\x8es\x92\xac\x91\xba,\x90l\x8c\xfb,\x90\xa2\x91\xd1\x90\x94\n\x8eD\x96y\x8es,1000,400\n\x90\xc2\x90X\x8es,2000,800\n\x90\xb7\x89\xaa\x8es,3000,1200\n\x90\xe5\x91\xe4\x8es,4000,1600\n\x8fH\x93c\x8es,5000,2000\n\x8eR\x8c`\x8es,6000,2400\n\x95\x9f\x93\x87\x8es,7000,2800\n\x90\x85\x8c\xcb\x8es,8000,3200\n\x89F\x93s\x8b{\x8es,9000,3600\n\x91O\x8b\xb4\x8es,10000,4000\n\x82\xb3\x82\xa2\x82\xbd\x82\xdc\x8es,11000,4400\n\x90\xe7\x97t\x8es,12000,4800\n\x89\xa1\x95l\x8es,13000,5200\n\x90V\x8a\x83\x8es,14000,5600\n\x95x\x8eR\x8es,15000,6000\n\x8b\xe0\x91\xf2\x8es,16000,6400\n\x95\x9f\x88\xe4\x8es,17000,6800\n\x8db\x95{\x8es,18000,7200\n\x92\xb7\x96\xec\x8es,19000,7600\n\x8a\xf2\x95\x8c\x8es,20000,8000\n\x8d\x87\x8cv,210000,84000\n\x92\x8d\x81j\x91\xac\x95\xf1\x92l\x82\xc5\x82\xa0\x82\xe9\x81B,,\n'

/** A workbook whose second sheet has the data, after a cover sheet and before a hidden list. */
function buildBookWithCover(): Uint8Array {
  const book = buildXlsx({
    Cover: [['Statistics of the region'], ['Contact: office@example.org']],
    Data: [
      ['Place', 'Visitors'],
      ['A', 3],
      ['B', 4],
      ['C', 6],
    ],
    Lists: [
      ['code', 'n'],
      ['x', 1],
      ['y', 2],
      ['z', 3],
    ],
  })
  return hideSheet(book, 'Lists')
}

const files: MessyFile[] = [
  {
    has: 'a title, German numbers and units, windows-1252, a total and a source',
    name: 'table.csv',
    bytes: toBytes(
      'Gebiet und Bev\xf6lkerung;;;\nStand: 31.12.2024;;;\n\nGemeinde;Einwohner;Fl\xe4che in km\xb2;Stichtag\n' +
        'M\xfcllheim;1.234;12,50;31.12.2024\nKirchdorf;2.500;7,25;31.12.2024\nAu;17.000;20,00;31.12.2024\n' +
        'Insgesamt;20.734;39,75;\nQuelle: Statistisches Amt;;;\n',
    ),
    records: 3,
    first: { gemeinde: 'Müllheim', einwohner: 1234, flacheInKm2: 12.5, stichtag: '2024-12-31' },
    fields: { flacheInKm2: { name: 'Fläche in km²', measurement: { type: 'area' } } },
    leftOut: 2,
  },
  {
    has: 'heads of merged cells, and footnotes',
    name: 'book.xlsx',
    bytes: buildXlsx({
      Births: [
        ['Births and deaths'],
        null,
        ['Region', '2022', null, '2023', null],
        [null, 'Births', 'Deaths', 'Births', 'Deaths'],
        ['North', 11, 12, 13, 14],
        ['South', 21, 22, 23, 24],
        ['West', 31, 32, 33, 34],
        ['Total', 63, 66, 69, 72],
        ['* without hospitals'],
        ['Source: registers of the districts, provisional'],
      ],
    }),
    records: 3,
    last: { region: 'West', '2022Births': 31, '2022Deaths': 32, '2023Births': 33, '2023Deaths': 34 },
    leftOut: 3,
  },
  {
    has: 'words among numbers',
    name: 'book.xlsx',
    bytes: buildXlsx({
      S: [
        ['Station', 'Nitrate (mg/l)'],
        ...Array.from({ length: 20 }, (_, i): Cell[] => [
          `S${i}`,
          i === 7 ? 'n/a' : i === 9 ? '..' : i + 0.5,
        ]),
      ],
    }),
    records: 20,
    first: { station: 'S0', nitrateMgL: 0.5 },
    fields: { nitrateMgL: { name: 'Nitrate (mg/l)', type: 'number', unit: 'mg/l' } },
  },
  {
    has: 'two tables in a sheet',
    name: 'book.xlsx',
    bytes: buildXlsx({
      Both: [
        ['City', 'People', 'Area'],
        ['A', 1, 2],
        ['B', 3, 4],
        ['C', 5, 7],
        ['D', 6, 9],
        null,
        ['Year', 'Trips'],
        ['2020', 10],
        ['2021', 12],
        ['2022', 13],
      ],
    }),
    selector: 'Both!A1:C',
    records: 4,
    last: { city: 'D', people: 6, area: 9 },
  },
  ...(
    [
      ['German', ['3. März 2024', '14. Oktober 2023', '1. Mai 2022']],
      ['French', ['3 mars 2024', '14 octobre 2023', '1er mai 2022']],
      ['Spanish', ['3 de marzo de 2024', '14 de octubre de 2023', '1 de mayo de 2022']],
    ] as const
  ).map(([language, days]): MessyFile => ({
    has: `dates in ${language}`,
    name: 'table.csv',
    bytes: utf8(`what,day,n\n${days.map((day, i) => `x${i},${day},${i}`).join('\n')}\n`),
    records: 3,
    first: { what: 'x0', day: '2024-03-03', n: 0 },
    last: { what: 'x2', day: '2022-05-01', n: 2 },
  })),
  {
    has: 'French numbers between narrow blanks, and their sum',
    name: 'table.csv',
    bytes: utf8(
      'Commune;Population;Part\nBrest;139 456;50,5\nLyon;522 250;30,5\nNice;348 085;19,0\nEnsemble;1 009 791;100,0\nSource : Insee, recensement;;\n',
    ),
    records: 3,
    first: { commune: 'Brest', population: 139456, part: 50.5 },
    leftOut: 2,
  },
  {
    has: 'UTF-16 and tabs, as Excel saves text',
    name: 'table.tsv',
    bytes: Uint8Array.from([0xff, 0xfe, ...utf16('Straße\tZahl\r\nMühlweg\t1\r\nŁódź\t2\r\nŻary\t4\r\n')]),
    records: 3,
    last: { strasse: 'Żary', zahl: 4 },
  },
  {
    has: 'Shift-JIS with a sum and a note',
    name: 'table.csv',
    bytes: toBytes(shiftJis),
    records: 20,
    leftOut: 2,
  },
  {
    has: 'a cover in front and a hidden sheet behind',
    name: 'book.xlsx',
    bytes: buildBookWithCover(),
    selector: 'Data',
    records: 3,
    last: { place: 'C', visitors: 6 },
  },
  {
    has: '200 columns',
    name: 'table.csv',
    bytes: utf8(
      `${Array.from({ length: 200 }, (_, i) => `c${i}`).join()}\n${Array.from({ length: 5 }, (_, r) => Array.from({ length: 200 }, (__, i) => r * 1000 + i).join()).join('\n')}\n`,
    ),
    records: 5,
  },
  {
    has: '65,000 empty rows below',
    name: 'table.csv',
    bytes: utf8(`a,b,c\nx,1,2\ny,3,4\nz,5,7\n${',,\n'.repeat(65_000)}`),
    last: { a: 'z', b: 5, c: 7 },
    records: 3,
  },
  {
    has: '65,000 rows below that are only coloured, and columns beside without a word',
    name: 'book.xlsx',
    bytes: buildXlsx({
      S: [
        ['Licences by ward'],
        ['Ward', 'Licences', null, null],
        ['North', 12, { xml: '<c s="0"/>' }],
        ['South', 15, { xml: '<c s="0"/>' }],
        ['West', 19, { xml: '<c s="0"/>' }],
        ...Array.from({ length: 65_000 }, (): Cell[] => [{ xml: '<c s="0"/>' }, { xml: '<c s="0"/>' }]),
      ],
    }),
    records: 3,
    first: { ward: 'North', licences: 12 },
    last: { ward: 'West', licences: 19 },
  },
  {
    has: 'a title and a total in an OpenDocument sheet, behind a hidden one',
    name: 'book.ods',
    bytes: buildOds(
      {
        ...buildHiddenSheet(
          'Codes',
          sheet([
            ['code', 'n'],
            ['x', 1],
            ['y', 2],
            ['z', 3],
          ]),
        ),
        Dati: sheet([
          ['Turismo'],
          ['Comune', 'Arrivi'],
          ['Asti', 5],
          ['Bari', 6],
          ['Como', 8],
          ['Totale', 19],
          ['Fonte: Regione'],
        ]),
      },
      { hidden: ['Codes'] },
    ),
    selector: 'Dati',
    records: 3,
    first: { comune: 'Asti', arrivi: 5 },
    leftOut: 2,
  },
  {
    has: 'a workbook with programs (.xlsm)',
    name: 'book.xlsm',
    bytes: buildBookWithCover(),
    selector: 'Data',
    records: 3,
    last: { place: 'C', visitors: 6 },
  },
  {
    has: 'a table with a title in a zip archive, beside what systems and offices add',
    name: 'areas.zip',
    bytes: zipSync({
      'areas/': new Uint8Array(),
      'areas/areas.csv': utf8('Areas of the city;\n;\nQuarter;Area (km²)\nNorth;7,5\nSouth;4,5\nEast;1,25\n'),
      'areas/notes.pdf': utf8('%PDF-1.7'),
      '__MACOSX/areas/._areas.csv': utf8('x'),
    }),
    records: 3,
    first: { quarter: 'North', areaKm2: 7.5 },
  },
  {
    has: 'a nested list of JSON in a zip archive',
    name: 'feed.zip',
    bytes: zipSync({ 'feed.json': utf8('{"links":[{"a":1}],"data":{"rows":[{"n":1},{"n":2},{"n":3}]}}') }),
    selector: 'data.rows.*',
    records: 3,
    last: { n: 3 },
  },
  {
    has: 'a workbook in a zip archive',
    name: 'book.zip',
    bytes: zipSync({ 'book.xlsx': buildBookWithCover() }),
    selector: 'Data',
    records: 3,
  },
  {
    has: 'a workbook under the name of another kind of file',
    name: 'book.csv',
    bytes: buildBookWithCover(),
    selector: 'Data',
    records: 3,
  },
  {
    has: 'two tables in a zip archive, which become one',
    name: 'years.zip',
    bytes: zipSync({ '2023.csv': utf8('a,b\nx,1\ny,2\n'), '2024.csv': utf8('a,b\nz,3\nw,4\n') }),
    records: 4,
    says: 'The archive has 2 files of type CSV, read one after another: 2023.csv, 2024.csv.',
  },
  {
    has: 'nothing but a picture and a layer in a zip archive',
    name: 'layer.zip',
    bytes: zipSync({ 'map.png': utf8('x'), 'layer.gpkg': utf8('y') }),
    refusal: 'it has map.png, layer.gpkg. Unpack it and choose layer.gpkg itself.',
  },
  {
    has: 'a password',
    name: 'book.xlsx',
    bytes: lockedBook(),
    refusal: 'The workbook is protected by a password: save it without one.',
  },
  {
    has: 'the format of old Excel',
    name: 'book.xlsx',
    bytes: xlsBook(),
    refusal: 'To make one, open it in Excel or LibreOffice',
  },
]

describe('a messy file', () => {
  test.each(files)('with $has is read correctly, or says what to do', async (file) => {
    const { error, at, records, notices, schema } = await importFile(file)
    if (file.refusal) return expect(error).toContain(file.refusal)
    expect(error).toBeUndefined()
    if (file.selector) expect(at.selector).toBe(file.selector)
    expect(records).toHaveLength(file.records ?? 0)
    if (file.first) expect(records[0]).toMatchObject(file.first)
    if (file.last) expect(records.at(-1)).toMatchObject(file.last)
    if (file.fields) expect(schema).toMatchObject(file.fields)
    if (file.says) expect(notices.join('\n')).toContain(file.says)
    const notice = notices.find((message) => message.includes('left out, as was chosen'))
    expect(notice?.split(' ')[0]).toBe(file.leftOut === undefined ? undefined : String(file.leftOut))
  })
})
