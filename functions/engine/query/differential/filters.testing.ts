import type { Cell, Kind } from './cells.testing.ts'
import { compare, identity, refuse } from './cells.testing.ts'
import { parseBoolean, parseDate, parseNumber, parseText } from './constants.testing.ts'
import { isLike, buildMatcher } from './patterns.testing.ts'
import type { World } from './functions.testing.ts'
import type { FieldInfo, Plan, Row } from './values.testing.ts'
import {
  evaluate,
  fieldAt,
  holds,
  isAggregate,
  isExpansion,
  isPlainObject,
  isWrittenValue,
  parsePlan,
} from './values.testing.ts'

/** True, false, or null for unknown, as in SQL: only true rows match. */
type Truth = boolean | null
export type Test = (row: Row, world: World) => Truth
/** Undefined is no condition at all. */
type Condition = Test | undefined

const negateTruth = (truth: Truth): Truth => (truth === null ? null : !truth)
const combineTruthsWithAnd = (truths: Truth[]): Truth =>
  truths.includes(false) ? false : truths.includes(null) ? null : true
const combineTruthsWithOr = (truths: Truth[]): Truth =>
  truths.includes(true) ? true : truths.includes(null) ? null : false

function combineWithAnd(members: Condition[]): Condition {
  const conditions = members.filter((each) => each !== undefined)
  return conditions.length === 0
    ? undefined
    : (row, world) => combineTruthsWithAnd(conditions.map((each) => each(row, world)))
}
function combineWithOr(members: Condition[]): Condition {
  const conditions = members.filter((each) => each !== undefined)
  return conditions.length === 0
    ? undefined
    : (row, world) => combineTruthsWithOr(conditions.map((each) => each(row, world)))
}
const negated = (of: Condition): Condition => of && ((row, world) => negateTruth(of(row, world)))

/** The condition of `filters`; throws for invalid ones. */
export function parseCondition(input: unknown, fields: readonly FieldInfo[]): Condition {
  if (input === undefined || input === null || input === '') return undefined
  return parseGroup(input, '', fields)
}

function parseGroup(input: unknown, prefix: string, fields: readonly FieldInfo[]): Condition {
  if (Array.isArray(input)) return combineWithAnd(input.map((each) => parseGroup(each, prefix, fields)))
  if (!isPlainObject(input)) return refuse('no conditions')
  if (prefix === '' && isWrittenValue(input)) return parseValueCondition(input, fields)
  return combineWithAnd(
    Object.entries(input).map(([key, value]) => {
      if (key === '$not') return negated(parseGroup(value, prefix, fields))
      if (key === '$and' || key === '$or') {
        if (!Array.isArray(value)) return refuse('no list')
        const members = value.map((each) => parseGroup(each, prefix, fields))
        return key === '$or' ? combineWithOr(members) : combineWithAnd(members)
      }
      if (key.startsWith('$')) return refuse('an operator without a field')
      return parseConditionAtField(prefix === '' ? key : `${prefix}.${key}`, value, fields)
    }),
  )
}

function parseValueCondition(input: unknown, fields: readonly FieldInfo[]): Test {
  const plan = parsePlan(input, fields)
  if (holds(plan, isAggregate) || holds(plan, isExpansion)) refuse('not of one row')
  if (plan.kinds[0] !== 'boolean') refuse('not true or false')
  return (row, world) => evaluate(plan, { rows: [row] }, world) as Truth
}

function parseConditionAtField(path: string, input: unknown, fields: readonly FieldInfo[]): Condition {
  const isGroup = path === 'data'
  if (isGroup && isPlainObject(input)) return parseGroup(input, path, fields)
  const match = fieldAt(path, fields)
  const left: Plan = {
    ...parsePlan({ field: path }, fields),
    kinds: [match.deeper.length > 0 ? 'text' : match.known.type],
  }
  return parseFieldCondition(left, path, input, fields)
}

