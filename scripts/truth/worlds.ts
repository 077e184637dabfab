import type { VisualizationType } from '#functions/shapes/analytics.ts'
import { Random } from '#functions/engine/query/differential/random.testing.ts'
import { toWallClock } from './oracle-clock.ts'
import type { Expression, FileFields, Question } from './oracle.ts'

/*
 * Generates small source files with everything that makes figures hard to state correctly, and questions
 * about them. The same seed gives the same worlds.
 */

/** The visualization of an answer, as in an insight. */
interface VisualizationSpec {
  type: VisualizationType
  settings?: Record<string, string>
}

export interface FigureQuery {
  title: string
  question: Question
  visualization: VisualizationSpec
}

export interface World {
  seed: number
  /** The difficulty of the world, for reading findings. */
  is: string
  zone: string
  fields: FileFields
  /** The precision of the calendar dates in the file. */
  precision: 'day' | 'month' | 'year'
  /** The file as uploaded, with its header. */
  csv: string
  figures: FigureQuery[]
}

const zones = [
  'Pacific/Auckland',
  'Pacific/Honolulu',
  'America/New_York',
  'America/Los_Angeles',
  'America/St_Johns',
  'America/Sao_Paulo',
  'America/Havana',
  'Europe/Paris',
  'Asia/Beirut',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'UTC',
]

const day = 86_400_000
const hour = 3_600_000

/** The period that a file covers. */
interface Span {
  is: string
  /** Buckets that are meaningful for it. */
  buckets: string[]
  /** Generates the moments of so many records. */
  moments(random: Random, rows: number, zone: string): number[]
}

const evenly = (from: number, to: number, rows: number) =>
  Array.from({ length: rows }, (_, i) => Math.round(from + ((to - from) * i) / Math.max(1, rows - 1)))
const scattered = (random: Random, from: number, to: number, rows: number) =>
  Array.from({ length: rows }, () => from + Math.floor(random.unit() * (to - from)))

/** Days on which clocks of some zones change; records fall into the two hours around midnight and the change. */
const changes = [
  '2021-03-14',
  '2021-11-07',
  '2021-03-28',
  '2021-10-31',
  '2021-04-04',
  '2021-09-26',
  '2018-11-04',
]

const spans: Span[] = [
  {
    is: 'many years, cut in the middle of the last one',
    buckets: ['year', 'decade', 'quarter'],
    moments: (random, rows) =>
      scattered(
        random,
        Date.UTC(1990 + random.below(20), 0, 1, 12),
        Date.UTC(2019, random.below(12), 20),
        rows,
      ),
  },
  {
    is: 'four years of seasons',
    buckets: ['month', 'quarter', 'week'],
    moments: (_, rows) => evenly(Date.UTC(2012, 0, 1, 12), Date.UTC(2015, 11, 31, 12), rows),
  },
  {
    is: 'two years and some months that are not whole',
    buckets: ['month', 'year', 'quarter'],
    moments: (random, rows) => {
      const from = Date.UTC(2019, random.below(12), 2 + random.below(26), 5)
      return scattered(random, from, from + (500 + random.below(500)) * day, rows)
    },
  },
  {
    is: 'days on which clocks change',
    buckets: ['hour', 'day'],
    moments: (random, rows) => {
      const from = Date.parse(`${random.pick(changes)}T00:00:00Z`) - day
      return scattered(random, from, from + 3 * day, rows)
    },
  },
  {
    is: 'some weeks',
    buckets: ['day', 'week', 'month'],
    moments: (random, rows) => {
      const from = Date.UTC(2020, 1, 10 + random.below(20), 3)
      return scattered(random, from, from + (20 + random.below(50)) * day, rows)
    },
  },
  {
    is: 'one day',
    buckets: ['hour', 'day', 'year'],
    moments: (random, rows) =>
      scattered(random, Date.UTC(2020, 1, 29), Date.UTC(2020, 1, 29) + 20 * hour, rows),
  },
]

const words = [
  ...[
    'Oak',
    'Elm',
    'Ash',
    'Maple',
    'Birch',
    'Cedar',
    'Hazel',
    'Linden',
    'Poplar',
    'Rowan',
    'Spruce',
    'Willow',
  ],
  ...[
    'Alder',
    'Beech',
    'Cherry',
    'Dogwood',
    'Fir',
    'Ginkgo',
    'Hemlock',
    'Juniper',
    'Katsura',
    'Larch',
    'Medlar',
  ],
]
const kinds: Record<string, readonly string[]> = {
  few: words.slice(0, 4),
  one: ['Oak'],
  states: ['AK', 'AL', 'CA', 'FL', 'NY', 'TX', 'WA', 'WI', 'PR'],
  codes: ['01', '02', '007', '12', '99', 'A-1', 'A-2', 'B-10'],
  odd: ['Straße', 'Ångström, "north"', '東京', 'مدينة', 'O’Hara', 'Two\nlines', '50% more', 'Été'],
  numbered: Array.from({ length: 30 }, (_, i) => `District ${i + 1}`),
  many: words.flatMap((word) => ['North', 'South'].map((side) => `${side} ${word}`)),
  years: ['2012', '2013', '2014', '1999'],
}

