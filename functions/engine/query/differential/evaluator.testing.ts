import type { Cell } from './cells.testing.ts'
import { compareNullsLast, identity, refuse, toAnswerValue } from './cells.testing.ts'
import { parseNumber } from './constants.testing.ts'
import type { Test } from './filters.testing.ts'
import { parseCondition } from './filters.testing.ts'
import type { World } from './functions.testing.ts'
import { meetsOptions } from './options.testing.ts'
import { isZoneName } from './zone.testing.ts'
import type { FieldInfo, EvaluationInput, PlainRow, Plan, Row } from './values.testing.ts'
import { evaluate, holds, isAggregate, isExpansion, isPlainObject, parsePlan } from './values.testing.ts'

/*
 * A second implementation of the query language: slow, written from its specification, over plain rows in memory. Knows
 * nothing of SQL and shares no code with the product. Throws for what must be rejected.
 */

/** The data of the queries. */
export interface Subject {
  fields: readonly FieldInfo[]
  rows: readonly PlainRow[]
  timeZone: string
  defaultLimit: number
  maxLimit: number
}

/** All rows of an answer in order, with their sort keys; and the range that is returned. */
export interface ExpectedRows {
  rows: { row: Record<string, unknown>; keys: Cell[]; isDown: boolean[] }[]
  from: number
  to: number
  /** Excluded paths. */
  excluded: string[]
  outOfRange: boolean
}

type Question = Record<string, unknown>
const isAbsent = (input: unknown) => input === undefined || input === null || input === ''

function buildWorld(question: Question, subject: Subject, now: number, nudge: number): World {
  const { timezone, customYearStart } = question
  if (!isAbsent(timezone) && !(typeof timezone === 'string' && isZoneName(timezone))) refuse('no time zone')
  const month = isAbsent(customYearStart) ? 1 : parseNumber(customYearStart)
  if (month === undefined || !Number.isInteger(month) || month < 1 || month > 12) return refuse('no month')
  const zone = isAbsent(timezone) ? subject.timeZone : (timezone as string)
  return { now, zone, yearStart: month, outOfRange: false, nudge }
}

interface Ordering {
  plan: Plan
  isDown: boolean
  /** Of the aggregation that it names. */
  alias?: string
}

interface Aggregation {
  alias: string
  plan: Plan
  filter?: Test
}

/** The number of rows to pass over and the one to stop before. */
function parseRowRange(
  question: Question,
  { defaultLimit, maxLimit }: Subject,
): { from: number; to: number } {
  const parseRowCount = (input: unknown, otherwise: number) => {
    const number = isAbsent(input) ? otherwise : parseNumber(input)
    return number !== undefined && Number.isSafeInteger(number) && number >= 0
      ? number
      : refuse('no number of rows')
  }
  const from = parseRowCount(question.offset, 0)
  return { from, to: from + Math.min(parseRowCount(question.limit, defaultLimit), maxLimit) }
}

/** The conditions on rows that a question has anywhere. */
function selected(question: Question, subject: Subject, world: World): Row[] {
  const tests = [
    parseCondition(question.filters, subject.fields),
    parseCondition(question.where, subject.fields),
    ...meetsOptions(question, subject.fields),
  ]
  return subject.rows
    .map((plain): Row => ({ plain, items: new Map() }))
    .filter((row) => tests.every((test) => test === undefined || test(row, world) === true))
}

/** Paths that are not in the answer. */
function parseExclusions(input: unknown, fields: readonly FieldInfo[]): string[] {
  if (isAbsent(input)) return []
  const names = Array.isArray(input) ? input.map(String) : String(input).split(',')
  const trimmed = Array.isArray(input)
    ? names
    : names.map((name) => name.trim()).filter((name) => name !== '')
  for (const name of trimmed) {
    const [head = ''] = name.split('.')
    if (!fields.some(({ path }) => path === head || path.startsWith(`${head}.`))) refuse('nothing to exclude')
  }
  return trimmed.flatMap((name) => [
    name,
    ...(name === 'data' ? fields.map(({ path }) => path).filter((path) => path.startsWith('data.')) : []),
  ])
}

