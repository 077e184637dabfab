import type { Path } from './error.ts'
import { QueryError } from './error.ts'
import type {
  BasicOptions,
  Conditions,
  Filter,
  ParsedJoin,
  ParsedQuery,
  QueryEnv,
  Side,
  Value,
} from './types.ts'

/**
 * What a query costs, known before it runs, in steps: one is about what comparing one number of one row takes (some tens of
 * nanoseconds of a database's core). It is the most that may be, since no one knows how many rows a condition leaves. The weights
 * were measured on a million rows; `npm run test:full -- cost` prints cost and time side by side.
 */

/** What it takes to look at a row at all. */
const perRow = 4
/** One value against one other. */
const perComparison = 1
/** A value among a list of any length: Postgres hashes the list. */
const perLookup = 3
const perPattern = 4
const perRegexp = 24
/** A text that is searched for in any case. */
const perSearch = 6
/** A row of a side that lies in a box, or touches a point. */
const perShape = 12
/** A key below a map: the map is read whole. */
const perDeeper = 8
const perGrouping = 4
const perOrdering = 20
/** A row that is skipped is read and put together all the same, in the order of an index. */
const perSkipped = 40
/** Items of a list that is expanded, as most have them. */
const itemsOfList = 4
/** Pairs that a row has, where fields must be equal. */
const pairsPerRow = 4

const regexps: ReadonlySet<string> = new Set(['$regexp', '$notRegexp', '$iRegexp', '$notIRegexp'])
/** Their list is compared item by item. */
const unhashed: ReadonlySet<string> = new Set(['$all'])

/** A call of a function, without its arguments: by its key, else by its category. */
const perCall: Record<string, number> = {
  ...{ Math: 1, Comparison: 1, Array: 4, Aggregation: 2, 'Date/Time': 12, Geospatial: 80 },
  ...{ now: 0, last: 0, interval: 0, boundingBox: 8, geojson: 40, count: 0, median: 8, distinctCount: 16 },
}

interface Clause {
  path: Path
  /** Of each row, or of each pair of joined rows. */
  steps: number
}

function ofValue(value: Value): number {
  if (value.kind === 'constant') return 0
  if (value.kind === 'field') return value.deeper.length > 0 ? perDeeper : 0
  const { key, category } = value.function
  return value.arguments.reduce((sum, each) => sum + ofValue(each), perCall[key] ?? perCall[category] ?? 1)
}

function ofFilter(filter: Filter): number {
  if (filter.kind === 'condition') return perComparison + ofValue(filter.value)
  if (filter.kind === 'not') return ofFilter(filter.of)
  if (filter.kind !== 'comparison') return filter.of.reduce((sum, each) => sum + ofFilter(each), 0)
  const { left, operator, right } = filter
  const values = right.reduce((sum, each) => sum + ofValue(each), ofValue(left))
  const { takes, key } = operator
  if (regexps.has(key)) return values + perRegexp * right.length
  if (takes === 'pattern' || takes === 'patterns') return values + perPattern * right.length
  if (takes === 'list' && !unhashed.has(key)) return values + Math.min(perLookup, right.length)
  return values + perComparison * Math.max(1, right.length)
}

/** What is to be true of each row of a side. */
function ofConditions(conditions: Conditions, { fields, geometry }: Side, path: Path): Clause[] {
  const { search, before, after, within, intersects, filters } = conditions
  const clauses: Clause[] = filters.map((each) => ({ path: [...path, 'filters'], steps: ofFilter(each) }))
  const searched = fields.filter(({ searchable }) => searchable).length
  if (search !== undefined) clauses.push({ path: [...path, 'search'], steps: perSearch * searched })
  if (before !== undefined) clauses.push({ path: [...path, 'before'], steps: 2 * perComparison })
  if (after !== undefined) clauses.push({ path: [...path, 'after'], steps: 2 * perComparison })
  if (geometry && within) clauses.push({ path: [...path, 'within'], steps: perShape })
  if (geometry && intersects) clauses.push({ path: [...path, 'intersects'], steps: perShape })
  return clauses
}

