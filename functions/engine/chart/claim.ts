import type { AggregateFunction, OutputField } from '#functions/shapes/analytics.ts'
import { isStacked } from './bar-parts.ts'
import type { ChartInput } from './frame.ts'
import { columnDecimals } from './measure.ts'
import type { Slice } from './pie.ts'

/** What a value belongs to: the value of a grouping column, or one of several measures. */
export type Mark = { alias: string; value: unknown } | { measure: string }

/** A value with its groups. */
export interface Operand {
  value: number
  at: Mark[]
}

/** A measure. */
export interface Measure {
  /** Null: several columns that share a unit. */
  alias: string | null
  name: string
  function?: AggregateFunction
  field: OutputField | undefined
  /** The decimals of the whole column: smaller differences are not displayed, and do not count. */
  decimals: number | undefined
}

/** The groups that a claim covers, and whether these are all. */
export interface Groups {
  /** The total number. */
  groups: number
  shownCount: number
  complete: boolean
  /** `groups` is not exact. */
  estimated?: true
  /** Which groups of an ordered column are shown; null: unknown. */
  rank: 'largest' | 'smallest' | null
}

/** The time a claim speaks of. */
export interface Period {
  alias: string
  /** The first and the last span with a value, as the answer has them. */
  from: unknown
  to: unknown
  /** Partially covered buckets, which are excluded from comparisons. */
  partial: unknown[]
}

interface Common {
  /** The title of the query. */
  subject: string
  of: Groups
  period: Period | null
}

/**
 * A claim about an answer, as data: `phrases/` turns it into a sentence. Everything in it is true of the rows; what is
 * unknown is left out.
 */
export type Claim = Common &
  (
    | { kind: 'nothing' }
    /** States only that some rows are missing. */
    | { kind: 'cut' }
    /** One value. `isPartial`: the data do not cover the span it is of. */
    | { kind: 'level'; measure: Measure; operands: [Operand]; isPartial: boolean; isExact: boolean }
    /**
     * Two comparable values at different times: the ends of a series of years, or a bucket and the same one of the year
     * before. `turn`: the extreme between them that exceeds both.
     */
    | {
        kind: 'change'
        measure: Measure
        comparable: 'ends' | 'yearBefore'
        operands: [before: Operand, now: Operand]
        direction: 'rose' | 'fell' | 'alike' | 'same'
        turn: { kind: 'peak' | 'low'; operand: Operand } | null
      }
    /** The range of a series without comparable buckets. */
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

/** The measure of a column. */
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

/** Whether a limit truncated the rows: then nothing may be claimed as if they were complete. */
export const isCut = ({ output }: ChartInput): boolean => output.total !== undefined

/** The groups of a claim by a column. */
function buildClaimGroups({ output, rows }: ChartInput, alias: string | null): Groups {
  const { total, estimated, orderings, skipped } = output
  const [first] = orderings
  const isRanked = first && skipped === undefined && alias !== null && first.alias === alias
  return {
    ...{ groups: total ?? rows.length, shownCount: rows.length, complete: total === undefined },
    ...(estimated && { estimated }),
    rank: isRanked ? (first.direction === 'desc' ? 'largest' : 'smallest') : null,
  }
}

/** What every claim of an answer has. */
export const buildClaimBase = (input: ChartInput, alias: string | null = null): Common => ({
  subject: input.title,
  of: buildClaimGroups(input, alias),
  period: null,
})

/**
 * The groups with the largest and with the smallest value; none without values. For truncated rows in unknown order
 * neither is an extreme: only the truncation is stated.
 */
export function buildRangeClaim(
  measure: Measure,
  operands: Operand[],
  input: ChartInput,
  when: Mark | null = null,
): Claim {
  const common = buildClaimBase(input, measure.alias)
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

/** Functions whose group values can be summed. Answers without a function are assumed to be additive. */
const additive = new Set<AggregateFunction | undefined>(['count', 'sum', undefined])

/** Whether the values of groups may be added up: a mean is no part of a sum of means. */
export const isAdditive = (measure: Measure): boolean => additive.has(measure.function)

/** Whether series are stacked as bars and may be summed. */
export function isSum(input: ChartInput, measure: Measure, series: string): boolean {
  const names = new Set(input.rows.map((row) => String(row[series])))
  const isDrawnSo = isStacked(
    input,
    [...names].map((name) => ({ name, color: '', points: [] })),
  )
  return isDrawnSo && isAdditive(measure)
}
