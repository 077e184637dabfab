import { mentionedJoins } from './compile/joins.ts'
import type { Path } from './error.ts'
import { QueryError } from './error.ts'
import { pairsOf } from './pairs.ts'
import type { BasicOptions, Conditions, ParsedJoin, ParsedQuery, QueryEnv, Side, Value } from './types.ts'
import { contains, isExpansion } from './walk.ts'
import { ofFilter, ofValue, perComparison } from './weights.ts'

/**
 * What a query costs, known before it runs, in the steps of `weights.ts`. It is the most that may be, since no one knows how many rows a
 * condition leaves.
 */

/** What it takes to look at a row at all. */
const perRow = 4
/** A text that is searched for in any case. */
const perSearch = 6
/** A row of a side that lies in a box, or touches a point. */
const perShape = 12
/** The same of areas of a set, which have hundreds of corners. */
const perRegion = 40
const perGrouping = 4
const perOrdering = 20
/** A row that is skipped is read and put together all the same, in the order of an index. */
const perSkipped = 80
/** Items of a list that is expanded, as most have them. */
const itemsOfList = 4
/** A sum over pairs sorts out what it has added already. */
const perSumOfPairs = 64

interface Clause {
  path: Path
  /** Of each row, or of each pair of joined rows. */
  steps: number
}

/** What is to be true of each row of a side. */
function ofConditions(conditions: Conditions, { fields, geometry }: Side, path: Path): Clause[] {
  const { search, before, after, within, intersects, filters } = conditions
  const clauses: Clause[] = filters.map((each) => ({ path: [...path, 'filters'], steps: ofFilter(each) }))
  const searched = fields.filter(({ searchable }) => searchable).length
  if (search !== undefined) clauses.push({ path: [...path, 'search'], steps: perSearch * searched })
  if (before !== undefined) clauses.push({ path: [...path, 'before'], steps: 2 * perComparison })
  if (after !== undefined) clauses.push({ path: [...path, 'after'], steps: 2 * perComparison })
  if (geometry && within)
    clauses.push({ path: [...path, 'within'], steps: 'shape' in within ? perRegion : perShape })
  if (geometry && intersects) clauses.push({ path: [...path, 'intersects'], steps: perShape })
  return clauses
}

/** How many pairs a join makes of so many rows, which are main rows or pairs of those; and what making them takes. */
function ofJoin(
  join: ParsedJoin,
  main: number,
  rows: number,
  index: number,
): { pairs: number; clauses: Clause[] } {
  const path = ['joins', index]
  const { offered, on } = join
  const own = offered.rows * (perRow + sum(ofConditions(join, offered, path)))
  const count = main === 0 ? 0 : (pairsOf(join, main) * rows) / main
  const comparisons = count * (perComparison + (on ? ofFilter(on) : 0))
  // Rows without a partner stay.
  return { pairs: Math.max(rows, count), clauses: [{ path, steps: own + comparisons }] }
}

const sum = (clauses: readonly Clause[]) => clauses.reduce((all, { steps }) => all + steps, 0)

/** The lists that values expand, each once: every item of the one stands beside every item of the other. */
function expansionsIn(values: readonly Value[]): Set<string> {
  const keys = values.flatMap((value): string[] => {
    if (value.kind !== 'call') return []
    const inner = [...expansionsIn(value.arguments)]
    return isExpansion(value) ? [...inner, value.key] : inner
  })
  return new Set(keys)
}

/** Whether a value adds up. */
const isSum = (value: Value) => value.kind === 'call' && value.function.key === 'sum'