/** Generators of amounts, by their character. */
const amounts: Record<string, (random: Random) => number> = {
  'small whole numbers, often the same': (random) => random.below(6),
  decimals: (random) => Math.round(random.unit() * 10_000) / 100,
  'around zero': (random) => Math.round((random.unit() - 0.5) * 2000) / 10,
  negative: (random) => -random.below(500) - 1,
  huge: (random) => random.below(1000) * 1e12 + random.below(1000),
  tiny: (random) => random.below(1000) / 1e7,
  'all the same': () => 7,
  thousands: (random) => random.below(9000) * 1000,
  thirds: (random) => random.below(100) / 3,
}

const cell = (value: string) => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)

/** Formats an instant as files do: in UTC, or with the offset of the zone. */
function formatMoment(at: number, zone: string, isLocal: boolean): string {
  if (!isLocal) return new Date(at).toISOString()
  const wall = toWallClock(at, zone)
  const offset = Math.round((Date.parse(`${wall}Z`) - Math.floor(at / 1000) * 1000) / 60_000)
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60]
  const padTwoDigits = (n: number) => String(n).padStart(2, '0')
  return `${wall}${offset < 0 ? '-' : '+'}${padTwoDigits(hours)}:${padTwoDigits(minutes)}`
}

const fields: FileFields = {
  id: { name: 'Code', kind: 'text' },
  at: { name: 'Seen', kind: 'instant' },
  day: { name: 'Day', kind: 'calendar' },
  kind: { name: 'Kind', kind: 'text' },
  amount: { name: 'Amount', kind: 'number' },
  warmth: { name: 'Warmth', kind: 'number' },
  rating: { name: 'Rating', kind: 'number' },
}

const lengths = { day: 10, month: 7, year: 4 } as const

/** Generates the world of a seed, with so many figures. */
export function generateWorld(seed: number, figures: number): World {
  const random = new Random(seed * 2_654_435_761)
  const zone = zones[seed % zones.length] ?? 'UTC'
  const span = random.pick(spans)
  const kindsName = random.pick(Object.keys(kinds))
  const amountsName = random.pick(Object.keys(amounts))
  const size = random.pick([0, 1, 2, 12, 60, 60, 200, 200, 200, 400])
  const nulls = random.pick([0, 0, 0.1, 0.6])
  const precision = span.buckets.includes('decade')
    ? random.pick(['day', 'year'] as const)
    : random.pick(['day', 'day', 'month'] as const)
  const isLocal = random.chance(0.5)
  const withNull = (value: string, chance = nulls) => (random.chance(chance) ? '' : value)
  const rows = span.moments(random, size, zone).map((at, i) => {
    const instant = Math.floor(at / 1000) * 1000
    const wall = toWallClock(instant, zone)
    const season = Math.cos(((Number(wall.slice(5, 7)) - 1) / 12) * 2 * Math.PI)
    const names = kinds[kindsName] ?? []
    // Some kinds are much more frequent than others.
    const kind = names[Math.min(random.below(names.length), random.below(names.length))] ?? ''
    return [
      `r${i + 1}`,
      withNull(formatMoment(instant, zone, isLocal), nulls / 4),
      wall.slice(0, lengths[precision]),
      withNull(kind, nulls / 2),
      withNull(String(amounts[amountsName]?.(random) ?? 0)),
      withNull((15 - 10 * season + random.below(40) / 10).toFixed(1)),
      String(1 + random.below(5)),
    ]
  })
  const csv = [Object.keys(fields), ...rows].map((row) => `${row.map(cell).join(',')}\n`).join('')
  const is = `${span.is}; kinds: ${kindsName}; amounts: ${amountsName}; ${size} rows; dates by ${precision}`
  const buckets = span.buckets.filter(
    (bucket) => precision !== 'year' || bucket === 'year' || bucket === 'decade',
  )
  const world = {
    ...{ zone, random, buckets, precision, rows },
    instants: span.buckets,
    kinds: kinds[kindsName] ?? [],
  }
  return {
    ...{ seed, is, zone, fields, precision, csv },
    figures: Array.from({ length: figures }, () => generateFigure(world)),
  }
}

interface QuestionContext {
  random: Random
  zone: string
  /** Buckets of calendar dates. */
  buckets: string[]
  instants: string[]
  precision: World['precision']
  kinds: readonly string[]
  rows: string[][]
}

