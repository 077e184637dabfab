import type {
  AggregateFunction,
  AnswerRow,
  Output,
  OutputField,
  Visualization,
  VisualizationType,
} from '#functions/shapes/analytics.ts'
import type { ChartInput } from './frame.ts'

// Small answers for the tests of this room: the weather of Seattle and the world's disasters and incomes, from
// vega-datasets 3.2.1, cut down to a few rows a family.

const number = (name: string, type?: string, value?: string): OutputField => ({
  name,
  type: 'number',
  ...(type && value ? { measurement: { type, value } } : {}),
})
const text = (name: string): OutputField => ({ name, type: 'text' })
const date = (name: string, bucket: string): OutputField => ({
  name,
  type: 'date',
  measurement: { type: 'bucket', value: bucket },
})

/** An output description from its columns and groupings. */
export const buildOutput = (schema: Record<string, OutputField>, groupings: string[]): Output => ({
  schema,
  aggregations: Object.entries(schema).map(([alias, { name }]) => ({ alias, name })),
  groupings: groupings.map((alias) => ({ alias })),
  orderings: [],
})

/** The same answer with data coverage from one day to another. */
const withCoverage = (input: ChartInput, alias: string, from: string, to: string): ChartInput => ({
  ...input,
  output: { ...input.output, coverage: { alias, from, to, precision: 'day' } },
})

/** The same answer with an aggregate function. */
export const withFunction = (
  input: ChartInput,
  alias: string,
  of: AggregateFunction = 'count',
): ChartInput => ({
  ...input,
  output: {
    ...input.output,
    aggregations: input.output.aggregations.map((each) =>
      each.alias === alias ? { ...each, function: of } : each,
    ),
  },
})

const sample = (
  title: string,
  visualization: Visualization,
  schema: Record<string, OutputField>,
  groupings: string[],
  rows: AnswerRow[],
): ChartInput => ({
  title,
  visualization,
  output: buildOutput(schema, groupings),
  rows,
  locale: 'en-US',
  timeZone: 'America/Los_Angeles',
})

const table = (aliases: string, ...rows: unknown[][]): AnswerRow[] =>
  rows.map((row) => Object.fromEntries(aliases.split(' ').map((alias, at) => [alias, row[at]])))

const monthly = {
  month: date('Month', 'month'),
  t: number('Mean maximum temperature', 'temperature', 'celsius'),
}
const deaths = { year: date('Year', 'year'), kind: text('Disaster'), n: number('Deaths') }
const byYear = table(
  'year kind n',
  ['2015-01-01', 'Flood', 4002],
  ['2015-01-01', 'Earthquake', 9550],
  ['2015-01-01', 'Landslide', 1006],
  ['2016-01-01', 'Flood', 4713],
  ['2016-01-01', 'Earthquake', 1311],
  ['2016-01-01', 'Landslide', 361],
  ['2017-01-01', 'Flood', 648],
  ['2017-01-01', 'Earthquake', 49],
  ['2017-01-01', 'Landslide', 200],
)

/** Bird strikes of vega-datasets, which end in July. */
const strikes = (type: 'line' | 'bar') =>
  withCoverage(
    sample(
      'Wildlife strikes',
      { type },
      { year: date('Year', 'year'), n: number('Strikes') },
      ['year'],
      table('year n', ['1999-01-01', 941], ['2000-01-01', 1065], ['2001-01-01', 1095], ['2002-01-01', 627]),
    ),
    ...(['year', '1999-01-01', '2002-07-25'] as const),
  )

const wholeYears = ['year', '2015-01-01', '2017-12-31'] as const