function mustBeAbsentJoins({ joins }: Question): void {
  if (!isAbsent(joins) && !(Array.isArray(joins) && joins.length === 0)) refuse('joins')
}

function parseOrderings(
  input: unknown,
  fields: readonly FieldInfo[],
  aggregations: readonly Aggregation[],
): Ordering[] {
  if (isAbsent(input)) return []
  if (!Array.isArray(input)) return refuse('no list')
  return input.map((each: unknown) => {
    if (!isPlainObject(each) || isAbsent(each.value)) return refuse('nothing to order by')
    if (each.direction !== 'asc' && each.direction !== 'desc') refuse('no direction')
    return { ...resolveValue(each.value, fields, aggregations), isDown: each.direction === 'desc' }
  })
}

/** A value, or an aggregation by its alias. */
function resolveValue(input: unknown, fields: readonly FieldInfo[], aggregations: readonly Aggregation[]) {
  const alias = isPlainObject(input) && !Object.hasOwn(input, 'function') ? input.field : undefined
  const aggregation = aggregations.find((each) => each.alias === alias)
  if (!aggregation) return { plan: parsePlan(input, fields) }
  const isColumn = fields.some(({ path }) => path === aggregation.alias)
  if (isColumn && aggregation.plan.key !== `~${aggregation.alias}`) refuse('ambiguous')
  return { plan: aggregation.plan, alias: aggregation.alias }
}

function sortRows(rows: ExpectedRows['rows']): ExpectedRows['rows'] {
  return [...rows].sort((a, b) => {
    for (const [i, key] of a.keys.entries()) {
      const order = compareNullsLast(key, b.keys[i] as Cell)
      if (order !== 0) return a.isDown[i] ? -order : order
    }
    return 0
  })
}

/** The rows that a question finds, by their id. */
export function rowsMeant(question: unknown, subject: Subject, now: number, nudge = 0): ExpectedRows {
  if (isAbsent(question)) return rowsMeant({}, subject, now, nudge)
  if (!isPlainObject(question)) return refuse('no question')
  const world = buildWorld(question, subject, now, nudge)
  mustBeAbsentJoins(question)
  const cut = parseRowRange(question, subject)
  const orderings = parseOrderings(question.orderings, subject.fields, [])
  for (const { plan } of orderings)
    if (holds(plan, isAggregate) || holds(plan, isExpansion)) refuse('not of one row')
  const excluded = parseExclusions(question.exclusions, subject.fields)
  const id = parsePlan({ field: 'id' }, subject.fields)
  const resultRows = selected(question, subject, world).map((row) => ({
    row: { id: row.plain.id },
    // "Append id as a tie-breaker."
    keys: [...orderings.map(({ plan }) => plan), id].map((plan) => evaluate(plan, { rows: [row] }, world)),
    isDown: [...orderings.map(({ isDown }) => isDown), false],
  }))
  return { rows: sortRows(resultRows), ...cut, excluded, outOfRange: world.outOfRange }
}

function parseAggregations(input: unknown, fields: readonly FieldInfo[]): Aggregation[] {
  if (!Array.isArray(input) || input.length === 0 || input.length > 200) return refuse('no aggregations')
  const aggregations = input.map((each: unknown): Aggregation => {
    if (!isPlainObject(each)) return refuse('no aggregation')
    const { alias, value, name, notes, filters } = each
    if (typeof alias !== 'string' || !/^[\w-]{1,64}$/.test(alias)) return refuse('no alias')
    for (const [label, limit] of [
      [name, 64],
      [notes, 1024],
    ] as const)
      if (!isAbsent(label) && !(typeof label === 'string' && label.length <= limit)) refuse('no label')
    if (isAbsent(value)) refuse('no value')
    const plan = parsePlan(value, fields)
    const filter = parseCondition(filters, fields)
    if (filter && !holds(plan, isAggregate)) refuse('a filter of nothing')
    if (holds(plan, isNested)) refuse('an aggregation of an aggregation')
    return { alias, plan, filter }
  })
  if (new Set(aggregations.map(({ alias }) => alias)).size < aggregations.length) refuse('an alias twice')
  return aggregations
}

const isNested = (plan: Plan) =>
  isAggregate(plan) && Boolean(plan.call?.args.some((each) => holds(each, isAggregate)))