const call = (name: string, ...args: Expression[]): Expression => ({ function: name, arguments: args })
const buildField = (key: string): Expression => ({ field: `data.${key}` })

type Measure = Question['aggregations'][number]

function generateMeasure(random: Random, alias = 'value'): Measure {
  const [name, value] = random.pick<readonly [string, Expression]>([
    ['Records', call('count')],
    ['Records', call('count')],
    ['Total amount', call('sum', buildField('amount'))],
    ['Total amount', call('sum', buildField('amount'))],
    ['Mean amount', call('average', buildField('amount'))],
    ['Mean warmth', call('average', buildField('warmth'))],
    ['Highest warmth', call('max', buildField('warmth'))],
    ['Lowest amount', call('min', buildField('amount'))],
    ['Middle rating', call('median', buildField('rating'))],
    ['Different kinds', call('distinctCount', buildField('kind'))],
  ])
  return { alias, name, value }
}

/** Groups by time: by a bucket of the calendar date or of the instant. */
function generateTimeGroup(asking: QuestionContext): Measure {
  const { random } = asking
  const isCalendar = asking.buckets.some((bucket) => bucket !== 'hour') && random.chance(0.5)
  const bucket = isCalendar
    ? random.pick(
        asking.buckets.filter(
          (each) =>
            each !== 'hour' &&
            (each !== 'day' || asking.precision === 'day') &&
            (each !== 'week' || asking.precision === 'day'),
        ),
      )
    : random.pick(asking.instants)
  return {
    alias: 'period',
    name: 'Period',
    value: call('bucket', bucket ?? 'year', buildField(isCalendar ? 'day' : 'at')),
  }
}

function generatePartGroup({ random, precision }: QuestionContext): Measure {
  const isCalendar = random.chance(0.4) && precision !== 'year'
  const part = random.pick(
    isCalendar ? ['month', 'year'] : ['month', 'dayOfWeek', 'hourOfDay', 'quarter', 'year'],
  )
  return { alias: 'part', name: 'Part', value: call('extract', part, buildField(isCalendar ? 'day' : 'at')) }
}

const kindGroup = (): Measure => ({ alias: 'kind', name: 'Kind', value: buildField('kind') })

/** Generates filters that match some records, all or none; the last one names days in an alternative only. */
function generateFilters({ random, kinds: names, rows, precision }: QuestionContext): unknown {
  if (random.chance(0.55)) return undefined
  const days = rows.map((row) => row[2] ?? '').filter(Boolean)
  const somewhere =
    (days.length > 0 ? random.pick(days) : '2015') +
    '-01-01'.slice(precision === 'day' ? 6 : precision === 'month' ? 3 : 0)
  return random.pick<unknown>([
    { 'data.kind': random.pick(names) },
    { 'data.kind': { $ne: random.pick(names) } },
    { 'data.kind': { $in: [random.pick(names), random.pick(names)] } },
    { 'data.amount': { $gt: 3 } },
    { 'data.amount': null },
    { 'data.rating': { $gte: 2, $lte: 4 } },
    { 'data.warmth': { $between: [8, 20] } },
    { 'data.day': { $gte: somewhere } },
    { 'data.day': { $lt: somewhere } },
    { $or: [{ 'data.kind': random.pick(names) }, { 'data.rating': 5 }] },
    { 'data.kind': 'Nowhere' },
    { $or: [{ 'data.day': { $gte: somewhere } }, { 'data.rating': { $lte: 4 } }] },
  ])
}

/** Generates a question and its visualization, as an author could have made them. */
function generateFigure(asking: QuestionContext): FigureQuery {
  const { random } = asking
  const filters = generateFilters(asking)
  const more = {
    ...(filters === undefined ? {} : { filters }),
    ...(random.chance(0.5) ? { timezone: asking.zone } : {}),
  }
  const make = random.pick([
    alone,
    generateTimeQuestion,
    generateTimeQuestion,
    generateTimeQuestion,
    generateKindQuestion,
    generateKindQuestion,
    generateKindQuestion,
    generatePartQuestion,
    shares,
    countQuestion,
    makeComparison,
    generateTwoWayQuestion,
    makeList,
  ])
  const { question, visualization } = make(asking)
  return { title: 'What the records say', question: { ...question, ...more }, visualization }
}

type FigureQuestion = Pick<FigureQuery, 'question' | 'visualization'>

const group = (...aliases: string[]) => aliases.map((field) => ({ field }))
const orderBy = (field: string, direction: 'asc' | 'desc' = 'asc') => ({ value: { field }, direction })

function alone({ random }: QuestionContext): FigureQuestion {
  return {
    question: { aggregations: [generateMeasure(random)] },
    visualization: { type: random.pick(['number', 'text', 'table']) },
  }
}

