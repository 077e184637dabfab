import { hideSheet, buildXlsx, type Cell } from '#functions/engine/import/parse/files.testing.ts'
import { csv, json } from '../seed/readers.ts'

// Data of public bodies, from the package vega-datasets, in files as people bring them in.

interface Earthquakes {
  features: {
    id: string
    properties: { mag: number; place: string; time: number }
    geometry: { coordinates: number[] }
  }[]
}

/** Earthquakes of the United States Geological Survey as CSV, the newest first: id, place, magnitude, time, position. */
export function earthquakesCsv(count: number): string {
  const { features } = json<Earthquakes>('earthquakes.json')
  const rows = features.slice(0, count).map(({ id, properties: { mag, place, time }, geometry }) => {
    const [longitude = 0, latitude = 0] = geometry.coordinates
    return [id, `"${place}"`, mag, new Date(time).toISOString(), longitude, latitude].join(',')
  })
  return ['earthquake,place,magnitude,time,longitude,latitude', ...rows].join('\n')
}

/** The first days of Seattle's weather of NOAA as CSV. */
export function weatherCsv(days: number): string {
  const rows = csv('seattle-weather.csv').slice(0, days)
  return [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))]
    .map((row) => row.join(','))
    .join('\n')
}

/**
 * Iowa's electricity of the Energy Information Administration, as an office publishes it: with a cover sheet, a title,
 * a header of merged cells, a total and two notes.
 */
export function iowaWorkbook(): Uint8Array {
  const rows = csv('iowa-electricity.csv')
  const getGeneration = (year: number, source: string) =>
    Number(rows.find((row) => row.year?.startsWith(`${year}-`) && row.source === source)?.net_generation)
  const sources = ['Fossil Fuels', 'Nuclear Energy', 'Renewables']
  const years = Array.from({ length: 17 }, (_, i) => 2001 + i)
  const sumGeneration = (source: string) => years.reduce((sum, year) => sum + getGeneration(year, source), 0)
  return buildXlsx({
    About: [['Energy statistics'], ['Contact: office@example.org']],
    Generation: [
      ['Net generation of electricity in Iowa'],
      null,
      ['Year', 'Generation', null, null],
      [null, ...sources],
      ...years.map((year) => [year, ...sources.map((source) => getGeneration(year, source))]),
      ['Total', ...sources.map(sumGeneration)],
      ['* without small plants'],
      ['Source: U.S. Energy Information Administration'],
    ],
  })
}

/** The rows of a table of vega-datasets as cells, below the names of its columns. */
function buildSheet(name: string, columns: string[], count: number): Cell[][] {
  const rows = csv(name).slice(0, count)
  const cell = (text = ''): Cell => (text === '' || Number.isNaN(Number(text)) ? text || null : Number(text))
  return [columns, ...rows.map((row) => columns.map((column) => cell(row[column])))]
}

/** Employment in the United States of the Bureau of Labor Statistics, and below it, in the same sheet, deaths by disasters. */
export const buildTwoTablesWorkbook = (): Uint8Array =>
  buildXlsx({
    Both: [
      ...buildSheet('us-employment.csv', ['month', 'nonfarm', 'construction', 'information'], 120),
      null,
      null,
      ...buildSheet('disasters.csv', ['Entity', 'Year', 'Deaths'], 60),
    ],
  })

/** Countries' incomes of Gapminder behind a hidden sheet of lists, before another one of notes. */
export const buildHiddenSheetsWorkbook = (): Uint8Array =>
  hideSheet(
    hideSheet(
      buildXlsx({
        Lists: buildSheet('disasters.csv', ['Entity', 'Year', 'Deaths'], 300),
        Countries: buildSheet('gapminder-health-income.csv', ['country', 'income', 'population'], 187),
        Notes: [['Checked by the office'], ['Not for others']],
      }),
      'Lists',
    ),
    'Notes',
  )

/** Carbon dioxide at Mauna Loa of NOAA, below it 65,000 rows whose cells are only coloured. */
export const emptyRowsWorkbook = (): Uint8Array => {
  const styledCell: Cell = { xml: '<c s="0"/>' }
  return buildXlsx({
    Data: [
      ...buildSheet('co2-concentration.csv', ['Date', 'CO2', 'adjusted CO2'], 300),
      ...Array.from({ length: 65_000 }, () => [styledCell, styledCell, styledCell]),
    ],
  })
}

/** The sum of a column in the first rows of a table of vega-datasets. */
export const sumColumn = (name: string, column: string, count: number): number =>
  csv(name)
    .slice(0, count)
    .reduce((sum, row) => sum + Number(row[column]), 0)
