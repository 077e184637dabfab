import { mentionedJoins } from './compile/joins.ts'
import type { Path } from './error.ts'
import { QueryError } from './error.ts'
import { estimatePairs } from './pairs.ts'
import type { BasicOptions, Conditions, ParsedJoin, ParsedQuery, QueryEnv, Side, Value } from './types.ts'
import { contains, isExpansion } from './walk.ts'
import { estimateFilterCost, estimateValueCost, perComparison } from './weights.ts'

/**
 * Estimates the cost of a query before it runs, in the steps of `weights.ts`. It is an upper bound: the selectivity of
 * conditions is unknown, so each is assumed to keep all rows.
 */

/** Steps for reading one row. */
const perRow = 4
/** Steps for a case-insensitive search in one text. */
const perSearch = 6
/** Steps for testing whether a row is in a box or touches a point. */
const perShape = 12
/** The same for areas of a boundary set, which have hundreds of vertices. */
const perRegion = 40
const perGrouping = 4
const perOrdering = 20
/** Steps for a row that `offset` skips: it is still read and assembled, in the order of an index. */
const perSkipped = 80
/** Assumed number of items in a list that is expanded. */
const itemsOfList = 4
/** Steps per pair for a sum over joined rows, which sorts to add each row once. */
const perSumOfPairs = 64

interface Clause {
  path: Path
  /** The cost of a clause per row, or per pair of joined rows. */
  steps: number
}

/** The conditions on the rows of one side of a join, with their cost per row. */
function estimateConditionCosts(conditions: Conditions, { fields, geometry }: Side, path: Path): Clause[] {
  const { search, before, after, within, intersects, filters } = conditions
  const clauses: Clause[] = filters.map((each) => ({
    path: [...path, 'filters'],
    steps: estimateFilterCost(each),
  }))
  const searchableCount = fields.filter(({ searchable }) => searchable).length
  if (search !== undefined) clauses.push({ path: [...path, 'search'], steps: perSearch * searchableCount })
  if (before !== undefined) clauses.push({ path: [...path, 'before'], steps: 2 * perComparison })
  if (after !== undefined) clauses.push({ path: [...path, 'after'], steps: 2 * perComparison })
  if (geometry && within)
    clauses.push({ path: [...path, 'within'], steps: 'shape' in within ? perRegion : perShape })
  if (geometry && intersects) clauses.push({ path: [...path, 'intersects'], steps: perShape })
  return clauses
}

/** The number of pairs that a join makes of `rows` (main rows, or pairs of earlier joins), and its cost. */
function estimateJoinCost(
  join: ParsedJoin,
  main: number,
  rows: number,
  index: number,
): { pairs: number; clauses: Clause[] } {
  const path = ['joins', index]
  const { side, on } = join
  const own = side.rows * (perRow + sum(estimateConditionCosts(join, side, path)))
  const count = main === 0 ? 0 : (estimatePairs(join, main) * rows) / main
  const comparisons = count * (perComparison + (on ? estimateFilterCost(on) : 0))
  // Rows without a partner stay in the result (left join).
  return { pairs: Math.max(rows, count), clauses: [{ path, steps: own + comparisons }] }
}

const sum = (clauses: readonly Clause[]) => clauses.reduce((all, { steps }) => all + steps, 0)

/** The keys of expanded lists, without duplicates: several lists multiply, as every item is combined with every other. */
function expansionsIn(values: readonly Value[]): Set<string> {
  const keys = values.flatMap((value): string[] => {
    if (value.kind !== 'call') return []
    const inner = [...expansionsIn(value.arguments)]
    return isExpansion(value) ? [...inner, value.key] : inner
  })
  return new Set(keys)
}

/** Whether a value is a call of `sum`. */
const isSum = (value: Value) => value.kind === 'call' && value.function.key === 'sum'

/** The cost of a query for rows. With the order of an index and without conditions, only the rows of the page are read. */
export function costOfRows(options: BasicOptions, joins: readonly ParsedJoin[], env: QueryEnv): Clause[] {
  const { limit, offset, orderings } = options
  const rows = env.rows ?? 0
  const conditions = estimateConditionCosts(options, env, [])
  const orderingClauses = orderings.map(({ value }, i) => ({
    path: ['orderings', i],
    steps: perOrdering + estimateValueCost(value),
  }))
  const isScanned = conditions.length > 0 || orderingClauses.length > 0 || joins.length > 0
  const reading = { path: [], steps: (isScanned ? rows : Math.min(rows, limit)) * perRow }
  const skipping = { path: ['offset'], steps: Math.min(rows, offset) * perSkipped }
  const multiplySteps = (clauses: Clause[], many: number) =>
    clauses.map(({ path, steps }) => ({ path, steps: steps * many }))
  // Conditions count twice: once for the page, once for the total number of matching rows.
  const matches = multiplySteps(conditions, 2 * rows)
  return [
    reading,
    skipping,
    ...matches,
    ...multiplySteps(orderingClauses, rows),
    ...joins.flatMap((join, i) => estimateJoinCost(join, rows, rows, i).clauses),
  ]
}

