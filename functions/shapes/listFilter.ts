import * as v from 'valibot'
import type { Issue } from './issue.ts'

/** What a column of a list holds, for reading the text of a query string. */
export type Column = 'text' | 'boolean' | 'date'

type Plain = string | boolean | null

/** A filter of a list, read: all of, any of, a column that is (not) one of some values, or a date before or after another. */
export type Condition =
  | { all: Condition[] }
  | { any: Condition[] }
  | { column: string; isNot: boolean; values: Plain[] }
  | { column: string; than: Than; value: string }

const thans = ['$gt', '$gte', '$lt', '$lte'] as const
type Than = (typeof thans)[number]
const isThan = (operator: string): operator is Than => (thans as readonly string[]).includes(operator)

export type Report = (path: (string | number)[], message: string) => unknown

const maxDepth = 4

/**
 * The filters of a list: an object whose keys are columns, or a list of such objects (all must hold). A value is one
 * value, a list (any of them), or `{ $eq | $ne | $in | $notIn }`, of dates also `{ $gt | $gte | $lt | $lte }`; `$and`
 * and `$or` hold lists of filters.
 */
export const listFilter = (columns: Record<string, Column>) =>
  v.pipe(
    v.unknown(),
    v.metadata({ like: filterLike(columns) }),
    v.rawTransform(({ dataset, addIssue, NEVER }): Condition => {
      const { condition, issues } = readCondition(dataset.value, columns)
      for (const { path, message } of issues) addIssue({ message, path: asPath(path, dataset.value) })
      return issues.length ? NEVER : condition
    }),
  )

/** A filter as JSON Schema, for the reference. */
function filterLike(columns: Record<string, Column>) {
  const one = { type: ['string', 'boolean', 'null'] }
  const many = { type: 'array', items: one }
  const date = { type: 'string' }
  const valueOf = (type: Column) => ({
    anyOf: [
      one,
      many,
      {
        type: 'object',
        properties: {
          ...{ $eq: one, $ne: one, $in: many, $notIn: many },
          ...(type === 'date' && Object.fromEntries(thans.map((than) => [than, date]))),
        },
        additionalProperties: false,
      },
    ],
  })
  const joined = { type: 'array', items: { type: 'object' } }
  return {
    description:
      'By column: a value, some values, or `$eq`, `$ne`, `$in`, `$notIn`, of dates also `$gt`, `$gte`, `$lt`, `$lte`; joined by `$and` and `$or`. A list means all of it.',
    type: ['object', 'array'],
    properties: {
      ...Object.fromEntries(Object.entries(columns).map(([column, type]) => [column, valueOf(type)])),
      $and: joined,
      $or: joined,
    },
    additionalProperties: false,
    items: { type: 'object' },
  }
}

/** A filter read, with everything that is wrong in it. */
export function readCondition(value: unknown, columns: Record<string, Column>) {
  const issues: Issue[] = []
  const condition = read(value, columns, [], (path, message) => issues.push({ path, message }))
  return { condition, issues }
}

/** A path as valibot's issues have it; undefined: the value itself. */
export function asPath(path: (string | number)[], input: unknown): [v.UnknownPathItem] | undefined {
  if (!path.length) return undefined
  return path.map((key) => ({ type: 'unknown', origin: 'value', input, key, value: undefined })) as [
    v.UnknownPathItem,
  ]
}

function read(
  value: unknown,
  columns: Record<string, Column>,
  path: (string | number)[],
  report: Report,
): Condition {
  const nothing = { all: [] }
  if (value === null || value === undefined || value === '') return nothing
  if (path.length > maxDepth * 2) return (report(path, 'Must not be nested so deep.'), nothing)
  if (Array.isArray(value)) return { all: value.map((part, i) => read(part, columns, [...path, i], report)) }
  if (typeof value !== 'object')
    return (report(path, path.length ? 'Must be an object.' : 'Must be an object or array.'), nothing)
  return {
    all: Object.entries(value).map(([key, part]: [string, unknown]): Condition => {
      const at = [...path, key]
      if (key === '$and' || key === '$or') {
        if (!Array.isArray(part)) return (report(at, 'Must be an array.'), nothing)
        const parts = part.map((each, i) => read(each, columns, [...at, i], report))
        return key === '$and' ? { all: parts } : { any: parts }
      }
      const type = Object.hasOwn(columns, key) ? columns[key] : undefined
      if (!type) return (report(at, 'Field does not exist.'), nothing)
      return comparison(key, type, part, at, report)
    }),
  }
}

function comparison(
  column: string,
  type: Column,
  value: unknown,
  path: (string | number)[],
  report: Report,
): Condition {
  const isOperator = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isOperator) return { column, isNot: false, values: plains(value, type, path, report) }
  const all = Object.entries(value).map(([operator, part]: [string, unknown]): Condition => {
    if (isThan(operator)) return further(column, type, operator, part, [...path, operator], report)
    const isNot = operator === '$ne' || operator === '$notIn'
    if (!isNot && operator !== '$eq' && operator !== '$in') report([...path, operator], 'Unknown operator.')
    return { column, isNot, values: plains(part, type, [...path, operator], report) }
  })
  return { all }
}

function further(
  column: string,
  type: Column,
  than: Than,
  value: unknown,
  path: (string | number)[],
  report: Report,
): Condition {
  if (type !== 'date') return (report(path, 'Only dates can be compared.'), { all: [] })
  const [date] = Array.isArray(value) ? [] : plains(value, type, path, report)
  if (typeof date === 'string') return { column, than, value: date }
  if (value === null || Array.isArray(value)) report(path, 'Invalid value.')
  return { all: [] }
}

const maxText = 200

/** A time as ISO text in UTC, from any text of a date; undefined: it is none. */
export const dateText = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= maxText && !Number.isNaN(Date.parse(value))
    ? new Date(value).toISOString()
    : undefined

function plains(value: unknown, type: Column, path: (string | number)[], report: Report): Plain[] {
  return (Array.isArray(value) ? (value as unknown[]) : [value]).map((part) => {
    if (part === null) return null
    if (type === 'boolean') {
      if (part === true || part === 'true') return true
      if (part === false || part === 'false') return false
    } else if (type === 'text') {
      if (typeof part === 'string' && part.length <= maxText) return part
    } else {
      const date = dateText(part)
      if (date !== undefined) return date
    }
    report(path, 'Invalid value.')
    return null
  })
}
