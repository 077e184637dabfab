import type { AggregateFunction, OutputField } from '#functions/shapes/analytics.ts'
import { isStacked } from './bar-parts.ts'
import type { ChartInput } from './frame.ts'
import { columnDecimals } from './measure.ts'
import type { Slice } from './pie.ts'

/** What a value stands for: the value of a column of groups, or one of several measures. */
export type Mark = { alias: string; value: unknown } | { measure: string }

/** A value with what it stands for. */
export interface Operand {
  value: number
  at: Mark[]
}

/** What is measured. */
export interface Measure {
  /** Null: several columns that share a unit. */
  alias: string | null
  name: string
  function?: AggregateFunction
  field: OutputField | undefined
  /** The decimals of the whole column: what is less than the last of them is not shown, and no difference. */
  decimals: number | undefined
}

/** Of how many groups a claim is, and whether these are all there are. */
export interface Groups {
  /** How many there are in all. */
  groups: number
  shown: number
  complete: boolean
  /** `groups` is not exact. */
  estimated?: true
  /** Which ones are shown of a column by which they are ordered; null: no one can say. */
  rank: 'largest' | 'smallest' | null
}

/** The time a claim speaks of. */
export interface Period {
  alias: string
  /** The first and the last span with a value, as the answer has them. */
  from: unknown
  to: unknown
  /** Those of them that the data do not cover. They take no part in a comparison. */
  partial: unknown[]
}

interface Common {
  /** What the question is called. */
  subject: string
  of: Groups
  period: Period | null
}

/**
 * What may be said of an answer, as data: `phrases/` has the words for it, and nothing else makes sentences. Everything a kind says is true
 * of the rows it was made from; what is not known is not in it.
 */
export type Claim = Common &
  (
    | { kind: 'nothing' }
    /** Nothing but that some rows are missing. */
    | { kind: 'cut' }
    /** One value. `isPartial`: the data do not cover the span it is of. */
    | { kind: 'level'; measure: Measure; operands: [Operand]; isPartial: boolean; isExact: boolean }
    /**
     * Two values that are alike but for their time: the ends of a series of years, or a span and the same one of the year before.
     * `turn` is where it went beyond both of them on the way.
     */
    | {
        kind: 'change'
        measure: Measure
        comparable: 'ends' | 'yearBefore'
        operands: [before: Operand, now: Operand]
        direction: 'rose' | 'fell' | 'alike' | 'same'
        turn: { kind: 'peak' | 'low'; operand: Operand } | null
      }
    /** Between which values a series lies, where no two of its spans are alike. */
    | { kind: 'between'; measure: Measure; operands: { least: Operand[]; most: Operand[] } }
    /** The largest and the smallest of groups; `when` they were. */
    | {
        kind: 'range'
        measure: Measure
        comparable: 'groups'
        operands: { most: Operand[]; least: Operand[] }
        cases: number
        when: Mark | null
      }
    | { kind: 'share'; measure: Measure; part: Mark; slice: Slice; parts: number; equal: Slice[] }
    | {
        kind: 'bin'
        measure: Measure
        low: number
        high: number
        count: number
        total: number
        rest: 'alone' | 'shared' | 'only'
      }
    | { kind: 'count'; of: Groups; what: 'rows' | 'points' | 'areas'; count: number }
    | { kind: 'pairs'; count: number; x: string; y: string }
  )

/** What is measured by a column. */
export function measureBy(alias: string, input: ChartInput): Measure {
  const field = input.output.schema[alias]
  const own = input.output.aggregations.find((each) => each.alias === alias)
  return {
    alias,
    name: field?.name ?? input.title,
    ...(own?.function && { function: own.function }),
    field,
    decimals: field && columnDecimals(input.rows, alias, field),
  }
}

/** Whether a limit left rows out: then nothing may be said as if they were all. */
export const isCut = ({ output }: ChartInput): boolean => output.total !== undefined

/** Of what a claim is whose values are those of a column. */
function groupsOf({ output, rows }: ChartInput, alias: string | null): Groups {
  const { total, estimated, orderings, skipped } = output
  const [first] = orderings
  const isRanked = first && skipped === undefined && alias !== null && first.alias === alias
  return {
    ...{ groups: total ?? rows.length, shown: rows.length, complete: total === undefined },
    ...(estimated && { estimated }),
    rank: isRanked ? (first.direction === 'desc' ? 'largest' : 'smallest') : null,
  }
}

/** What every claim of an answer has. */
export const commonOf = (input: ChartInput, alias: string | null = null): Common => ({
  subject: input.title,
  of: groupsOf(input, alias),
  period: null,
})

/**
 * All that have the largest and all that have the smallest of several values; nothing to say without one. Of some rows of which no one can
 * say which they are, neither is the largest or the smallest of anything: only that they are some is said.
 */
export function rangeOf(
  measure: Measure,
  operands: Operand[],
  input: ChartInput,
  when: Mark | null = null,
): Claim {
  const common = commonOf(input, measure.alias)
  const [first] = operands
  if (!common.of.complete && (!first || common.of.rank === null)) return { ...common, kind: 'cut' }
  if (!first) return { ...common, kind: 'nothing' }
  let [high, low] = [first.value, first.value]
  for (const { value } of operands) {
    high = Math.max(high, value)
    low = Math.min(low, value)
  }
  const having = (value: number) => operands.filter((each) => each.value === value)
  return {
    ...{ ...common, kind: 'range', measure, comparable: 'groups' },
    operands: { most: having(high), least: having(low) },
    ...{ cases: operands.length, when },
  }
}

/** Functions of which the values of groups can be added up. An answer that does not say is taken at its word. */
const additive = new Set<AggregateFunction | undefined>(['count', 'sum', undefined])

/** Whether the values of groups may be added up: a mean is no part of a sum of means. */
export const isAdditive = (measure: Measure): boolean => additive.has(measure.function)

/** Whether series stand on each other as bars, and may be added up. */
export function isSum(input: ChartInput, measure: Measure, series: string): boolean {
  const names = new Set(input.rows.map((row) => String(row[series])))
  const isDrawnSo = isStacked(
    input,
    [...names].map((name) => ({ name, color: '', points: [] })),
  )
  return isDrawnSo && isAdditive(measure)
}