/** One answer per kind of drawing. */
export const samples = {
  line: withCoverage(
    sample(
      'Seattle warms and cools',
      { type: 'line' },
      monthly,
      ['month'],
      [
        ...table(
          'month t',
          ['2012-01-01T08:00:00Z', 7.05],
          ['2012-02-01T08:00:00Z', 9.28],
          ['2012-03-01T08:00:00Z', 9.55],
          ['2012-04-01T07:00:00Z', 14.87],
        ),
      ],
    ),
    ...(['month', '2012-01-01', '2012-04-30'] as const),
  ),
  series: withCoverage(
    sample('Deaths by kind', { type: 'line' }, deaths, ['year', 'kind'], byYear),
    ...wholeYears,
  ),
  area: withCoverage(
    sample('Deaths, stacked', { type: 'area' }, deaths, ['year', 'kind'], byYear),
    ...wholeYears,
  ),
  partialLine: strikes('line'),
  partialColumns: strikes('bar'),
  partialArea: withCoverage(
    sample('Deaths, stacked', { type: 'area' }, deaths, ['year', 'kind'], byYear),
    ...(['year', '2015-01-01', '2017-06-30'] as const),
  ),
  rows: sample(
    'Droughts killed most',
    { type: 'bar' },
    { kind: text('Disaster'), n: number('Deaths since 1900') },
    ['kind'],
    table(
      'kind n',
      ['Earthquake', 2576801],
      ['Drought', 11731294],
      ['Flood', 6954992],
      ['Epidemic', 9596463],
      ['Extreme weather', 1396601],
      ['Extreme temperature', 182604],
      ['Volcanic activity', 96366],
      ['Landslide', 63068],
      ['Mass movement (dry)', 5030],
    ),
  ),
  columns: sample(
    'Weather of Seattle',
    { type: 'bar' },
    { kind: text('Weather'), n: number('Days') },
    ['kind'],
    table('kind n', ['drizzle', 53], ['rain', 641], ['sun', 640], ['snow', 26], ['fog', 101]),
  ),
  pie: sample(
    'Weather of Seattle',
    { type: 'pie' },
    { kind: text('Weather'), n: number('Days') },
    ['kind'],
    table('kind n', ['drizzle', 53], ['rain', 641], ['sun', 640], ['snow', 26], ['fog', 101]),
  ),
  histogram: sample(
    'Most days are mild',
    { type: 'histogram' },
    { t: number('Maximum temperature', 'temperature', 'celsius') },
    [],
    table(
      't',
      [12.8],
      [10.6],
      [11.7],
      [12.2],
      [8.9],
      [4.4],
      [7.2],
      [10],
      [9.4],
      [6.1],
      [6.1],
      [6.1],
      [5],
      [4.4],
    ),
  ),
  scatter: sample(
    'Richer is healthier',
    {
      type: 'scatter',
      settings: { x: 'income', y: 'health', size: 'people', color: 'region', label: 'country' },
    },
    {
      country: text('Country'),
      region: text('Region'),
      income: number('Income', 'currency', 'usd'),
      health: number('Life expectancy'),
      people: number('Population'),
    },
    [],
    table(
      'country region income health people',
      ['Afghanistan', 'South Asia', 1925, 57.63, 32526562],
      ['Albania', 'Europe', 10620, 76, 2896679],
      ['Algeria', 'Africa', 13434, 76.5, 39666519],
      ['Andorra', 'Europe', 46577, 84.1, 70473],
      ['Angola', 'Africa', 7615, 61, 25021974],
    ),
  ),
  heatmap: sample(
    'Warm afternoons',
    { type: 'heatmap' },
    {
      month: number('Month', 'datePart', 'month'),
      hour: number('Hour', 'datePart', 'hourOfDay'),
      t: number('Normal temperature', 'temperature', 'celsius'),
    },
    ['month', 'hour'],
    table(
      'month hour t',
      [1, 4, 4.1],
      [1, 16, 7.2],
      [7, 4, 15.1],
      [7, 16, 24.3],
      [10, 4, 9.8],
      [10, 16, 14.9],
    ),
  ),
} satisfies Record<string, ChartInput>

const calls = {
  type: text('Type'),
  calls: number('Calls'),
  wait: number('Mean wait', 'duration', 'millisecond'),
}
const callRows = table(
  'type calls wait',
  ['Fire', 12, 4_500_000],
  ['Medical', 40, 10_800_000],
  ['Theft', 7, null],
)
const kinds = ['type']

/** Answers of charts without axes. */
export const plainSamples = {
  number: sample('Calls', { type: 'number' }, { calls: number('Calls') }, [], table('calls', [12345])),
  table: sample('Calls by type', { type: 'table' }, calls, kinds, callRows),
  text: sample('Calls in words', { type: 'text' }, calls, kinds, callRows),
  points: sample(
    'Where it rings',
    { type: 'map', settings: { geometry: 'at', label: 'type', size: 'calls' } },
    { at: { name: 'Place', type: 'point' }, type: text('Type'), calls: number('Calls') },
    ['at', 'type'],
    [
      { at: { type: 'Point', coordinates: [-122.33, 47.6] }, type: 'Fire', calls: 3 },
      { at: { type: 'Point', coordinates: [-73.9, 40.7] }, type: 'Theft', calls: 1 },
      { at: null, type: 'Theft', calls: 1 },
    ],
  ),
  regions: {
    ...sample(
      'Calls by state',
      { type: 'map', settings: { region: 'state', color: 'calls', boundarySetId: 'us-states' } },
      { state: text('State'), calls: number('Calls') },
      ['state'],
      table('state calls', ['Washington', 3], ['New York', 1], ['Atlantis', 9]),
    ),
    regions: {
      keys: ['us-wa', 'us-ny', null],
      classes: [
        { label: '1', from: 1, fill: 'var(--seq-1)' },
        { label: '3', from: 3, fill: 'var(--seq-7)' },
      ],
      missing: 49,
    },
  },
} satisfies Record<string, ChartInput>

/** An answer for each chart type. */
export const sampleOfType = {
  number: plainSamples.number,
  line: samples.line,
  bar: samples.rows,
  area: samples.area,
  pie: samples.pie,
  scatter: samples.scatter,
  heatmap: samples.heatmap,
  histogram: samples.histogram,
  table: plainSamples.table,
  map: plainSamples.regions,
  text: plainSamples.text,
} satisfies Record<VisualizationType, ChartInput>
