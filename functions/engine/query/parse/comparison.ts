import { isPlainObject } from '#functions/shapes/fields/plain.ts'
import { isCalendarDate } from '#functions/shapes/field.ts'
import { asDate } from '#functions/shapes/fields/constants.ts'
import type { Path } from '../error.ts'
import { isNull, operators, otherItems, sameItems } from '../library/operators.ts'
import type { FieldValue, Filter, ValueInfo, Operator, Value, ValueType } from '../types.ts'
import { contains, isAggregate, isExpansion } from '../walk.ts'
import { coerce, noInstant } from './constants.ts'
import { isLikePattern, isRegularExpression } from './pattern.ts'
import type { ParseContext } from './value.ts'
import { isValueObject, parseValue, createTypedConstant } from './value.ts'

/** Accepts only values of a single row: no aggregation and no expanded list. */
export function parseRow(value: Value | undefined, path: Path, { issues }: ParseContext): Value | undefined {
  if (value && contains(value, isAggregate)) return issues.add(path, 'Must not contain an aggregation.')
  if (value && contains(value, isExpansion)) return issues.add(path, 'Must not contain an expanded list.')
  return value
}

/** Parses a field, an operator and its operand. Undefined, with issues, when they do not fit. */
export function parseComparison(
  left: FieldValue,
  operator: Operator,
  input: unknown,
  path: Path,
  context: ParseContext,
): Filter | undefined {
  const leftType = left.types[0] ?? { type: 'text' as const }
  const { type } = leftType
  if (operator.takes === 'truth' && (input === '' || input === 'null')) {
    return { kind: 'comparison', left, operator: isNull, right: [] }
  }
  if (type === 'array' && (operator.key === '$eq' || operator.key === '$ne')) {
    return compare(
      left,
      operator.key === '$eq' ? sameItems : otherItems,
      parseItems(left, input, path, context),
    )
  }
  if (!operator.types.includes(type)) {
    return context.issues.add(
      path,
      `Operator cannot be used with a field of type ${type}: ${operator.key}`,
      input,
    )
  }
  switch (operator.takes) {
    case 'items':
      return compare(left, operator, parseItems(left, input, path, context))
    case 'list':
      return compareList(left, operator, parseList(leftType, input, path, context))
    case 'pair':
      if (!Array.isArray(input) || input.length !== 2) {
        return context.issues.add(path, 'Must be an array of two values.', input)
      }
      return compare(left, operator, parseList(leftType, input, path, context))
    case 'pattern':
    case 'patterns':
      return compare(left, operator, parsePatterns(operator, input, path, context))
    case 'value':
    case 'truth': {
      const right = parseSide(leftType, input, path, context)
      return right && compare(left, operator, [right])
    }
  }
}

function compare(
  left: FieldValue,
  operator: Operator,
  right: readonly Value[] | undefined,
): Filter | undefined {
  return right && { kind: 'comparison', left, operator, right }
}

const elementOperators = {
  $in: operators.get('$eq'),
  $any: operators.get('$eq'),
  $notIn: operators.get('$ne'),
}

/**
 * Membership in a list, or its negation. Only constants become a list in SQL. Other values are compared one by one: as
 * members of IN they would nest, and some thousands overflow the embedded database's stack.
 */
function compareList(left: FieldValue, operator: Operator, right: Value[] | undefined): Filter | undefined {
  const single = elementOperators[operator.key as keyof typeof elementOperators]
  const varying = right?.filter(({ kind }) => kind !== 'constant') ?? []
  if (!right || !single || varying.length === 0) return compare(left, operator, right)
  const constants = right.filter(({ kind }) => kind === 'constant')
  const list = constants.length > 0 ? [{ kind: 'comparison' as const, left, operator, right: constants }] : []
  const each = varying.map((value) => ({
    kind: 'comparison' as const,
    left,
    operator: single,
    right: [value],
  }))
  return { kind: operator.key === '$notIn' ? 'all' : 'any', of: [...list, ...each] }
}

/** One value of the type of the field: a constant that can be read as it, another field, a function. */
function parseSide(
  expected: ValueInfo,
  input: unknown,
  path: Path,
  context: ParseContext,
): Value | undefined {
  const { type, precision } = expected
  if (!isValueObject(input)) {
    const constant = coerce(input, expected)
    if (constant === undefined) return context.issues.add(path, describeFault(input, expected), input)
    return createTypedConstant(constant, type, precision)
  }
  const value = parseRow(parseValue(input, path, context), path, context)
  if (!value || value.types.some((each) => each.type === type)) return value
  const actual = value.types.map((each) => each.type).join(', ') || '<none>'
  return context.issues.add(path, `Must be of type: ${type} - instead got ${actual}`, input)
}

/** The message for a constant that does not have the type of its field. */
function describeFault(input: unknown, expected: Pick<ValueInfo, 'type' | 'precision'>): string {
  const isInstant = isCalendarDate(expected) && asDate(input) !== undefined
  return isInstant ? noInstant : `Not a valid ${expected.type} value`
}

function parseList(
  expected: ValueInfo,
  input: unknown,
  path: Path,
  context: ParseContext,
): Value[] | undefined {
  if (!Array.isArray(input)) return context.issues.add(path, 'Must be an array.', input)
  const values: Value[] = []
  input.forEach((each, i) => {
    const value = parseSide(expected, each, [...path, i], context)
    if (value) values.push(value)
  })
  return values.length === input.length ? values : undefined
}

const comparable: readonly ValueType[] = ['text', 'number', 'boolean', 'date']

/** The constants of a list to compare a list field with, each of the type of the field's items. */
function parseItems(
  left: FieldValue,
  input: unknown,
  path: Path,
  context: ParseContext,
): Value[] | undefined {
  const items = left.field.items ?? { type: 'text' as const }
  const { type, precision } = items as Pick<ValueInfo, 'type' | 'precision'>
  // Lists of lists, maps and geometries are JSON: only null tests are supported.
  if (!comparable.includes(type))
    return context.issues.add(path, 'Items of this list cannot be compared.', input)
  if (!Array.isArray(input)) return context.issues.add(path, 'Must be an array.', input)
  const values: Value[] = []
  input.forEach((each, i) => {
    const constant = coerce(each, { type, precision })
    if (constant === undefined)
      context.issues.add([...path, i], describeFault(each, { type, precision }), each)
    else values.push(createTypedConstant(constant, type, precision))
  })
  return values.length === input.length ? values : undefined
}

function parsePatterns(
  operator: Operator,
  input: unknown,
  path: Path,
  context: ParseContext,
): Value[] | undefined {
  const several =
    operator.takes === 'patterns' && isPlainObject(input) && Object.hasOwn(input, '$any')
      ? input.$any
      : [input]
  if (!Array.isArray(several)) return context.issues.add(path, 'Must be an array.', several)
  const isPattern = operator.takes === 'patterns' ? isLikePattern : isRegularExpression
  const values: Value[] = []
  several.forEach((each: unknown) => {
    const text = coerce(each, { type: 'text' })
    if (typeof text !== 'string') context.issues.add(path, 'Not a valid text value', each)
    else if (!isPattern(text)) context.issues.add(path, 'Not a valid pattern', each)
    else values.push(createTypedConstant(text, 'text'))
  })
  return values.length === several.length ? values : undefined
}
