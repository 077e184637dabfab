import * as v from 'valibot'
import { Includes } from './includes.ts'
import type { Issue } from './issue.ts'
import { Exclusions } from './exclusions.ts'
import { asLooseDate, asNumber } from './fields/constants.ts'
import { asPath, listFilter, type Column, type Report } from './list-filter.ts'

export type { Include } from './includes.ts'

const visibilities = ['public', 'place', 'private'] as const
export const Visibility = v.picklist(visibilities)

const isSlug = v.regex<string, string>(
  /^[a-z0-9][a-z0-9-]{0,62}$/,
  'Must be lower-case letters, digits and dashes.',
)
/** The id of a place or data type: permanent, lower case, part of URLs. */
export const Slug = v.pipe(v.string(), isSlug)
/** The same, with another message for what is no text. */
export const slugOr = (noText: string) => v.pipe(v.string(noText), isSlug)
/** The id of anything else. */
export const Id = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/, 'Not a valid id.'))
export const Name = v.pipe(v.string(), v.trim(), v.minLength(1, 'Must not be empty.'), v.maxLength(200))
/** A name for titles, emails and logs, of at most `most` characters: one line, without markup. */
export const buildNameShape = (most: number) =>
  v.pipe(
    v.string('Must be a text.'),
    v.trim(),
    v.normalize('NFC'),
    v.minLength(1, 'Required.'),
    v.maxLength(most, `Must be at most ${most} characters.`),
    // Control characters and line separators as ranges, as the pattern is published for readers without Unicode classes.
    v.regex(/^[^\u0000-\u001f\u007f-\u009f\u2028\u2029<>]*$/, 'Must be one line without < or >.'),
  )
/** A name of a person, wherever it comes from. */
export const PersonName = buildNameShape(100)
export const Notes = v.pipe(v.string(), v.maxLength(10_000))
/** Dates come as text and as numbers of milliseconds; they are stored as ISO text. */
export const Version = v.pipe(v.number(), v.integer(), v.minValue(1))
/** A web address to link to. */
export const WebAddress = v.pipe(
  v.string(),
  v.maxLength(2000),
  v.regex(/^https?:\/\/[^\s]+$/i, 'Must be a web address.'),
)

/** Text of a query string or a number of a body; a non-negative integer. */
export const buildWholeNumberShape = (most: number, message: string) =>
  v.pipe(
    v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,9}$/, message))], message),
    v.metadata({ like: { type: 'integer', minimum: 0, maximum: most } }),
    v.transform(Number),
    v.integer(message),
    v.minValue(0, message),
    v.maxValue(most, message),
  )

/** A column to order a list by. `type` absent: text. */
export interface Order {
  column: string
  direction: 'asc' | 'desc'
  type?: Exclude<Column, 'texts'> | 'number' | 'integer'
}

const maxOrderings = 5

/** The order of a list: `{ value: { field }, direction }` by priority, ascending by default. */
const listOrderings = (types: Record<string, Column>) =>
  v.pipe(
    v.unknown(),
    v.metadata({ like: orderingsLike(Object.keys(types).filter((name) => types[name] !== 'texts')) }),
    v.rawTransform(({ dataset, addIssue, NEVER }): Order[] => {
      const issues: Issue[] = []
      const orders = readOrderings(dataset.value, types, (path, message) => issues.push({ path, message }))
      for (const { path, message } of issues) addIssue({ message, path: asPath(path, dataset.value) })
      return issues.length ? NEVER : orders
    }),
  )

function orderingsLike(columns: string[]) {
  const field = { type: 'string', enum: columns }
  const value = { anyOf: [field, { type: 'object', properties: { field }, required: ['field'] }] }
  const direction = { type: 'string', enum: ['asc', 'desc'], default: 'asc' }
  return {
    type: 'array',
    maxItems: maxOrderings,
    items: { type: 'object', properties: { value, direction }, required: ['value'] },
  }
}

function readOrderings(value: unknown, types: Record<string, Column>, report: Report): Order[] {
  if (value === null || value === undefined || value === '') return []
  if (!Array.isArray(value)) return (report([], 'Must be an array.'), [])
  if (value.length > maxOrderings) return (report([], `Must not be more than ${maxOrderings}.`), [])
  return value.flatMap((each: unknown, i) => readOrdering(each, types, [i], report) ?? [])
}

