import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { read } from 'vega'
import { expect, test } from 'vitest'
import { importFile } from './messy.testing.ts'
import { buildOds, odsRow, buildXlsx, type Cell } from '#functions/engine/import/parse/files.testing.ts'
import { toBytes, utf16, utf8 } from '#functions/engine/import/parse/reading.testing.ts'

/** The value of a cell: numbers as such, days as YYYY-MM-DD, null for none. */
type Value = string | number | null
interface Table {
  heads: string[]
  rows: Value[][]
}

/**
 * A real data set, in a file as public bodies publish theirs. The imported records must equal the table,
 * value by value.
 */
interface PublishedTable {
  as: string
  name: string
  table: Table
  bytes: Uint8Array
}

const root = fileURLToPath(new URL('../../../node_modules/vega-datasets/data/', import.meta.url))
const text = (name: string) => readFileSync(root + name, 'utf8')

/** Some columns of a CSV of vega-datasets, under their own heads. */
function csvTable(name: string, columns: string[], rows: number): Table {
  const data = read(text(name), { type: 'csv', parse: {} }) as Record<string, string>[]
  const value = (cell = ''): Value => (cell === '' ? null : Number.isNaN(Number(cell)) ? cell : Number(cell))
  return { heads: columns, rows: data.slice(0, rows).map((row) => columns.map((head) => value(row[head]))) }
}

/** Some columns of a JSON of vega-datasets. */
function jsonTable(name: string, columns: string[], rows: number): Table {
  const data = JSON.parse(text(name)) as Record<string, Value>[]
  return { heads: columns, rows: data.slice(0, rows).map((row) => columns.map((head) => row[head] ?? null)) }
}

const renameHeads = ({ rows }: Table, ...heads: string[]): Table => ({ heads, rows })
/** The values of a column as texts: films are called 1776. */
const asTexts = ({ heads, rows }: Table, column: number): Table => ({
  heads,
  rows: rows.map((row) => row.map((value, i) => (i === column && value !== null ? String(value) : value))),
})
const isDay = (value: Value): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)

/** A table as lines of text: each value as a language writes it. */
const lines = ({ heads, rows }: Table, separator: string, write: (value: Value) => string) =>
  [heads, ...rows.map((row) => row.map(write))].map((row) => row.join(separator)).join('\n')

const german = new Intl.NumberFormat('de-DE', { maximumFractionDigits: 10 })
/** 1.234,5 and 31.12.2024. */
function writeGerman(value: Value): string {
  if (typeof value === 'number') return german.format(value)
  return isDay(value) ? value.split('-').reverse().join('.') : (value ?? '')
}

const createDateFormatter = (locale: string) => {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
  return (value: Value) => (isDay(value) ? format.format(new Date(value)) : String(value ?? ''))
}
const sum = ({ rows }: Table, column: number) => rows.reduce((total, row) => total + Number(row[column]), 0)
const cells = ({ heads, rows }: Table): Cell[][] => [heads, ...rows]

const weather = csvTable('seattle-weather.csv', ['date', 'precipitation', 'temp_max', 'wind', 'weather'], 400)
const disasters = csvTable('disasters.csv', ['Entity', 'Year', 'Deaths'], 120)
const electricity = csvTable('iowa-electricity.csv', ['year', 'source', 'net_generation'], 51)
const carbon = csvTable('co2-concentration.csv', ['Date', 'CO2', 'adjusted CO2'], 300)
const strikes = csvTable(
  'birdstrikes.csv',
  ['Airport Name', 'Flight Date', 'Origin State', 'Wildlife Species', 'Cost Total $'],
  500,
)
const employment = csvTable('us-employment.csv', ['month', 'nonfarm', 'construction', 'information'], 120)
const films = asTexts(jsonTable('movies.json', ['Title', 'US Gross', 'Distributor', 'IMDB Rating'], 400), 0)
const incomes = csvTable('gapminder-health-income.csv', ['country', 'income', 'health', 'population'], 187)

/** Electricity of a year in a row, its sources side by side below one head. */
function pivotBySource(): { table: Table; sheet: (Cell[] | null)[] } {
  const sources = [...new Set(electricity.rows.map((row) => String(row[1])))]
  const years = [...new Set(electricity.rows.map((row) => String(row[0]).slice(0, 4)))]
  const findValue = (year: string, source: string) =>
    electricity.rows.find((row) => String(row[0]).startsWith(year) && row[1] === source)?.[2] ?? null
  const rows = years.map((year) => [Number(year), ...sources.map((source) => findValue(year, source))])
  const total = ['Total', ...sources.map((_, i) => rows.reduce((all, row) => all + Number(row[i + 1]), 0))]
  return {
    table: { heads: ['Year', ...sources.map((source) => `Generation ${source}`)], rows },
    sheet: [
      ['Net generation of electricity in Iowa, 2001 to 2017'],
      null,
      ['Year', 'Generation', ...sources.slice(1).map(() => null)],
      [null, ...sources],
      ...rows,
      total,
      ['Source: U.S. Energy Information Administration'],
    ],
  }
}

const electricityBySource = pivotBySource()

