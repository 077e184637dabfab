import type { comparisons, Condition } from '#functions/shapes/observer.ts'

/** The state of an observer. */
export interface ObserverState {
  /** Whether its condition holds. */
  isCrossed: boolean
  /** Whether an alert was sent for the current crossing; only then is a recovery sent. */
  isTold: boolean
  /** The last value of its aggregation; for `change` the one last notified. Undefined: never observed. */
  lastValue: unknown
}

/** The result of an observation: the value of the aggregation, or the new records. */
export type Observation = { value: unknown } | { count: number; datumIds: string[] }

/** An alert or recovery to send. */
export interface Notice {
  kind: 'alert' | 'recovery'
  /** The value of the aggregation, or the number of new records. */
  value: unknown
  /** For `change`: the value before. */
  before?: unknown
  /** Ids of the new records, at most 100. */
  datumIds: string[]
}

interface Verdict {
  standing: ObserverState
  notice: Notice | null
  /** True: an alert is suppressed by the cooldown, so the observer has to be observed again after it. */
  isHeld: boolean
}

/**
 * Decides what an observation means. Alerts and recoveries of a comparison strictly alternate: an alert when
 * it begins to hold, a recovery when it stops. While `isQuiet` (during the cooldown) only recoveries are
 * sent; an alert is sent after the cooldown if its reason still exists. Values that cannot be compared (null:
 * no records) do not hold. Throws for the operator `each` with a value.
 */
export function evaluateObservation(
  condition: Condition,
  before: ObserverState,
  sight: Observation,
  isQuiet: boolean,
): Verdict {
  if ('count' in sight) return evaluateNewRecords(before, sight, isQuiet)
  const { value } = sight
  if (condition.operator === 'change') return evaluateChange(before, value, isQuiet)
  if (condition.operator === 'each') throw new Error('Records are counted, not compared.')
  const isCrossed = holds(condition.operator, value, condition.value)
  const status = { isCrossed, isTold: isCrossed && (before.isTold || !isQuiet), lastValue: value }
  const message = isCrossed ? 'alert' : 'recovery'
  const kind = status.isTold === before.isTold ? null : message
  const notice: Notice | null = kind && { kind, value, datumIds: [] }
  return { standing: status, notice, isHeld: isCrossed && !status.isTold }
}

function evaluateNewRecords(
  before: ObserverState,
  { count, datumIds }: { count: number; datumIds: string[] },
  isQuiet: boolean,
) {
  const isHeld = count > 0 && isQuiet
  const isTold = count > 0 && !isQuiet
  const notice: Notice | null = isTold ? { kind: 'alert', value: count, datumIds } : null
  return { standing: before, notice, isHeld }
}

function evaluateChange(before: ObserverState, value: unknown, isQuiet: boolean): Verdict {
  const lastValue = before.lastValue
  const isSame = lastValue === undefined || JSON.stringify(lastValue) === JSON.stringify(value)
  const isHeld = !isSame && isQuiet
  const notice: Notice | null =
    isSame || isQuiet ? null : { kind: 'alert', value, before: lastValue, datumIds: [] }
  return { standing: { ...before, lastValue: isHeld ? lastValue : value }, notice, isHeld }
}

function holds(operator: (typeof comparisons)[number], value: unknown, threshold: number): boolean {
  if (typeof value !== 'number') return false
  switch (operator) {
    case 'gt':
      return value > threshold
    case 'gte':
      return value >= threshold
    case 'lt':
      return value < threshold
    case 'lte':
      return value <= threshold
    case 'eq':
      return value === threshold
  }
}
