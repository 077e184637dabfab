import type { AnswerRow, Output, OutputField, Visualization } from '#functions/shapes/analytics.ts'
import { isStacked } from './bar-parts.ts'
import { formatValue, noValue } from './format.ts'
import type { ChartInput } from './frame.ts'
import { binsOf } from './histogram.ts'
import { bucketOf, localTime } from './local-time.ts'
import { slicesOf } from './pie.ts'
import { measuresOf, roles } from './roles.ts'
import type { Roles } from './roles.ts'
import { formatOptions, numberOf, say, sharedDecimals } from './measure.ts'

const nothing = 'No data yet.'

/** A value and the words for where it stands: `in 2012`, `for Drought`. */
interface Told {
  value: number
  where: string
}

// Only verbs whose past tense is the same for one and many are used: "Deaths rose", "Temperature rose"
const countOf = (count: number, one: string, many: string, input: ChartInput): string =>
  `${formatValue(count, { name: '', type: 'number' }, formatOptions(input))} ${count === 1 ? one : many}`

function where(value: unknown, field: OutputField | undefined, input: ChartInput): string {
  const text = formatValue(value, field, formatOptions(input))
  const part = field?.measurement?.type === 'datePart' ? field.measurement.value : undefined
  if (field?.type !== 'date') {
    if (part === 'hourOfDay') return `at ${text}`
    if (part === 'dayOfWeek') return `on ${text}`
    if (part === 'decade') return `in the ${text}`
    return `${part === 'month' || part === 'year' || part === 'quarter' ? 'in' : 'for'} ${text}`
  }
  switch (bucketOf(field)) {
    case 'week':
      return `in the week of ${text}`
    case 'decade':
      return `in the ${text}`
    case 'month':
    case 'quarter':
    case 'customQuarter':
    case 'year':
    case 'customYear':
      return `in ${text}`
    case 'hour':
    case 'minute':
    case 'second':
      return `at ${text}`
    case 'day':
    case undefined:
      return `on ${text}`
  }
}

function speaker(
  values: number[],
  field: OutputField | undefined,
  input: ChartInput,
): (value: number) => string {
  const decimals = sharedDecimals(values, field)
  return (value) => say(value, field, input, { decimals })
}

function range(name: string, told: Told[], field: OutputField | undefined, input: ChartInput): string {
  const [first] = told
  if (!first) return nothing
  const most = told.reduce((a, b) => (b.value > a.value ? b : a))
  const least = told.reduce((a, b) => (b.value < a.value ? b : a))
  const speak = speaker([most.value, least.value], field, input)
  if (told.length === 1) return `${name} came to ${speak(first.value)} ${first.where}.`
  if (most.value === least.value) return `${name} came to ${speak(most.value)} in all ${told.length} cases.`
  return `${name} ranged from ${speak(most.value)} ${most.where} down to ${speak(least.value)} ${least.where}.`
}

function overTime(input: ChartInput, parts: Roles): string {
  const { schema } = input.output
  const { x, y, series } = parts
  if (x === undefined || y === undefined) return nothing
  const field = schema[y]
  const isFolded = series === undefined && parts.measures.length > 1
  const told = input.rows
    .flatMap((row) =>
      (isFolded ? parts.measures : [y]).map((alias) => ({
        at: localTime(row[x], input.timeZone),
        value: numberOf(row[alias]),
        day: where(row[x], schema[x], input),
        name: isFolded
          ? schema[alias]?.name
          : series && formatValue(row[series], schema[series], formatOptions(input)),
      })),
    )
    .filter((one): one is typeof one & { at: number; value: number } => one.at !== null && one.value !== null)
    .sort((a, b) => a.at - b.at)
  const [first, last] = [told[0], told.at(-1)]
  if (!first || !last) return nothing
  const name = isFolded ? 'Values' : (field?.name ?? input.title)
  if (isFolded || series !== undefined) {
    const latest = told.filter((one) => one.at === last.at)
    const most = latest.reduce((a, b) => (b.value > a.value ? b : a))
    const least = latest.reduce((a, b) => (b.value < a.value ? b : a))
    const speak = speaker([most.value, least.value], field, input)
    if (latest.length === 1) return `${name} came to ${speak(most.value)} for ${most.name} ${last.day}.`
    return `${name} ranged from ${speak(most.value)} for ${most.name} down to ${speak(least.value)} for ${least.name} ${last.day}.`
  }
  const speak = speaker([first.value, last.value], field, input)
  const [before, now] = [speak(first.value), speak(last.value)]
  if (told.length === 1) return `${name} came to ${now} ${last.day}.`
  if (before === now) return `${name} came to ${now} ${last.day}, the same as ${first.day}.`
  const verb = last.value > first.value ? 'rose' : 'fell'
  return `${name} ${verb} from ${before} ${first.day} to ${now} ${last.day}.`
}

