import {
  isCalendarDate,
  isGeometryType,
  type Field,
  type FieldSchema,
  type FieldType,
} from '#functions/shapes/field.ts'
import { createZone } from '#functions/shapes/zone.ts'
import { containsPattern } from '#functions/shapes/like-pattern.ts'

/** The operators of a condition, with their labels while the type of the field is unknown. */
export const conditionOperators = {
  contains: 'contains',
  is: 'is',
  isNot: 'is not',
  between: 'is between',
  atLeast: '≥ at least, from',
  atMost: '≤ at most, until',
  yes: 'is true',
  no: 'is false',
  filled: 'has a value',
  empty: 'is empty',
} as const
export type ConditionOperator = keyof typeof conditionOperators

/** A condition on one field, as its inputs have it. */
export interface Condition {
  where: string
  how: ConditionOperator
  is: string
  /** The upper end of `between`. */
  to: string
}

const presence: ConditionOperator[] = ['filled', 'empty']
const ranges: ConditionOperator[] = ['between', 'atLeast', 'atMost']

/** Returns the operators for a type, in display order; all of them if no field is chosen. */
export function operatorsForType(type: FieldType | undefined): ConditionOperator[] {
  if (type === undefined)
    return ['is', ...(Object.keys(conditionOperators) as ConditionOperator[]).filter((how) => how !== 'is')]
  if (type === 'text') return ['contains', 'is', 'isNot', ...presence]
  if (type === 'number') return ['is', 'isNot', ...ranges, ...presence]
  if (type === 'date') return [...ranges, 'is', ...presence]
  return type === 'boolean' ? ['yes', 'no', ...presence] : presence
}

const dateOperators: Partial<Record<ConditionOperator, string>> = {
  is: 'is on',
  atLeast: '≥ from',
  atMost: '≤ until',
}
const numberOperators: Partial<Record<ConditionOperator, string>> = {
  is: '= is',
  atLeast: '≥ at least',
  atMost: '≤ at most',
}

/** Returns the label of an operator for a type. */
export function conditionOperatorLabel(how: ConditionOperator, type: FieldType | undefined): string {
  const own = type === 'date' ? dateOperators[how] : type === 'number' ? numberOperators[how] : undefined
  if (own) return own
  if (type && isGeometryType(type) && how === 'filled') return 'has a place'
  return type && isGeometryType(type) && how === 'empty' ? 'has no place' : conditionOperators[how]
}

/** Whether an operator needs a value. */
export const takesValue = (how: ConditionOperator) => !['yes', 'no', ...presence].includes(how)

/** Maximum number of conditions in a URL. */
export const maxConditions = 5

/**
 * Parses the conditions in a URL: `where`, `how`, `is` and `to` of each, in order. Without `how` the field
 * must equal `is`, or be empty if `is` is empty. Unknown fields and conditions without a value are ignored.
 */
export function conditionsIn(params: URLSearchParams, schema: FieldSchema): Condition[] {
  const [how, is, to] = ['how', 'is', 'to'].map((name) => params.getAll(name)) as [
    string[],
    string[],
    string[],
  ]
  const all = params.getAll('where').flatMap((where, i): Condition[] => {
    const type = Object.hasOwn(schema, where) ? schema[where]?.type : undefined
    const value = (is[i] ?? '').trim().slice(0, 500)
    const end = (to[i] ?? '').trim().slice(0, 500)
    const comparison = type && findOperator(type, how[i], value, is[i] !== undefined)
    if (!comparison || (takesValue(comparison) && value + (comparison === 'between' ? end : '') === ''))
      return []
    return [
      {
        where,
        how: comparison,
        is: takesValue(comparison) ? value : '',
        to: comparison === 'between' ? end : '',
      },
    ]
  })
  return all.slice(0, maxConditions)
}

function findOperator(
  type: FieldType,
  operator: string | undefined,
  value: string,
  hasValue: boolean,
): ConditionOperator | undefined {
  if (operator === undefined && hasValue && value === '') return 'empty'
  if (type === 'boolean' && (operator ?? 'is') === 'is') {
    if (value === '') return undefined
    return /^(true|yes|1)$/i.test(value) ? 'yes' : 'no'
  }
  return operatorsForType(type).find((how) => how === (operator ?? 'is'))
}

/**
 * Returns the conditions as filters of the query language; undefined without any. Days are days in the time
 * zone.
 */
export function toFilters(
  conditions: Condition[],
  schema: FieldSchema,
  timeZone: string,
): object | undefined {
  const [first, ...others] = conditions.map((each) => toFilter(each, schema[each.where], timeZone))
  return first && others.length ? [first, ...others] : first
}

function toFilter({ where, how, is, to }: Condition, of: Field | undefined, timeZone: string): object {
  const type = of?.type
  const field = `data.${where}`
  const value = type === 'number' ? parseNumber(is) : is
  const fromTo = (from: string, until: string) => toRangeFilter(of, from, until, timeZone)
  switch (how) {
    case 'filled':
      return { [field]: { $ne: null } }
    case 'empty':
      return { [field]: null }
    case 'yes':
    case 'no':
      return { [field]: how === 'yes' }
    case 'contains':
      return { [field]: { $iLike: containsPattern(is) } }
    case 'isNot':
      // In the query language `$ne` does not match missing values.
      return { $or: [{ [field]: { $ne: value } }, { [field]: null }] }
    case 'is':
      return { [field]: type === 'date' && isDay(is) ? fromTo(is, is) : value }
    case 'between':
      return { [field]: fromTo(is, to) }
    default:
      return { [field]: how === 'atLeast' ? fromTo(is, '') : fromTo('', is) }
  }
}

/** Both ends are inclusive; an empty one is open. The upper end of days is the beginning of the next day. */
function toRangeFilter(of: Field | undefined, from: string, until: string, timeZone: string): object {
  if (of && isCalendarDate(of)) return { ...(from && { $gte: from }), ...(until && { $lte: until }) }
  if (of?.type !== 'date')
    return { ...(from && { $gte: parseNumber(from) }), ...(until && { $lte: parseNumber(until) }) }
  const end = isDay(until) ? { $lt: getDayStart(until, timeZone, 1) } : { $lte: until }
  return { ...(from && { $gte: isDay(from) ? getDayStart(from, timeZone) : from }), ...(until && end) }
}

/** Parses a number. Other text is returned unchanged, so that the query language reports it. */
function parseNumber(text: string): number | string {
  const number = Number(text)
  return text !== '' && Number.isFinite(number) ? number : text
}

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))

/** Returns the instant at which a day, or the day `later` days after it, begins in a time zone. */
const getDayStart = (day: string, timeZone: string, later = 0): string =>
  new Date(createZone(timeZone).startOfDay(Date.parse(day) + later * 86_400_000)).toISOString()

/** Returns the query string without one of its conditions. */
export function withoutCondition(search: string, conditions: Condition[], removedIndex: number): string {
  const params = new URLSearchParams(search)
  for (const name of ['where', 'how', 'is', 'to', 'page']) params.delete(name)
  conditions.forEach((condition, i) => {
    if (i !== removedIndex)
      for (const [name, value] of Object.entries(condition)) params.append(name, String(value))
  })
  return `?${params.toString()}`
}
