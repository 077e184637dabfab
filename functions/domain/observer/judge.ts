import type { comparisons, Condition } from '#functions/shapes/observer.ts'

/** Where an observer stands. */
export interface ObserverState {
  /** Whether its condition holds. */
  isCrossed: boolean
  /** Whether the crossing that holds was told; it is told that it is over only then. */
  isTold: boolean
  /** What its aggregation gave; of `change` the value that was last told. Undefined: never looked at. */
  lastValue: unknown
}

/** What was seen at a look: what the aggregation gives, or which records are new. */
export type Sight = { value: unknown } | { count: number; datumIds: string[] }

/** Something to say. */
export interface Notice {
  kind: 'alert' | 'recovery'
  /** What the aggregation gives, or how many records are new. */
  value: unknown
  /** Of `change`: what it gave before. */
  before?: unknown
  /** At most 100. */
  datumIds: string[]
}

interface Verdict {
  standing: ObserverState
  notice: Notice | null
  /** True: there is something to say that the time between two alerts forbids. It is to be looked at again after it. */
  isHeld: boolean
}

/**
 * What a look means. Alerts and recoveries of a comparison strictly alternate: an alert when it begins to hold, a
 * recovery when it does not hold any more. While `isQuiet` (an alert was given a short time ago) there are only
 * recoveries: an alert waits, and is given after that time if it still has a reason. What cannot be compared (null: no
 * records) does not hold.
 */
export function judge(condition: Condition, before: ObserverState, sight: Sight, isQuiet: boolean): Verdict {
  if ('count' in sight) return ofNew(before, sight, isQuiet)
  const { value } = sight
  if (condition.operator === 'change') return ofChange(before, value, isQuiet)
  if (condition.operator === 'each') throw new Error('Records are counted, not compared.')
  const isCrossed = holds(condition.operator, value, condition.value)
  const status = { isCrossed, isTold: isCrossed && (before.isTold || !isQuiet), lastValue: value }
  const spoken = isCrossed ? 'alert' : 'recovery'
  const kind = status.isTold === before.isTold ? null : spoken
  const notice: Notice | null = kind && { kind, value, datumIds: [] }
  return { standing: status, notice, isHeld: isCrossed && !status.isTold }
}

function ofNew(
  before: ObserverState,
  { count, datumIds }: { count: number; datumIds: string[] },
  isQuiet: boolean,
) {
  const isHeld = count > 0 && isQuiet
  const isTold = count > 0 && !isQuiet
  const notice: Notice | null = isTold ? { kind: 'alert', value: count, datumIds } : null
  return { standing: before, notice, isHeld }
}

function ofChange(before: ObserverState, value: unknown, isQuiet: boolean): Verdict {
  const known = before.lastValue
  const isSame = known === undefined || JSON.stringify(known) === JSON.stringify(value)
  const isHeld = !isSame && isQuiet
  const notice: Notice | null =
    isSame || isQuiet ? null : { kind: 'alert', value, before: known, datumIds: [] }
  return { standing: { ...before, lastValue: isHeld ? known : value }, notice, isHeld }
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