function byCategory(input: ChartInput, parts: Roles): string {
  const { schema } = input.output
  const { x, y, series } = parts
  if (y === undefined) return nothing
  const field = schema[y]
  const sums = new Map<string, Told>()
  const names = new Set(input.rows.map((row) => (series === undefined ? '' : String(row[series]))))
  const isSum = isStacked(
    input,
    [...names].map((name) => ({ name, color: '', points: [] })),
  )
  for (const row of input.rows) {
    const value = numberOf(row[y])
    if (value === null) continue
    const place = x === undefined ? '' : where(row[x], schema[x], input)
    const told =
      series === undefined || isSum
        ? place
        : `${place} (${formatValue(row[series], schema[series], formatOptions(input))})`
    sums.set(told, { value: (sums.get(told)?.value ?? 0) + value, where: told })
  }
  return range(field?.name ?? input.title, [...sums.values()], field, input)
}

function inGrid(input: ChartInput, { x, y, color }: Roles): string {
  const { schema } = input.output
  if (x === undefined || y === undefined || color === undefined) return nothing
  const told = input.rows.flatMap((row): Told[] => {
    const value = numberOf(row[color])
    const [across, down] = [x, y].map((alias) => formatValue(row[alias], schema[alias], formatOptions(input)))
    return value === null ? [] : [{ value, where: `for ${across}, ${down}` }]
  })
  return range(schema[color]?.name ?? input.title, told, schema[color], input)
}

function inBins(input: ChartInput, { x }: Roles): string {
  const bins = binsOf(input)
  const field = x === undefined ? undefined : input.output.schema[x]
  const total = bins.reduce((sum, bin) => sum + bin.count, 0)
  const fullest = bins.reduce((a, b) => (b.count > a.count ? b : a), bins[0] ?? { low: 0, high: 0, count: 0 })
  if (total === 0) return nothing
  const [low, high] = [fullest.low, fullest.high].map((edge) => say(edge, field, input))
  const all = countOf(total, 'value', 'values', input)
  const count = formatValue(fullest.count, { name: '', type: 'number' }, formatOptions(input))
  const verb = fullest.count === 1 ? 'lies' : 'lie'
  const rest = bins.length > 1 ? ', more than in any other range' : ''
  return `${count} of ${all} of ${field?.name ?? input.title} ${verb} between ${low} and ${high}${rest}.`
}

function inParts(input: ChartInput, { color, y }: Roles): string {
  const [largest] = slicesOf(input)
  if (!largest || color === undefined || y === undefined) return nothing
  const name = input.output.schema[y]?.name ?? input.title
  const count = new Set(
    input.rows.filter((row) => (numberOf(row[y]) ?? 0) > 0).map((row) => String(row[color])),
  ).size
  if (count === 1) return `${largest.name} made up all of ${name}.`
  const shareField: OutputField = {
    name: '',
    type: 'number',
    measurement: { type: 'percentage', value: 'decimal' },
  }
  const share = formatValue(largest.share, shareField, formatOptions(input))
  return `${largest.name} made up ${share} of ${name}, the largest of ${count} parts.`
}

function onePiece(input: ChartInput): string {
  const alias =
    input.visualization.settings?.y ?? measuresOf(input.output)[0] ?? Object.keys(input.output.schema)[0]
  const field = alias === undefined ? undefined : input.output.schema[alias]
  const value = alias === undefined ? undefined : input.rows[0]?.[alias]
  const text = say(value, field, input)
  return text === noValue ? nothing : `${field?.name ?? input.title} came to ${text}.`
}

/**
 * One plain sentence that says what the data show: the change over time, the largest and smallest value, the largest
 * share, the fullest range or how much there is. English, with numbers and dates of the locale; `No data yet.` for
 * an answer without values.
 */
export function chartSentence(input: Parameters<typeof sentenceOf>[0]): string {
  const sentence = sentenceOf(input)
  return input.visualization.type === 'text' ? sentence : sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

function sentenceOf(input: {
  visualization: Visualization
  output: Output
  rows: AnswerRow[]
  locale: string
  timeZone: string
  title: string
}): string {
  const { visualization, output, rows } = input
  if (visualization.type === 'text') return input.title
  if (rows.length === 0) return nothing
  const parts = roles(visualization, output)
  const nameOf = (alias: string | undefined) => (alias === undefined ? undefined : output.schema[alias]?.name)
  const isOverTime = parts.x !== undefined && output.schema[parts.x]?.type === 'date'
  switch (visualization.type) {
    case 'number':
      return onePiece(input)
    case 'line':
    case 'area':
      return isOverTime ? overTime(input, parts) : byCategory(input, parts)
    case 'bar':
      return byCategory(input, parts)
    case 'pie':
      return inParts(input, parts)
    case 'heatmap':
      return inGrid(input, parts)
    case 'histogram':
      return inBins(input, parts)
    case 'scatter': {
      const { x, y } = parts
      if (x === undefined || y === undefined) return nothing
      const count = rows.filter((row) => numberOf(row[x]) !== null && numberOf(row[y]) !== null).length
      if (count === 0) return nothing
      return `${countOf(count, 'point compares', 'points compare', input)} ${nameOf(x)} with ${nameOf(y)}.`
    }
    case 'map':
      return visualization.settings?.region
        ? `The map shows ${countOf(rows.length, 'area', 'areas', input)}.`
        : `The map shows ${countOf(rows.length, 'point', 'points', input)}.`
    case 'table':
      return `The table has ${countOf(rows.length, 'row', 'rows', input)}.`
  }
}
