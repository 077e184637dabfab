import type { OutputField } from '#functions/shapes/analytics.ts'
import { isStacked } from './bar-parts.ts'
import { fitted } from './fit.ts'
import { formatValue, noValue } from './format.ts'
import type { ChartInput } from './frame.ts'
import { binsOf } from './histogram.ts'
import { localTime } from './local-time.ts'
import { placeOf, pointAlias } from './map-spec.ts'
import { formatOptions, numberOf, say } from './measure.ts'
import { soleValue } from './number.ts'
import { slicesOf } from './pie.ts'
import { readable } from './readable.ts'
import { dimensionsOf, measuresOf, roles } from './roles.ts'
import type { Roles } from './roles.ts'
import { phrasesOf } from './phrases.ts'
import { plural } from '#functions/shapes/plural.ts'
import { counted, isCut, range, speaker, subjectOf, totalText, where, type Told } from './told.ts'

/** A sentence about rows, and where these are not all there are, how many of how many. */
function saidOf(sentence: string, input: ChartInput): string {
  const total = totalText(input)
  if (total === undefined) return sentence
  const cut = phrasesOf(input.locale).cut(counted(input.rows.length, input), total)
  return sentence ? `${sentence} ${cut}` : cut
}

function overTime(input: ChartInput, parts: Roles): string {
  const { schema } = input.output
  const phrases = phrasesOf(input.locale)
  const { x, y, series } = parts
  if (x === undefined || y === undefined) return phrases.nothing
  const field = schema[y]
  const isFolded = series === undefined && parts.measures.length > 1
  // Which series there are at the end is not known of some of the rows.
  if ((isFolded || series !== undefined) && isCut(input)) return saidOf('', input)
  const told = input.rows
    .flatMap((row) =>
      (isFolded ? parts.measures : [y]).map((alias) => ({
        at: localTime(row[x], input.timeZone),
        value: numberOf(row[alias]),
        day: where(row[x], schema[x], input),
        where: isFolded
          ? phrases.where.for(schema[alias]?.name ?? alias)
          : series === undefined
            ? ''
            : where(row[series], schema[series], input),
      })),
    )
    .filter((one): one is typeof one & { at: number; value: number } => one.at !== null && one.value !== null)
    .sort((a, b) => a.at - b.at)
  const [first, last] = [told[0], told.at(-1)]
  if (!first || !last) return phrases.nothing
  const name = isFolded ? phrases.values : (field?.name ?? input.title)
  if (isFolded || series !== undefined) {
    const latest = told.filter((one) => one.at === last.at)
    return range(name, latest, field, input, last.day)
  }
  const speak = speaker([first.value, last.value], field, input)
  const [before, now] = [speak(first.value), speak(last.value)]
  if (told.length === 1) return saidOf(phrases.came(name, now, last.day), input)
  if (before === now) return saidOf(phrases.unchanged(name, now, last.day, first.day), input)
  return saidOf(phrases.changed(name, last.value > first.value, before, first.day, now, last.day), input)
}

function byCategory(input: ChartInput, parts: Roles): string {
  const { schema } = input.output
  const { x, y, series } = parts
  if (y === undefined) return phrasesOf(input.locale).nothing
  // What is summed of some of its parts is no sum.
  if (series !== undefined && isCut(input)) return saidOf('', input)
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
  const phrases = phrasesOf(input.locale)
  if (x === undefined || y === undefined || color === undefined) return phrases.nothing
  if (isCut(input)) return saidOf('', input)
  const told = input.rows.flatMap((row): Told[] => {
    const value = numberOf(row[color])
    const [across, down] = [x, y].map((alias) => formatValue(row[alias], schema[alias], formatOptions(input)))
    return value === null ? [] : [{ value, where: phrases.where.for(`${across}, ${down}`) }]
  })
  return range(schema[color]?.name ?? input.title, told, schema[color], input)
}

function inBins(input: ChartInput, { x }: Roles): string {
  const bins = binsOf(input)
  const field = x === undefined ? undefined : input.output.schema[x]
  const total = bins.reduce((sum, bin) => sum + bin.count, 0)
  const fullest = bins.reduce((a, b) => (b.count > a.count ? b : a), bins[0] ?? { low: 0, high: 0, count: 0 })
  const phrases = phrasesOf(input.locale)
  if (total === 0) return phrases.nothing
  const [low = '', high = ''] = [fullest.low, fullest.high].map((edge) => say(edge, field, input))
  const isShared = bins.filter(({ count }) => count === fullest.count).length > 1
  const sentence = phrases.bin({
    name: field?.name ?? input.title,
    count: fullest.count,
    counted: counted(fullest.count, input),
    total,
    low,
    high,
    rest: bins.length < 2 ? 'only' : isShared ? 'shared' : 'alone',
  })
  return saidOf(sentence, input)
}