/** Whether a filter asks that a field of the one side equals one of the other: such rows are found, not tried pair by pair. */
function hasEquality(filter: Filter | undefined): boolean {
  if (!filter) return false
  if (filter.kind === 'all') return filter.of.some(hasEquality)
  return (
    filter.kind === 'comparison' &&
    filter.operator.key === '$eq' &&
    filter.right.every(({ kind }) => kind === 'field')
  )
}

/** How many pairs a join makes of so many rows, and what making them takes. */
function ofJoin(join: ParsedJoin, rows: number, index: number): { pairs: number; clauses: Clause[] } {
  const path = ['joins', index]
  const { offered, on } = join
  const conditions = ofConditions(join, offered, path)
  const own = offered.rows * (perRow + sum(conditions))
  const isFound = hasEquality(on)
  const pairs = isFound ? pairsPerRow * Math.max(rows, offered.rows) : rows * Math.max(1, offered.rows)
  const tried = pairs * (perComparison + (on ? ofFilter(on) : 0))
  return { pairs, clauses: [{ path, steps: own + tried }] }
}

const sum = (clauses: readonly Clause[]) => clauses.reduce((all, { steps }) => all + steps, 0)

const isExpanded = (value: Value): boolean =>
  value.kind === 'call' && (value.function.expands === true || value.arguments.some(isExpanded))

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
  const read = { path: [], steps: (isScanned ? rows : Math.min(rows, limit)) * perRow }
  const skipped = { path: ['offset'], steps: Math.min(rows, offset) * perSkipped }
  const of = (clauses: Clause[], many: number) =>
    clauses.map(({ path, steps }) => ({ path, steps: steps * many }))
  // The matching rows are counted beside being given: each condition is asked twice.
  const found = of(conditions, 2 * rows)
  return [
    read,
    skipped,
    ...found,
    ...of(ordered, rows),
    ...joins.flatMap((join, i) => ofJoin(join, rows, i).clauses),
  ]
}

/** What a query that aggregates takes. */
export function costOfAnalytics(query: ParsedQuery, env: QueryEnv): Clause[] {
  let rows = env.rows ?? 0
  const clauses: Clause[] = [{ path: [], steps: rows * perRow }]
  for (const [i, join] of query.joins.entries()) {
    const { pairs, clauses: own } = ofJoin(join, rows, i)
    clauses.push(...own)
    rows = pairs
  }
  const values = [...query.aggregations, ...query.groupings].map(({ value }) => value)
  if (values.some(isExpanded)) rows *= itemsOfList
  const add = (path: Path, steps: number) => clauses.push({ path, steps: rows * steps })
  for (const { path, steps } of ofConditions(query, env, [])) add(path, steps)
  query.aggregations.forEach(({ value, filter }, i) =>
    add(['aggregations', i], ofValue(value) + (filter ? ofFilter(filter) : 0)),
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
export function checkCost(clauses: readonly Clause[], { budget, rows = 0 }: QueryEnv): void {
  const steps = sum(clauses)
  if (!budget || steps <= Math.max(budget.steps, (budget.perRow ?? 0) * rows)) return
  const message =
    `Too much for one question: about ${short(steps)} steps over ${rows.toLocaleString('en')} records. ` +
    `${budget.who} may ask for ${short(budget.steps)}. Use fewer conditions (a list with $in is cheap), fewer joins or simpler functions.`
  throw new QueryError([{ path: dearest(clauses), message }])
}

/** Where the most steps are: one condition, grouping …, or the whole clause where no single one of them takes half of it. */
function dearest(clauses: readonly Clause[]): (string | number)[] {
  const named = clauses.filter(({ path }) => path.length > 0)
  const byName = new Map<string | number, Clause[]>()
  for (const clause of named) {
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
