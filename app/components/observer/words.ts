import { formatNumber } from '../list/number-format.ts'
import { isObject } from '../builder/json.ts'
import type { ObserverCondition } from '#functions/shapes/observer-words.ts'

export {
  comparisonWords,
  describeCondition,
  valueWords,
  type Names,
  type ObserverCondition,
} from '#functions/shapes/observer-words.ts'

/** Parses the condition of an observer. */
export function conditionIn(json: unknown): ObserverCondition {
  return isObject(json) && typeof json.operator === 'string'
    ? { ...json, operator: json.operator }
    : { operator: 'each' }
}

export type ObserverState = 'paused' | 'failing' | 'tripped' | 'armed'

/** The state of an observer: off, failing, condition met, or waiting. */
export function getObserverState(observer: {
  enabled: boolean
  error: string | null
  isCrossed: boolean
}): ObserverState {
  if (!observer.enabled) return 'paused'
  if (observer.error !== null) return 'failing'
  return observer.isCrossed ? 'tripped' : 'armed'
}

/** Formats a measured value. */
export function formatMeasuredValue(value: unknown): string {
  if (value === null || value === undefined) return 'nothing yet'
  if (typeof value === 'number') return formatNumber(value, 2)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const units: [RegExp, string, string][] = [
  [/^P(\d+)W$/, 'week', 'weeks'],
  [/^P(\d+)D$/, 'day', 'days'],
  [/^PT(\d+)H$/, 'hour', 'hours'],
  [/^PT(\d+)M$/, 'minute', 'minutes'],
]

/** A duration in words if it has one unit: `6 hours`; else unchanged. */
export function durationWords(duration: string): string {
  for (const [pattern, one, many] of units) {
    const [, count] = pattern.exec(duration) ?? []
    if (count) return Number(count) === 1 ? `1 ${one}` : `${Number(count)} ${many}`
  }
  return duration
}
