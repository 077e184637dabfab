import type { ChartInput } from './frame.ts'
import { formatValue } from './format.ts'
import { formatOptions } from './measure.ts'
import { categorical } from './palette.ts'
import { findTimeColumn } from './periods.ts'
import { flatRows, toReadableAnswer } from './readable.ts'
import { assignRoles } from './roles.ts'
import { buildSeries } from './series.ts'
import { chartTypes } from './type/index.ts'
import type { FigureTexts } from '#functions/shapes/language/figure.ts'

/** A part of an answer that a reader chose to see. Absent: all of it. Times and series by their keys, see `getChoices`. */
export interface Slice {
  from?: string
  to?: string
  series?: string[]
  /** The highlighted series. */
  highlight?: string
}

/** An option: `key` is language-independent and used in URLs, `label` is displayed. */
interface Choice {
  key: string
  label: string
}

/** The options of an answer; empty lists where there is nothing to choose. */
export interface Choices {
  /** The spans or moments of time that have rows, earliest first. */
  times: Choice[]
  /** Series, the largest first; `color` is a light colour that identifies a token. */
  series: (Choice & { color: string })[]
}

/** The selected part of an answer, and selections that it does not have (any more). */
export interface SliceResult {
  input: ChartInput
  /** Whether it is less than the answer. */
  isPart: boolean
  /** The displayed ends of the range; null without a range. */
  range: { from: string; to: string } | null
  /** The displayed names of the shown series; null for all. */
  seriesNames: string[] | null
  /** Unknown keys of the selection. */
  unknown: string[]
}

/** The fewest times for which a range is offered. */
const fewestTimes = 3

interface Parts {
  time: {
    alias: string
    toTimeKey(value: unknown): string | null
    formatTimeLabel(value: unknown): string
  } | null
  series: { of: 'rows'; alias: string } | { of: 'measures'; aliases: string[] } | null
}

function getSliceParts(input: ChartInput): Parts {
  if (!chartTypes[input.visualization.type].hasIndependentMarks) return { time: null, series: null }
  const { output } = input
  const parts = assignRoles(input.visualization, output)
  const times = parts.x === undefined ? null : findTimeColumn(output, parts.x)
  const time =
    times && parts.x !== undefined
      ? {
          alias: parts.x,
          toTimeKey(value: unknown) {
            const clock = times.toLocalTime(value, input.timeZone)
            return clock === null ? null : timeKey(clock)
          },
          formatTimeLabel: (value: unknown) => labelOfTime(input, parts.x, value),
        }
      : null
  const series =
    parts.series !== undefined
      ? { of: 'rows' as const, alias: parts.series }
      : parts.measures.length > 1
        ? { of: 'measures' as const, aliases: parts.measures }
        : null
  return { time, series }
}

/** Local milliseconds as a day, with hour and minute unless it is midnight. */
function timeKey(clock: number): string {
  const text = new Date(clock).toISOString()
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 16)
}

function labelOfTime(input: ChartInput, alias: string | undefined, value: unknown): string {
  const field = alias === undefined ? undefined : input.output.schema[alias]
  return formatValue(value, field, formatOptions(input))
}

/** The key of a series value: null and '' are equal, as in charts. */
const seriesKey = (value: unknown): string => (value === null || value === undefined ? '' : String(value))

/** The options of an answer that is drawn as marks. */
export function getChoices(answer: ChartInput): Choices {
  const input = flatRows(answer)
  const parts = getSliceParts(input)
  return {
    times: omitShortList(fewestTimes, timesIn(input, parts)),
    series: omitShortList(2, seriesIn(input, parts)),
  }
}

const omitShortList = <T>(fewest: number, list: T[]): T[] => (list.length < fewest ? [] : list)

function timesIn(input: ChartInput, { time }: Parts): Choice[] {
  if (!time) return []
  const labels = new Map<string, string>()
  for (const row of input.rows) {
    const key = time.toTimeKey(row[time.alias])
    if (key !== null && !labels.has(key)) labels.set(key, time.formatTimeLabel(row[time.alias]))
  }
  return [...labels].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, label]) => ({ key, label }))
}