function readOrdering(
  input: unknown,
  types: Record<string, Column>,
  path: (string | number)[],
  report: Report,
): Order | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return void report(path, 'Must be an object.')
  const { value, direction = 'asc', ...others } = input as Record<string, unknown>
  for (const key of Object.keys(others)) report([...path, key], 'Unknown field.')
  const isKnown = direction === 'asc' || direction === 'desc'
  if (!isKnown) report([...path, 'direction'], 'Invalid ordering direction - must be asc or desc.')
  if (value === undefined || value === null || value === '')
    return void report([...path, 'value'], 'Missing ordering value.')
  const isObject = typeof value === 'object' && !Array.isArray(value)
  const column = isObject ? (value as { field?: unknown }).field : value
  const type = typeof column === 'string' && Object.hasOwn(types, column) ? types[column] : undefined
  // Lists cannot be ordered.
  if (typeof column !== 'string' || type === undefined || type === 'texts')
    return void report([...path, 'value', ...(isObject ? ['field'] : [])], 'Field does not exist.')
  return isKnown ? { column, direction, type } : undefined
}

/** Rows with a time in one of some columns before or after another; without columns all rows. */
export interface ChangeFilter {
  columns: string[]
  than: '<' | '>'
  /** ISO text in UTC. */
  value: string
}

/** Rows created or last changed before or after a time, as far as the list has these columns. */
const changeOptions = (columns: Record<string, Column>, than: ChangeFilter['than']) => {
  const times = ['createdAt', 'updatedAt'].filter((column) => columns[column] === 'date')
  return v.optional(
    v.pipe(
      v.unknown(),
      v.metadata({ like: { type: 'string', format: 'date-time' } }),
      v.rawTransform(({ dataset: { value }, addIssue, NEVER }): ChangeFilter | undefined => {
        if (value === null || value === '') return undefined
        const date = asLooseDate(value)
        if (date === undefined) addIssue({ message: 'Not a valid date!' })
        else if (times.length === 0) addIssue({ message: 'This list has no dates of change.' })
        else return { columns: times, than, value: date }
        return NEVER
      }),
    ),
  )
}

/** A limit or offset, parsed as by the query language. Null and empty text: not given. */
export const amount = (message: string) =>
  v.pipe(
    v.unknown(),
    v.metadata({ like: { type: 'integer', minimum: 0 } }),
    v.rawTransform(({ dataset: { value }, addIssue, NEVER }): number | undefined => {
      if (value === null || value === undefined || value === '') return undefined
      const number = asNumber(value)
      if (number !== undefined && Number.isSafeInteger(number) && number >= 0) return number
      addIssue({ message })
      return NEVER
    }),
  )

/** The options of a list that can be filtered and ordered by the given columns. */
export const listOptions = (columns: Record<string, Column>) =>
  v.strictObject({
    search: v.optional(v.nullable(v.pipe(v.string('Must be a string.'), v.trim(), v.maxLength(200)))),
    filters: v.optional(listFilter(columns)),
    before: changeOptions(columns, '<'),
    after: changeOptions(columns, '>'),
    orderings: v.optional(listOrderings(columns)),
    /** Capped at the maximum, which the response reports. */
    limit: v.optional(amount('Invalid limit.')),
    offset: v.optional(amount('Invalid offset.')),
    exclusions: v.optional(Exclusions),
    /** The token of the next page; requires the same orderings. */
    next: v.optional(v.pipe(v.string(), v.maxLength(4000))),
    includes: v.optional(Includes),
    maxVisibility: v.optional(v.picklist(['public', 'place', 'private'])),
    visibility: v.optional(Visibility),
  })

export type ListOptions = v.InferOutput<ReturnType<typeof listOptions>>

/** The same for a restorable noun: `deleted=true` lists deleted rows. */
export const restorableOptions = (columns: Record<string, Column>) =>
  v.strictObject({
    ...listOptions(columns).entries,
    deleted: v.optional(
      v.pipe(
        v.union([v.boolean(), v.picklist(['true', 'false'])]),
        v.transform((value) => value === true || value === 'true'),
      ),
    ),
  })

export type RestorableOptions = v.InferOutput<ReturnType<typeof restorableOptions>>

/** The options of one row. */
export const OneOptions = v.strictObject({ includes: v.optional(Includes) })
export type OneOptions = v.InferOutput<typeof OneOptions>

/**
 * A page of a list: `total` counts all matches; `next` is the token of the next page, absent on the last; `limit` is present only if
 * more rows were requested than the maximum.
 */
export interface Page<Row> {
  results: Row[]
  meta: { results: number; total: number; next?: string; limit?: number }
}
