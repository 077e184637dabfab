import { isPlainObject } from '#functions/shapes/fields/plain.ts'
import type { Path } from '../error.ts'
import { isNotNull, isNull, logicKeys, operators, unusableOperators } from '../library/operators.ts'
import type { FieldValue, Filter } from '../types.ts'
import { parseComparison, parseRow } from './comparison.ts'
import { findField, isGroup } from './fields.ts'
import type { ParseContext } from './value.ts'
import { fieldValue, isValueObject, parseValue } from './value.ts'

/** Parses the filter of an option; undefined for none, or with issues. */
export function parseFilters(input: unknown, path: Path, context: ParseContext): Filter | undefined {
  if (input === undefined || input === null || input === '') return undefined
  return parseGroup(input, path, '', context)
}

/** A list or object of conditions that must all hold. `prefix`: the field that nested keys belong to. */
function parseGroup(input: unknown, path: Path, prefix: string, context: ParseContext): Filter | undefined {
  if (Array.isArray(input))
    return joinWithAnd(input.map((each, i) => parseGroup(each, [...path, i], prefix, context)))
  if (!isPlainObject(input)) return context.issues.add(path, 'Must be an object or array.', input)
  if (prefix === '' && isValueObject(input)) return parseCondition(input, path, context)
  return joinWithAnd(
    Object.entries(input).map(([key, value]) => {
      if (logicKeys.has(key)) return parseLogic(key, value, path, prefix, context)
      if (key.startsWith('$')) return refuseOperator(key, value, path, context)
      return parseField(
        prefix === '' ? key : `${prefix}.${key}`,
        value,
        [...path, ...key.split('.')],
        context,
      )
    }),
  )
}

function parseLogic(key: string, value: unknown, path: Path, prefix: string, context: ParseContext) {
  if (key === '$not') return negateFilter(parseGroup(value, path, prefix, context))
  if (!Array.isArray(value)) return context.issues.add(path, 'Must be an array.', value)
  const members = value.map((each, i) => parseGroup(each, [...path, i], prefix, context))
  return key === '$or' ? any(members) : joinWithAnd(members)
}

function parseCondition(
  input: Record<string, unknown>,
  path: Path,
  context: ParseContext,
): Filter | undefined {
  const value = parseRow(parseValue(input, path, context), path, context)
  if (!value) return undefined
  if (value.types[0]?.type === 'boolean') return { kind: 'condition', value }
  const actual = value.types.map(({ type }) => type).join(', ') || '<none>'
  return context.issues.add(path, `Must be of type: boolean - instead got ${actual}`, input)
}

/** Parses the condition of a field: a constant or value for equality, operators, or nested keys. */
function parseField(name: string, input: unknown, path: Path, context: ParseContext): Filter | undefined {
  if (isGroup(context.fields, name) && isPlainObject(input)) return parseGroup(input, path, name, context)
  const match = findField(context.fields, name)
  if ('message' in match) return context.issues.add(path, match.message, input)
  return parseRight(fieldValue(match.field, match.deeper, match.join), name, input, path, context)
}

function parseRight(left: FieldValue, name: string, input: unknown, path: Path, context: ParseContext) {
  if (!isPlainObject(input) || isValueObject(input)) return parseOperator(left, '$eq', input, path, context)
  return joinWithAnd(
    Object.entries(input).map(([key, value]): Filter | undefined => {
      if (!key.startsWith('$'))
        return parseField(`${name}.${key}`, value, [...path, ...key.split('.')], context)
      if (key === '$not') {
        if (isPlainObject(value) && !isValueObject(value))
          return negateFilter(parseRight(left, name, value, path, context))
        return parseOperator(left, '$ne', value, path, context)
      }
      if (key !== '$and' && key !== '$or') return parseOperator(left, key, value, path, context)
      if (!Array.isArray(value)) return context.issues.add(path, 'Must be an array.', value)
      const members = value.map((each, i) => parseRight(left, name, each, [...path, i], context))
      return key === '$or' ? any(members) : joinWithAnd(members)
    }),
  )
}

function parseOperator(left: FieldValue, key: string, input: unknown, path: Path, context: ParseContext) {
  if (input === null && (key === '$eq' || key === '$ne' || key === '$is')) {
    return { kind: 'comparison' as const, left, operator: key === '$ne' ? isNotNull : isNull, right: [] }
  }
  // A list that a single value is compared with is a choice.
  const isChoice = Array.isArray(input) && left.types[0]?.type !== 'array'
  const operator = operators.get(isChoice ? (choices[key] ?? key) : key)
  return operator
    ? parseComparison(left, operator, input, path, context)
    : refuseOperator(key, input, path, context)
}

const choices: Record<string, string> = { $eq: '$in', $ne: '$notIn' }

function refuseOperator(key: string, input: unknown, path: Path, { issues }: ParseContext): undefined {
  if (operators.has(key)) return issues.add(path, `Operator must stand below a field: ${key}`, input)
  if (unusableOperators.has(key)) return issues.add(path, `Operator cannot be used: ${key}`, input)
  return issues.add(path, `Operator does not exist: ${key}`, input)
}

/** No members give no condition; a single one is returned itself. */
function join(kind: 'all' | 'any', members: readonly (Filter | undefined)[]): Filter | undefined {
  const parsed = members.filter((each) => each !== undefined)
  return parsed.length > 1 ? { kind, of: parsed } : parsed[0]
}
const joinWithAnd = (members: readonly (Filter | undefined)[]) => join('all', members)
const any = (members: readonly (Filter | undefined)[]) => join('any', members)
const negateFilter = (of: Filter | undefined): Filter | undefined => of && { kind: 'not', of }