/** The cost of a query that aggregates. */
export function costOfAnalytics(query: ParsedQuery, env: QueryEnv): Clause[] {
  const main = env.rows ?? 0
  let rows = main
  const clauses: Clause[] = [{ path: [], steps: main * perRow }]
  const joins = mentionedJoins(query)
  for (const join of joins) {
    const { pairs, clauses: own } = estimateJoinCost(join, main, rows, query.joins.indexOf(join))
    clauses.push(...own)
    rows = pairs
  }
  const values = [...query.aggregations, ...query.groupings, ...query.orderings].map(({ value }) => value)
  rows *= itemsOfList ** expansionsIn(values).size
  const perSum = joins.length > 0 ? perSumOfPairs : 0
  const add = (path: Path, steps: number) => clauses.push({ path, steps: rows * steps })
  for (const { path, steps } of estimateConditionCosts(query, env, [])) add(path, steps)
  query.aggregations.forEach(({ value, filter }, i) =>
    add(
      ['aggregations', i],
      estimateValueCost(value) +
        (contains(value, isSum) ? perSum : 0) +
        (filter ? estimateFilterCost(filter) : 0),
    ),
  )
  query.groupings.forEach(({ value, aggregation }, i) =>
    add(['groupings', i], perGrouping + (aggregation === undefined ? estimateValueCost(value) : 0)),
  )
  // There are fewer groups than rows, but the value of an ordering is computed for each row.
  query.orderings.forEach(({ value, aggregation }, i) =>
    add(['orderings', i], aggregation === undefined ? estimateValueCost(value) : 0),
  )
  return clauses
}

/** The number of steps of all clauses. */
export const sumSteps = sum

/**
 * Throws a QueryError when a query costs more steps than `env.budget` allows. It names both numbers, and its path is the clause that
 * costs most.
 */
export function checkCost(clauses: readonly Clause[], env: QueryEnv): void {
  checkSteps(sum(clauses), () => dearest(clauses), env)
}

/** Like `checkCost`, for a known number of steps; `path` is called only when it is too high. */
export function checkSteps(steps: number, path: () => Path, { budget, rows = 0 }: QueryEnv): void {
  if (!budget || steps <= Math.max(budget.steps, (budget.perRow ?? 0) * rows)) return
  const where = [...path()]
  const message =
    `Too much for one question: about ${short(steps)} steps over ${rows.toLocaleString('en')} records. ` +
    `${budget.who} may ask for ${short(budget.steps)}. ${advice[where[0] ?? ''] ?? anything}`
  throw new QueryError([{ path: where, message }])
}

const anything = 'Use fewer conditions (a list with $in is cheap), fewer joins or simpler functions.'

/** Advice to reduce the cost, by the most expensive clause. */
const advice: Record<string, string> = {
  offset: 'Go on with `next` of the page before instead, or filter.',
  orderings: 'Order by a field instead of a function, by fewer of them, or filter by what an index finds.',
  search: 'Search in fewer records, or compare one field with a pattern.',
  joins: 'Say which fields of the two are equal, by one with many different values, or join fewer records.',
  field: 'Ask for fewer fields at once.',
}

/**
 * The path of the most expensive clause; of one entry in it (a condition, a grouping …) that makes up at least half of
 * its cost.
 */
function dearest(clauses: readonly Clause[]): (string | number)[] {
  const localized = clauses.filter(({ path }) => path.length > 0)
  const byName = new Map<string | number, Clause[]>()
  for (const clause of localized) {
    const name = clause.path[0] ?? ''
    byName.set(name, [...(byName.get(name) ?? []), clause])
  }
  const [[name, most] = ['', []]] = [...byName].sort(([, a], [, b]) => sum(b) - sum(a))
  const one = most.find(({ steps }) => 2 * steps >= sum(most))
  return one ? [...one.path] : [name].filter((each) => each !== '')
}

/** 31,400,000 as "31 million". */
function short(steps: number): string {
  if (steps < 1_000_000) return Math.round(steps).toLocaleString('en')
  if (steps < 1e9) return `${Math.round(steps / 1e6).toLocaleString('en')} million`
  return `${Math.round(steps / 1e9).toLocaleString('en')} billion`
}