/** What a query for rows takes. An order that an index has, without conditions, takes but the rows that are given. */
export function costOfRows(options: BasicOptions, joins: readonly ParsedJoin[], env: QueryEnv): Clause[] {
  const { limit, offset, orderings } = options
  const rows = env.rows ?? 0
  const conditions = ofConditions(options, env, [])
  const ordered = orderings.map(({ value }, i) => ({
    path: ['orderings', i],
    steps: perOrdering + ofValue(value),
  }))
  const isScanned = conditions.length > 0 || ordered.length > 0 || joins.length > 0
  const reading = { path: [], steps: (isScanned ? rows : Math.min(rows, limit)) * perRow }
  const skipping = { path: ['offset'], steps: Math.min(rows, offset) * perSkipped }
  const of = (clauses: Clause[], many: number) =>
    clauses.map(({ path, steps }) => ({ path, steps: steps * many }))
  // The matching rows are counted beside being given: each condition is asked twice.
  const matches = of(conditions, 2 * rows)
  return [
    reading,
    skipping,
    ...matches,
    ...of(ordered, rows),
    ...joins.flatMap((join, i) => ofJoin(join, rows, rows, i).clauses),
  ]
}

/** What a query that aggregates takes. */
export function costOfAnalytics(query: ParsedQuery, env: QueryEnv): Clause[] {
  const main = env.rows ?? 0
  let rows = main
  const clauses: Clause[] = [{ path: [], steps: main * perRow }]
  const joins = mentionedJoins(query)
  for (const join of joins) {
    const { pairs, clauses: own } = ofJoin(join, main, rows, query.joins.indexOf(join))
    clauses.push(...own)
    rows = pairs
  }
  const values = [...query.aggregations, ...query.groupings, ...query.orderings].map(({ value }) => value)
  rows *= itemsOfList ** expansionsIn(values).size
  const perSum = joins.length > 0 ? perSumOfPairs : 0
  const add = (path: Path, steps: number) => clauses.push({ path, steps: rows * steps })
  for (const { path, steps } of ofConditions(query, env, [])) add(path, steps)
  query.aggregations.forEach(({ value, filter }, i) =>
    add(
      ['aggregations', i],
      ofValue(value) + (contains(value, isSum) ? perSum : 0) + (filter ? ofFilter(filter) : 0),
    ),
  )
  query.groupings.forEach(({ value, aggregation }, i) =>
    add(['groupings', i], perGrouping + (aggregation === undefined ? ofValue(value) : 0)),
  )
  // Of groups there are fewer than rows; what an ordering computes it computes of rows.
  query.orderings.forEach(({ value, aggregation }, i) =>
    add(['orderings', i], aggregation === undefined ? ofValue(value) : 0),
  )
  return clauses
}

/** The number of steps of all clauses. */
export const stepsOf = sum

/**
 * Refuses a query that takes more steps than its asker has, at the clause that takes most of them. Throws a QueryError that says
 * both numbers.
 */
export function checkCost(clauses: readonly Clause[], env: QueryEnv): void {
  checkSteps(sum(clauses), () => dearest(clauses), env)
}

/** The same of steps that were counted already. */
export function checkSteps(steps: number, path: () => Path, { budget, rows = 0 }: QueryEnv): void {
  if (!budget || steps <= Math.max(budget.steps, (budget.perRow ?? 0) * rows)) return
  const where = [...path()]
  const message =
    `Too much for one question: about ${short(steps)} steps over ${rows.toLocaleString('en')} records. ` +
    `${budget.who} may ask for ${short(budget.steps)}. ${advice[where[0] ?? ''] ?? anything}`
  throw new QueryError([{ path: where, message }])
}

const anything = 'Use fewer conditions (a list with $in is cheap), fewer joins or simpler functions.'

/** How to ask for less, by the clause that takes most. */
const advice: Record<string, string> = {
  offset: 'Go on with `next` of the page before instead, or filter.',
  orderings: 'Order by a field instead of a function, by fewer of them, or filter by what an index finds.',
  search: 'Search in fewer records, or compare one field with a pattern.',
  joins: 'Say which fields of the two are equal, by one with many different values, or join fewer records.',
  field: 'Ask for fewer fields at once.',
}

/** Where the most steps are: one condition, grouping …, or the whole clause where no single one of them takes half of it. */
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