function parseFieldCondition(
  left: Plan,
  path: string,
  input: unknown,
  fields: readonly FieldInfo[],
): Condition {
  if (!isPlainObject(input) || isWrittenValue(input)) return operation(left, '$eq', input, fields)
  return combineWithAnd(
    Object.entries(input).map(([key, value]): Condition => {
      if (!key.startsWith('$')) return parseConditionAtField(`${path}.${key}`, value, fields)
      if (key === '$not') {
        if (isPlainObject(value) && !isWrittenValue(value))
          return negated(parseFieldCondition(left, path, value, fields))
        return operation(left, '$ne', value, fields)
      }
      if (key === '$and' || key === '$or') {
        if (!Array.isArray(value)) return refuse('no list')
        const members = value.map((each) => parseFieldCondition(left, path, each, fields))
        return key === '$or' ? combineWithOr(members) : combineWithAnd(members)
      }
      return operation(left, key, value, fields)
    }),
  )
}

type CompareCells = (left: Cell, right: Cell) => Truth
const buildComparison =
  (holdsFor: (order: number) => boolean): CompareCells =>
  (left, right) =>
    left === null || right === null ? null : holdsFor(compare(left, right))
const equal = buildComparison((order) => order === 0)
const scalar: readonly Kind[] = ['text', 'number', 'date', 'boolean']
const orderedKinds: readonly Kind[] = ['text', 'number', 'date']

const comparisons: Record<string, { of: CompareCells; kinds: readonly Kind[] }> = {
  $eq: { of: equal, kinds: scalar },
  $ne: { of: buildComparison((order) => order !== 0), kinds: scalar },
  $gt: { of: buildComparison((order) => order > 0), kinds: orderedKinds },
  $gte: { of: buildComparison((order) => order >= 0), kinds: orderedKinds },
  $lt: { of: buildComparison((order) => order < 0), kinds: orderedKinds },
  $lte: { of: buildComparison((order) => order <= 0), kinds: orderedKinds },
}

/** A field, an operator and its right side. */
function operation(left: Plan, key: string, input: unknown, fields: readonly FieldInfo[]): Test {
  const kind = left.kinds[0] as Kind
  const read = (row: Row, world: World) => evaluate(left, { rows: [row] }, world)
  const isNullCheck = input === null && ['$eq', '$ne', '$is'].includes(key)
  if (isNullCheck || (key === '$is' && (input === '' || input === 'null')))
    return (row, world) => (read(row, world) === null) !== (key === '$ne')
  if (kind === 'array') return listOperation(left, key, input)
  const choice = { $eq: '$in', $ne: '$notIn' }[key]
  const operator = Array.isArray(input) && choice ? choice : key
  const side = (value: unknown) => parseRightSide(kind, value, fields)
  const allowed = (kinds: readonly Kind[]) => kinds.includes(kind) || refuse('operator of other types')
  const sides = (values: unknown) => (Array.isArray(values) ? values.map(side) : refuse('no list'))

  const comparison = Object.hasOwn(comparisons, operator) ? comparisons[operator] : undefined
  if (comparison) {
    allowed(comparison.kinds)
    const right = side(input)
    return (row, world) => comparison.of(read(row, world), right(row, world))
  }
  switch (operator) {
    case '$is': {
      allowed(['boolean'])
      const right = side(input)
      return (row, world) => identity(read(row, world)) === identity(right(row, world))
    }
    case '$in':
    case '$any': {
      allowed(scalar)
      const items = sides(input)
      return (row, world) =>
        combineTruthsWithOr(items.map((item) => equal(read(row, world), item(row, world))))
    }
    case '$notIn': {
      allowed(scalar)
      const items = sides(input)
      return (row, world) =>
        combineTruthsWithAnd(items.map((item) => negateTruth(equal(read(row, world), item(row, world)))))
    }
    case '$all': {
      allowed(scalar)
      const items = sides(input)
      return (row, world) =>
        combineTruthsWithAnd(items.map((item) => equal(read(row, world), item(row, world))))
    }
    case '$between':
    case '$notBetween': {
      allowed(orderedKinds)
      if (!Array.isArray(input) || input.length !== 2) refuse('no pair')
      const [low, high] = sides(input) as [Side, Side]
      return (row, world) => {
        const value = read(row, world)
        const isIn = combineTruthsWithAnd([
          buildComparison((order) => order >= 0)(value, low(row, world)),
          buildComparison((order) => order <= 0)(value, high(row, world)),
        ])
        return operator === '$between' ? isIn : negateTruth(isIn)
      }
    }
  }
  return patternOperation(read, kind, operator, input)
}

