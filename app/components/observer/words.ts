import { isObject } from '../builder/json.ts'
import { callIn, fieldIn, isConstant } from '../builder/values.ts'

/** What the words of an observer are made from: the names of fields and functions. */
export interface Names {
  fields: readonly { field: string; name: string }[]
  functions: Readonly<Record<string, { name: string }>>
}

export interface ObserverCondition {
  operator: string
  aggregation?: unknown
  value?: unknown
}

/** The condition of an observer as it comes over the wire. */
export function conditionIn(json: unknown): ObserverCondition {
  return isObject(json) && typeof json.operator === 'string'
    ? { ...json, operator: json.operator }
    : { operator: 'each' }
}

/** The comparisons of a condition, in the order they are offered. */
export const comparisonWords: Record<string, string> = {
  gt: 'is more than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  eq: 'is exactly',
}

/** A value of the query language in words: `Average of Speed`, `Count`; as JSON where it has none. */
export function valueWords(value: unknown, { fields, functions }: Names): string {
  const path = fieldIn(value)
  if (path !== null) return fields.find(({ field }) => field === path)?.name ?? path.replace(/^data\./, '')
  const made = callIn(value)
  if (made) {
    const name = functions[made.name]?.name ?? made.name
    const of = made.args.map((arg) => valueWords(arg, { fields, functions })).filter(Boolean)
    return of.length ? `${name} of ${of.join(', ')}` : name
  }
  return isConstant(value) ? String(value) : JSON.stringify(value)
}

/** When an observer gives an alert, as a clause: `Count is more than 5`. */
export function conditionWords({ operator, aggregation, value }: ObserverCondition, names: Names): string {
  if (operator === 'each') return 'A record is new'
  const watched = valueWords(aggregation, names)
  if (operator === 'change') return `${watched} changes`
  return `${watched} ${comparisonWords[operator] ?? operator} ${typeof value === 'number' ? value.toLocaleString('en') : String(value)}`
}

export type ObserverState = 'paused' | 'failing' | 'tripped' | 'armed'

/** How an observer stands: it is off, could not look, its condition holds, or it waits. */
export function stateOf(observer: {
  enabled: boolean
  error: string | null
  isCrossed: boolean
}): ObserverState {
  if (!observer.enabled) return 'paused'
  if (observer.error !== null) return 'failing'
  return observer.isCrossed ? 'tripped' : 'armed'
}

/** A value that an observer saw, as people read it. */
export function seenWords(value: unknown): string {
  if (value === null || value === undefined) return 'nothing yet'
  if (typeof value === 'number') return value.toLocaleString('en', { maximumFractionDigits: 2 })
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const units: [RegExp, string, string][] = [
  [/^P(\d+)W$/, 'week', 'weeks'],
  [/^P(\d+)D$/, 'day', 'days'],
  [/^PT(\d+)H$/, 'hour', 'hours'],
  [/^PT(\d+)M$/, 'minute', 'minutes'],
]

/** A duration in words where it has one unit: `6 hours`; as it is written where it has more. */
export function durationWords(duration: string): string {
  for (const [pattern, one, many] of units) {
    const [, count] = pattern.exec(duration) ?? []
    if (count) return Number(count) === 1 ? `1 ${one}` : `${Number(count)} ${many}`
  }
  return duration
}