function seriesIn(input: ChartInput, { series }: Parts): Choices['series'] {
  if (!series) return []
  // As drawn: largest first, with their colours.
  const colorsByKey = new Map(
    buildSeries(toReadableAnswer(input), assignRoles(input.visualization, input.output)).series.map(
      ({ name, color }, at) => [name, { color, at }],
    ),
  )
  const { schema } = input.output
  const every =
    series.of === 'measures'
      ? series.aliases.map((alias) => ({ key: alias, label: schema[alias]?.name ?? alias }))
      : [
          ...new Map(
            input.rows.map(({ [series.alias]: value }) => [
              seriesKey(value),
              {
                key: seriesKey(value),
                label: formatValue(value, schema[series.alias], formatOptions(input)),
              },
            ]),
          ).values(),
        ]
  return every
    .flatMap((one) => {
      const look = colorsByKey.get(one.label)
      return look ? [{ ...one, ...look }] : []
    })
    .sort((a, b) => a.at - b.at)
    .map(({ key, label, color }) => ({ key, label, color }))
}

/**
 * Applies a selection to the rows and columns of an answer; series keep their colours. Unknown selections are ignored
 * and listed in `unknown`; a selection without anything left is ignored.
 */
export function applySlice(answer: ChartInput, slice: Slice): SliceResult {
  const input = flatRows(answer)
  const parts = getSliceParts(input)
  const choices = getChoices(input)
  const unknown: string[] = []
  const range = findTimeRange(choices.times, slice, unknown)
  const byKey = new Map(choices.series.map((one) => [one.key, one]))
  const isKnown = (key: string) => byKey.has(key) || void unknown.push(key)
  const wantedKeys = new Set(slice.series?.filter(isKnown))
  const isChosen = wantedKeys.size > 0 && wantedKeys.size < byKey.size
  const highlight = slice.highlight !== undefined && isKnown(slice.highlight) ? slice.highlight : undefined
  const visibleSeries = choices.series.filter(({ key }) => !isChosen || wantedKeys.has(key))
  const { time, series } = parts
  const isIn = (row: Record<string, unknown>) => {
    if (time && range) {
      const key = time.toTimeKey(row[time.alias])
      if (key === null || key < range.from.key || key > range.to.key) return false
    }
    return !isChosen || series?.of !== 'rows' || wantedKeys.has(seriesKey(row[series.alias]))
  }
  const rows = range || (isChosen && series?.of === 'rows') ? input.rows.filter(isIn) : input.rows
  const dropped =
    isChosen && series?.of === 'measures' ? series.aliases.filter((alias) => !wantedKeys.has(alias)) : []
  return {
    input: {
      ...input,
      output: dropped.length > 0 ? without(input.output, dropped) : input.output,
      rows,
      ...(choices.series.length > 0 && { colors: assignColors(visibleSeries, isChosen) }),
      ...(highlight !== undefined && { highlight: byKey.get(highlight)?.label ?? '' }),
    },
    isPart: range !== null || isChosen,
    range: range && { from: range.from.label, to: range.to.label },
    seriesNames: isChosen ? visibleSeries.map(({ label }) => label) : null,
    unknown,
  }
}

/** A description of the selected part; '' for everything. */
export const describeSlice = ({ range, seriesNames }: SliceResult, words: FigureTexts): string =>
  [range && words.range(range.from, range.to), seriesNames && words.only(seriesNames.join(', '))]
    .filter(Boolean)
    .join(' ')

/** The ends of a range; null where it covers all times. An end without a matching time is unknown. */
function findTimeRange(times: Choice[], { from, to }: Slice, unknown: string[]) {
  const [first, last] = [times[0], times.at(-1)]
  if (!first || !last) {
    unknown.push(...[from, to].filter((end) => end !== undefined))
    return null
  }
  const find = (key: string | undefined, other: Choice) => {
    if (key === undefined) return other
    const match = times.find((time) => time.key === key)
    if (!match) unknown.push(key)
    return match ?? other
  }
  const [start, end] = [find(from, first), find(to, last)]
  if (start.key > end.key) {
    unknown.push(`${start.key}–${end.key}`)
    return null
  }
  return start === first && end === last ? null : { from: start, to: end }
}

function without(output: ChartInput['output'], dropped: string[]): ChartInput['output'] {
  const isKept = (alias: string) => !dropped.includes(alias)
  return {
    ...output,
    schema: Object.fromEntries(Object.entries(output.schema).filter(([alias]) => isKept(alias))),
    aggregations: output.aggregations.filter(({ alias }) => isKept(alias)),
  }
}

/** A colour for each series by its label: its own, or a free one for those that had none in the whole. */
function assignColors(series: Choices['series'], isChosen: boolean): Record<string, string> {
  const free = categorical.filter((color) => !series.some((one) => one.color === color))
  const hasOwn = (color: string) => (categorical as readonly string[]).includes(color)
  return Object.fromEntries(
    series.map(({ label, color }) => [label, isChosen && !hasOwn(color) ? (free.shift() ?? color) : color]),
  )
}