type Side = (row: Row, world: World) => Cell

/** The right side of a comparison: a constant of the field's type, another field or a function. */
function parseRightSide(kind: Kind, input: unknown, fields: readonly FieldInfo[]): Side {
  if (isWrittenValue(input)) {
    const plan = parsePlan(input, fields)
    if (holds(plan, isAggregate) || holds(plan, isExpansion)) refuse('not of one row')
    if (!plan.kinds.includes(kind)) refuse('of another type')
    return (row, world) => evaluate(plan, { rows: [row] }, world)
  }
  const constant = coerced(input, kind)
  return () => constant
}

function coerced(input: unknown, kind: Kind): Cell {
  const readers: Partial<Record<Kind, (input: unknown) => Cell | undefined>> = {
    number: parseNumber,
    date: parseDate,
    boolean: parseBoolean,
    text: parseText,
  }
  return readers[kind]?.(input) ?? refuse('of another type')
}

/** Null items are never shared or contained. */
function listOperation(left: Plan, key: string, input: unknown): Test {
  const items = left.items?.type
  if (!['$eq', '$ne', '$overlap', '$contains', '$contained'].includes(key)) refuse('operator of other types')
  if (!items || !scalar.includes(items)) refuse('items without comparison')
  if (!Array.isArray(input)) return refuse('no list')
  const right = input.map((each: unknown) => coerced(each, items as Kind))
  const includes = (list: readonly Cell[], item: Cell) =>
    item !== null && list.some((each) => each !== null && compare(each, item) === 0)
  return (row, world) => {
    const list = evaluate(left, { rows: [row] }, world) as readonly Cell[] | null
    if (list === null) return null
    switch (key) {
      case '$eq':
        return compare(list, right) === 0
      case '$ne':
        return compare(list, right) !== 0
      case '$overlap':
        return right.some((item) => includes(list, item))
      case '$contains':
        return right.every((item) => includes(list, item))
      default:
        return list.every((item) => includes(right, item))
    }
  }
}

function patternOperation(read: Side, kind: Kind, key: string, input: unknown): Test {
  const match = /^\$(not|Not)?(i|I)?(like|Like|regexp|Regexp)$/.exec(key)
  const spelled = [
    '$like',
    '$notLike',
    '$iLike',
    '$notILike',
    '$regexp',
    '$notRegexp',
    '$iRegexp',
    '$notIRegexp',
  ]
  if (!match || !spelled.includes(key)) return refuse('no such operator')
  if (kind !== 'text') refuse('operator of other types')
  const isLikeOperator = match[3]?.toLowerCase() === 'like'
  const anyCase = match[2] !== undefined
  const isMany = isLikeOperator && isPlainObject(input) && Object.hasOwn(input, '$any')
  const patterns: unknown = isMany ? (input as { $any: unknown }).$any : [input]
  if (!Array.isArray(patterns)) return refuse('no list')
  const tests = patterns.map((each) => {
    const text = parseText(each) ?? refuse('no text')
    return isLikeOperator ? isLike(text, anyCase) : buildMatcher(text, anyCase)
  })
  // "Not like any" holds where at least one of the patterns does not match, as in SQL.
  return (row, world) => {
    const value = read(row, world) as string | null
    return combineTruthsWithOr(
      tests.map((test) => (value === null ? null : test(value) !== Boolean(match[1]))),
    )
  }
}