function generateTimeQuestion(asking: QuestionContext): FigureQuestion {
  const { random } = asking
  const isCut = random.chance(0.2)
  return {
    question: {
      aggregations: [generateTimeGroup(asking), generateMeasure(random)],
      groupings: group('period'),
      orderings: [orderBy('period', isCut && random.chance(0.5) ? 'desc' : 'asc')],
      ...(isCut ? { limit: 2 + random.below(8) } : {}),
    },
    visualization: {
      type: random.pick(['line', 'line', 'area', 'bar', 'text']),
      settings: { x: 'period', y: 'value' },
    },
  }
}

function generateKindQuestion({ random }: QuestionContext): FigureQuestion {
  const order = random.pick(['value', 'value', 'value', 'kind'])
  return {
    question: {
      aggregations: [kindGroup(), generateMeasure(random)],
      groupings: group('kind'),
      orderings: [orderBy(order, random.pick(['asc', 'desc', 'desc']))],
      ...(random.chance(0.5) ? { limit: 1 + random.below(12) } : {}),
      ...(random.chance(0.1) ? { offset: random.below(3) } : {}),
    },
    visualization: { type: random.pick(['bar', 'bar', 'text', 'table']) },
  }
}

function generatePartQuestion(asking: QuestionContext): FigureQuestion {
  const { random } = asking
  return {
    question: {
      aggregations: [generatePartGroup(asking), generateMeasure(random)],
      groupings: group('part'),
      orderings: [orderBy('part')],
    },
    visualization: { type: random.pick(['bar', 'line', 'bar']), settings: { x: 'part', y: 'value' } },
  }
}

function shares({ random }: QuestionContext): FigureQuestion {
  const value = random.pick([call('count'), call('sum', buildField('amount'))])
  return {
    question: {
      aggregations: [kindGroup(), { alias: 'value', name: 'Share of all', value }],
      groupings: group('kind'),
      orderings: [orderBy('value', 'desc')],
      ...(random.chance(0.2) ? { limit: 3 } : {}),
    },
    visualization: { type: 'pie', settings: { color: 'kind', y: 'value' } },
  }
}

function countQuestion({ random }: QuestionContext): FigureQuestion {
  const field = random.pick(['rating', 'amount'])
  return {
    question: {
      aggregations: [
        { alias: 'size', name: 'Size', value: buildField(field) },
        { alias: 'value', name: 'Records', value: call('count') },
      ],
      groupings: group('size'),
      orderings: [orderBy('size')],
    },
    visualization: { type: 'histogram', settings: { x: 'size', y: 'value' } },
  }
}

function makeComparison({ random }: QuestionContext): FigureQuestion {
  const [one, another] = [generateMeasure(random, 'one'), generateMeasure(random, 'another')]
  return {
    question: {
      aggregations: [kindGroup(), one, another],
      groupings: group('kind'),
      orderings: [orderBy('kind')],
      ...(random.chance(0.4) ? { limit: 2 + random.below(6) } : {}),
    },
    visualization: { type: 'scatter', settings: { x: 'one', y: 'another', label: 'kind' } },
  }
}

function generateTwoWayQuestion(asking: QuestionContext): FigureQuestion {
  const { random } = asking
  const time = random.chance(0.5) ? generateTimeGroup(asking) : generatePartGroup(asking)
  const isCut = random.chance(0.2)
  const type = random.pick<VisualizationType>(['heatmap', 'bar', time.alias === 'period' ? 'line' : 'bar'])
  const settings: Record<string, string> =
    type === 'heatmap'
      ? { x: time.alias, y: 'kind', color: 'value' }
      : { x: time.alias, y: 'value', series: 'kind' }
  return {
    question: {
      aggregations: [time, kindGroup(), generateMeasure(random)],
      groupings: group(time.alias, 'kind'),
      orderings:
        isCut && random.chance(0.5) ? [orderBy('value', 'desc')] : [orderBy(time.alias), orderBy('kind')],
      ...(isCut ? { limit: 5 + random.below(20) } : {}),
    },
    visualization: { type, settings },
  }
}

function makeList({ random }: QuestionContext): FigureQuestion {
  return {
    question: {
      aggregations: [
        { alias: 'code', name: 'Code', value: buildField('id') },
        { alias: 'seen', name: 'Seen', value: buildField('at') },
        { alias: 'day', name: 'Day', value: buildField('day') },
        { alias: 'amount', name: 'Amount', value: buildField('amount') },
      ],
      groupings: group('code', 'seen', 'day', 'amount'),
      orderings: [orderBy(random.pick(['amount', 'seen', 'day']), random.pick(['asc', 'desc']))],
      limit: 10,
    },
    visualization: { type: 'table' },
  }
}