/** "Every field outside of an aggregate function must be grouped", and so must an expanded list: it has many values. */
function mustBeGrouped(plan: Plan, grouped: ReadonlySet<string>): void {
  if (isAggregate(plan) || grouped.has(plan.key)) return
  if (plan.field || isExpansion(plan)) refuse('not grouped')
  for (const each of plan.call?.args ?? []) mustBeGrouped(each, grouped)
}

/** The answer of a question that aggregates. */
export function analyticsMeant(question: unknown, subject: Subject, now: number, nudge = 0): ExpectedRows {
  if (!isPlainObject(question)) return refuse('no question')
  const { fields } = subject
  const world = buildWorld(question, subject, now, nudge)
  mustBeAbsentJoins(question)
  const aggregations = parseAggregations(question.aggregations, fields)
  const cut = parseRowRange(question, subject)
  const orderings = parseOrderings(question.orderings, fields, aggregations)
  const groupings = isAbsent(question.groupings) ? [] : question.groupings
  if (!Array.isArray(groupings) || groupings.length > 20) return refuse('no groupings')
  const groupedBy = groupings.map((each: unknown) => resolveValue(each, fields, aggregations).plan)
  const grouped = new Set(groupedBy.map(({ key }) => key))
  if (groupedBy.some((plan) => holds(plan, isAggregate))) refuse('grouped by an aggregation')
  for (const { plan } of aggregations) mustBeGrouped(plan, grouped)
  for (const { plan, alias } of orderings) {
    if (alias !== undefined) continue
    mustBeGrouped(plan, grouped)
    if (holds(plan, isNested)) refuse('an aggregation of an aggregation')
  }
  const excluded = parseExclusions(question.exclusions, fields)
  const used = [...aggregations, ...orderings].map(({ plan }) => plan).concat(groupedBy)
  const rows = expanded(selected(question, subject, world), used, world)
  const groups =
    groupedBy.length > 0 ? groupRows(rows, groupedBy, world) : isOne(used) ? [rows] : rows.map((row) => [row])
  const resultRows = groups.map((group) => {
    const evaluatePlan = ({ plan, filter }: { plan: Plan; filter?: Test }) => {
      const isCounted = filter && ((row: Row) => filter(row, world) === true)
      const over: EvaluationInput = { rows: group, grouped, isCounted }
      return evaluate(plan, over, world)
    }
    const values = aggregations.map((each) => [each.alias, evaluatePlan(each)] as const)
    const byAlias = new Map(values)
    return {
      row: Object.fromEntries(values.map(([alias, value]) => [alias, toAnswerValue(value)])),
      keys: orderings.map((each) =>
        each.alias === undefined ? evaluatePlan({ plan: each.plan }) : (byAlias.get(each.alias) ?? null),
      ),
      isDown: orderings.map(({ isDown }) => isDown),
    }
  })
  return { rows: sortRows(resultRows), ...cut, excluded, outOfRange: world.outOfRange }
}

/** "Constants come back once per row of the group": without groupings only an aggregation makes one of all rows. */
const isOne = (plans: readonly Plan[]) => plans.some((plan) => holds(plan, isAggregate))

/** Each row once for each item of each list that is expanded; lists that are null or empty drop out. */
function expanded(rows: readonly Row[], plans: readonly Plan[], world: World): Row[] {
  const lists = new Map<string, Plan>()
  const collect = (plan: Plan) => {
    plan.call?.args.forEach(collect)
    if (isExpansion(plan)) lists.set(plan.key, plan)
  }
  plans.forEach(collect)
  return [...lists].reduce<Row[]>(
    (before, [key, plan]) => {
      const [list] = plan.call?.args ?? []
      return before.flatMap((row) => {
        const items = (list && evaluate(list, { rows: [row] }, world)) as readonly Cell[] | null
        return (items ?? []).map((item) => ({ ...row, items: new Map([...row.items, [key, item]]) }))
      })
    },
    [...rows],
  )
}

function groupRows(rows: readonly Row[], by: readonly Plan[], world: World): Row[][] {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const key = by.map((plan) => identity(evaluate(plan, { rows: [row] }, world))).join('|')
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  return [...groups.values()]
}