/** One row per measure and 199 days as columns, like spreadsheets of sensors. */
function wide(): Table {
  const days = weather.rows.slice(0, 199)
  const buildMeasureRow = (head: string, at: number): Value[] => [head, ...days.map((row) => row[at] ?? null)]
  return {
    heads: ['measure', ...days.map((row) => String(row[0]))],
    rows: [buildMeasureRow('precipitation', 1), buildMeasureRow('temp_max', 2), buildMeasureRow('wind', 3)],
  }
}

const wideTable = wide()
const german1252 = renameHeads(disasters, 'Ereignis', 'Jahr', 'Tote (Zahl der Fälle)')

const tables: PublishedTable[] = [
  {
    as: 'German numbers below a title, in windows-1252, with a sum and a source',
    name: 'table.csv',
    table: german1252,
    bytes: toBytes(
      `Naturkatastrophen weltweit;;\nStand: 31.12.2017;;\n\n${lines(german1252, ';', writeGerman)
        // Years have no thousands separators.
        .replace(
          /;(\d)\.(\d{3});/g,
          ';$1$2;',
        )}\nInsgesamt;;${writeGerman(sum(disasters, 2))}\nQuelle: Our World in Data;;\n`,
    ),
  },
  {
    as: 'a day as Germans write it, and numbers with a comma',
    name: 'table.csv',
    table: weather,
    bytes: utf8(lines(weather, ';', writeGerman)),
  },
  ...['de-DE', 'fr-FR', 'es-ES'].map((locale): PublishedTable => {
    const table = {
      heads: ['date', 'weather', 'wind'],
      rows: weather.rows.map((row) => [row[0]!, row[4]!, row[3]!]),
    }
    return {
      as: `days in words of ${locale}`,
      name: 'table.csv',
      table,
      bytes: utf8(lines(table, ',', createDateFormatter(locale))),
    }
  }),
  {
    as: 'French numbers between narrow blanks',
    name: 'table.csv',
    table: incomes,
    bytes: utf8(
      lines(incomes, ';', (value) =>
        typeof value === 'number'
          ? new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 10 }).format(value)
          : String(value ?? ''),
      ),
    ),
  },
  {
    as: 'UTF-16 and tabs, as Excel saves text',
    name: 'table.tsv',
    table: strikes,
    bytes: Uint8Array.from([
      0xff,
      0xfe,
      ...utf16(lines(strikes, '\t', (value) => String(value ?? '')).replaceAll('\n', '\r\n')),
    ]),
  },
  {
    as: 'heads in two rows below a title, with a sum and a source',
    name: 'book.xlsx',
    table: electricityBySource.table,
    bytes: buildXlsx({ Electricity: electricityBySource.sheet }),
  },
  {
    as: 'a workbook with a cover, units in heads and a footnote',
    name: 'book.xlsx',
    table: renameHeads(carbon, 'Month', 'CO2 (ppm)', 'adjusted CO2 (ppm)'),
    bytes: buildXlsx({
      Cover: [['Carbon dioxide at Mauna Loa'], ['Contact: the observatory']],
      Data: [
        ['Monthly means'],
        null,
        ...cells(renameHeads(carbon, 'Month', 'CO2 (ppm)', 'adjusted CO2 (ppm)')),
        ['* without months in which the instrument failed'],
      ],
    }),
  },
  {
    as: 'words among numbers for what is not known',
    name: 'book.xlsx',
    table: films,
    bytes: buildXlsx({
      // A dash may be the name of a distributor: only in a number column it means a missing value.
      Films: [
        films.heads,
        ...films.rows.map((row) => row.map((value, i) => value ?? [null, '-', null, 'N/A'][i]!)),
      ],
    }),
  },
  {
    as: 'two tables below each other in a sheet',
    name: 'book.xlsx',
    table: employment,
    bytes: buildXlsx({
      Both: [
        ...cells(employment),
        null,
        null,
        ['Entity', 'Year'],
        ...disasters.rows.slice(0, 8).map((row) => row.slice(0, 2)),
      ],
    }),
  },
  {
    as: '200 columns',
    name: 'table.csv',
    table: wideTable,
    bytes: utf8(lines(wideTable, ',', (value) => String(value ?? ''))),
  },
  {
    as: '65,000 empty rows below',
    name: 'table.csv',
    table: carbon,
    bytes: utf8(`${lines(carbon, ',', (value) => String(value ?? ''))}\n${',,\n'.repeat(65_000)}`),
  },
  {
    as: 'an OpenDocument sheet with a title, a sum and a source',
    name: 'book.ods',
    table: incomes,
    bytes: buildOds({
      Countries: [
        odsRow(['Health and income of nations']),
        odsRow(incomes.heads),
        ...incomes.rows.map((row) => odsRow(row.map((value) => value ?? ''))),
        odsRow(['Source: Gapminder']),
      ].join(''),
    }),
  },
]

test.each(tables)(
  'real data with $as are imported unchanged, value by value',
  async ({ name, bytes, table }) => {
    const { error, records, schema } = await importFile({ name, bytes })
    expect(error).toBeUndefined()
    const keys = Object.keys(schema)
    expect(keys).toHaveLength(table.heads.length)
    const values = records.map((record) => keys.map((key) => record[key] ?? null))
    expect(values).toEqual(table.rows)
  },
)
