import type { VisualizationType } from '../../analytics.ts'
import { plural } from '../../plural.ts'
import type { Need, Phrases } from '../phrases.ts'
import { figure } from './figure.ts'

const names: Record<VisualizationType, string> = {
  number: 'A number',
  line: 'A line',
  bar: 'A bar chart',
  area: 'An area',
  pie: 'A pie',
  scatter: 'A scatter plot',
  heatmap: 'A heatmap',
  histogram: 'A histogram',
  table: 'A table',
  map: 'A map',
  text: 'A text',
}

const needs: Record<Need, string> = {
  sums: 'needs a count or a sum: other values are no parts of a whole.',
  whole: 'needs all parts of a whole, and a limit left some out.',
  places: 'needs points, or a column that names regions.',
  twoNumbers: 'needs two numbers.',
  number: 'needs a number.',
  twoGroupings: 'needs two groupings.',
  along: 'needs dates or numbers to run along.',
  compared: 'needs something to compare.',
  counted: 'needs numbers to count.',
}

// Only verbs with the same past tense in singular and plural are used: "Deaths rose", "Temperature rose".
export const phrases: Phrases = {
  figure,
  nothing: 'No data yet.',
  noData: 'No data',
  undrawable: 'This picture lacks letters of some scripts: “…” stands for them. The table has the full text.',
  yes: 'Yes',
  no: 'No',
  other: 'Other',
  count: 'Count',
  values: 'Values',
  days: 'days',
  quarter: (quarter) => `Q${quarter}`,
  quarterOfYear: (quarter, year) => `Q${quarter} ${year}`,
  decade: (year) => `${year}s`,
  firstPartTitle: (title, part, all) => `${title}, first ${part} of ${all}`,
  inColour: (title, colours, all) => `${title}, ${colours} largest of ${all} in colour`,
  circlesBy: (title, size) => `${title}; circles by ${size}`,
  tableRows: { one: '{n} row', other: '{n} rows' },
  tableColumns: { one: '{n} column', other: '{n} columns' },
  more: (what) => `and ${what} more`,
  seriesPartTitle: (title, part, all) => `${title}, ${part} of ${all} series`,
  others: { one: '{n} other', other: '{n} others' },
  othersSum: (others, sum) => `${others} come to ${sum} together.`,
  othersAsOne: (others) => `${others} are drawn as one.`,
  barsCut: (part, all) => `The chart shows the first ${part} of ${all}.`,
  where: {
    for: (text) => `for ${text}`,
    without: (name) => `without ${name || 'a value'}`,
    in: (text) => `in ${text}`,
    quarter: (text) => `in ${text}`,
    decade: (text) => `in the ${text}`,
    week: (text) => `in the week of ${text}`,
    day: (text) => `on ${text}`,
    weekday: (text) => `on ${text}`,
    moment: (text) => `at ${text}`,
    clock: (text) => `at ${text}`,
  },
  both: (one, another) => `${one} and ${another}`,
  withOthers: (one, others) => `${one} and ${others} others`,
  changed: ({ name, isRise, before, then, now, when, turn }) =>
    `${name} ${isRise ? 'rose' : 'fell'} from ${before} ${then} to ${now} ${when}${turn}.`,
  unchanged: (name, now, when, then, turn) => `${name} came to ${now} ${when}, the same as ${then}${turn}.`,
  alike: (name, now, when, then, turn) => `${name} came to ${now} ${when}, about the same as ${then}${turn}.`,
  turned: {
    peak: (value, when) => `, after a peak of ${value} ${when}`,
    low: (value, when) => `, after a low of ${value} ${when}`,
  },
  between: (name, least, leastAt, most, mostAt) =>
    `${name} ranged between ${least} ${leastAt} and ${most} ${mostAt}.`,
  partial: 'partial',
  functions: {
    distinctCount: 'different ones',
    average: 'average',
    median: 'median',
    min: 'smallest',
    max: 'largest',
  },
  came: (name, value, where) => `${name} came to ${value}${where && ` ${where}`}.`,
  allSame: (name, value, cases, when) =>
    `${name} came to ${value} in all ${cases} cases${when && ` ${when}`}.`,
  ranged: (name, most, mostAt, least, leastAt, when) =>
    `${name} ranged from ${most} ${mostAt} down to ${least} ${leastAt}${when && ` ${when}`}.`,
  ofCut: (name, part, total, rank) => {
    if (rank === null) return `${name}, ${part} of ${total},`
    return part === 1 ? `${name}, the ${rank} of ${total},` : `${name}, the ${part} ${rank} of ${total},`
  },
  about: (count) => `about ${count}`,
  cut: (part, total) => `${part} of ${total} are shown, not all.`,
  rows: { one: 'The table has {n} row.', other: 'The table has {n} rows.' },
  points: { one: 'The map shows {n} point.', other: 'The map shows {n} points.' },
  areas: { one: 'The map shows {n} area.', other: 'The map shows {n} areas.' },
  compared: { one: '{n} point compares', other: '{n} points compare' },
  comparing: (x, y) => `${x} with ${y}.`,
  bin: ({ name, count, counted: counts, total, low, high, rest }) => {
    const all = plural({ one: '{n} value', other: '{n} values' }, total, 'en')
    const more = { only: '', shared: ', and no range has more', alone: ', more than in any other range' }
    const verb = count === 1 ? 'lies' : 'lie'
    return `${counts} of ${all} of ${name} ${verb} between ${low} and ${high}${more[rest]}.`
  },
  partWithout: (name) => `What has no ${name}`,
  wholePart: (part, name) => `${part} made up all of ${name}.`,
  part: (part, share, name, parts, beside) =>
    `${part} made up ${share} of ${name}, the largest of ${parts} parts${beside}.`,
  besides: (name) => `, together with ${name}`,
  besidesMany: (others) => `, together with ${others} others`,
  misfit: {
    noColumn: (alias) => `The answer has no column “${alias}”.`,
    needs: (type, need) => `${names[type]} ${needs[need]}`,
    groupings: (type, most, count) =>
      `${names[type]} shows ${most === 1 ? 'one grouping' : 'two groupings'} at most; this answer has ${count}.`,
    asBars: 'It is drawn as bars.',
    asNumber: 'It is told as a number.',
    asTable: 'It is told as a table.',
  },
}