function inParts(input: ChartInput, { color, y }: Roles): string {
  const [largest, ...others] = slicesOf(input)
  const phrases = phrasesOf(input.locale)
  if (!largest || color === undefined || y === undefined) return phrases.nothing
  const { schema } = input.output
  const name = schema[y]?.name ?? input.title
  const part = largest.name === noValue ? phrases.partWithout(schema[color]?.name ?? color) : largest.name
  const count = new Set(
    input.rows.filter((row) => (numberOf(row[y]) ?? 0) > 0).map((row) => String(row[color])),
  ).size
  if (count === 1) return phrases.wholePart(part, name)
  const shareField: OutputField = {
    name: '',
    type: 'number',
    measurement: { type: 'percentage', value: 'decimal' },
  }
  const share = formatValue(largest.share, shareField, formatOptions(input))
  const equal = others.filter(({ value, name }) => value === largest.value && name !== phrases.other)
  const [one] = equal
  const beside =
    one === undefined
      ? ''
      : equal.length === 1
        ? phrases.besides(one.name)
        : phrases.besidesMany(equal.length)
  return phrases.part(part, share, name, count, beside)
}

function onePiece(input: ChartInput): string {
  const { alias, field, value } = soleValue(input)
  const text = say(value, field, input)
  const phrases = phrasesOf(input.locale)
  if (text === noValue) return phrases.nothing
  const { schema, groupings } = input.output
  const group = groupings.find((grouping) => grouping.alias in schema && grouping.alias !== alias)?.alias
  const place = group === undefined ? '' : where(input.rows[0]?.[group], schema[group], input)
  return phrases.came(subjectOf(field?.name ?? input.title, 1, field, input), text, place)
}

function onMap(input: ChartInput): string {
  const { visualization, output, rows } = input
  const { region, color } = visualization.settings ?? {}
  const phrases = phrasesOf(input.locale)
  if (!region) {
    const geometry = pointAlias(input)
    const count = rows.filter((row) => placeOf(row, visualization, geometry) !== null).length
    return count === 0 ? phrases.nothing : saidOf(plural(phrases.points, count, input.locale), input)
  }
  const alias = color ?? measuresOf(output)[0]
  const field = alias === undefined ? undefined : output.schema[alias]
  const told = rows.flatMap((row): Told[] => {
    const value = numberOf(row[alias ?? ''])
    return value === null ? [] : [{ value, where: where(row[region], output.schema[region], input) }]
  })
  if (told.length > 0) return range(field?.name ?? input.title, told, field, input)
  return saidOf(plural(phrases.areas, rows.length, input.locale), input)
}

/** What an answer is told as where no picture says so: over time, by its groups, or as one value. */
function inWords(input: ChartInput): string {
  const { output } = input
  const [first] = dimensionsOf(output)
  const isGrouped = output.groupings.length > 0
  if (measuresOf(output).length === 0 || output.aggregations.length === 0) return inRows(input)
  if (!isGrouped || first === undefined) return onePiece(input)
  const type = output.schema[first]?.type === 'date' ? 'line' : 'bar'
  return sentenceOf({ ...input, ...fitted({ type }, output) })
}

const inRows = (input: ChartInput): string =>
  saidOf(plural(phrasesOf(input.locale).rows, input.rows.length, input.locale), input)

/**
 * One plain sentence that says what the data show: the change over time, the largest and smallest value, the largest
 * share, the fullest range or how much there is. In the language of the locale, with its numbers and dates and in readable
 * units; `No data yet.` for an answer without values. The same answer always gives the same sentence.
 */
export function chartSentence(input: Omit<ChartInput, 'width' | 'height'>): string {
  const { visualization } = fitted(input.visualization, input.output)
  const sentence =
    input.rows.length === 0
      ? phrasesOf(input.locale).nothing
      : sentenceOf(readable({ ...input, visualization }))
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

function sentenceOf(input: ChartInput): string {
  const { visualization, output, rows } = input
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
      const { nothing, compared, comparing } = phrasesOf(input.locale)
      if (x === undefined || y === undefined) return nothing
      const count = rows.filter((row) => numberOf(row[x]) !== null && numberOf(row[y]) !== null).length
      if (count === 0) return nothing
      return saidOf(
        `${plural(compared, count, input.locale)} ${comparing(nameOf(x) ?? x, nameOf(y) ?? y)}`,
        input,
      )
    }
    case 'map':
      return onMap(input)
    case 'text':
      return inWords(input)
    case 'table':
      return inRows(input)
  }
}
