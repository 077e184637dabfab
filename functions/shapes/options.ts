import * as v from 'valibot'
import { Includes } from './includes.ts'
import { listFilter, type Column } from './listFilter.ts'

export type { Include } from './includes.ts'

const visibilities = ['public', 'place', 'private'] as const
export const Visibility = v.picklist(visibilities)

/** The id of a place or data type: permanent, lower case, part of addresses. */
export const Slug = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'Must be lower-case letters, digits and dashes.'),
)
/** The id of anything else. */
export const Id = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/, 'Not a valid id.'))
export const Name = v.pipe(v.string(), v.trim(), v.minLength(1, 'Must not be empty.'), v.maxLength(200))
/** A name that stands in titles, emails and logs, of at most `most` characters: one line, without markup. */
export const plainName = (most: number) =>
  v.pipe(
    v.string('Must be a text.'),
    v.trim(),
    v.normalize('NFC'),
    v.minLength(1, 'Required.'),
    v.maxLength(most, `Must be at most ${most} characters.`),
    v.regex(/^[^\p{Cc}\p{Zl}\p{Zp}<>]*$/u, 'Must be one line without < or >.'),
  )
/** A name of a person, wherever it comes from. */
export const PersonName = plainName(100)
export const Notes = v.pipe(v.string(), v.maxLength(10_000))
/** Dates come as text and as numbers of milliseconds; they are kept as ISO text. */
export const Version = v.pipe(v.number(), v.integer(), v.minValue(1))
/** An address that a reader may follow. */
export const WebAddress = v.pipe(
  v.string(),
  v.maxLength(2000),
  v.regex(/^https?:\/\/[^\s]+$/i, 'Must be a web address.'),
)

/** Text of a query string or a number of a body; whole and not negative. */
export const wholeNumber = (most: number, message: string) =>
  v.pipe(
    v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,9}$/))], message),
    v.metadata({ like: { type: 'integer', minimum: 0, maximum: most } }),
    v.transform(Number),
    v.integer(message),
    v.minValue(0, message),
    v.maxValue(most, message),
  )

/** A column that a list is ordered by. `type` absent: text. */
export interface Order {
  column: string
  direction: 'asc' | 'desc'
  type?: Column | 'number' | 'integer'
}

const ordering = (types: Record<string, Column>) => {
  const columns = Object.keys(types)
  return v.pipe(
    v.object({
      value: v.union([
        v.object({ field: v.picklist(columns, 'Field does not exist.') }),
        v.pipe(
          v.picklist(columns, 'Field does not exist.'),
          v.transform((field) => ({ field })),
        ),
      ]),
      direction: v.optional(v.picklist(['asc', 'desc'], 'Invalid direction.'), 'asc'),
    }),
    v.transform(({ value: { field }, direction }): Order => ({
      ...{ column: field, direction, type: types[field] ?? 'text' },
    })),
  )
}

/** The options of a list whose rows can be filtered and ordered by the given columns. */
export const listOptions = (columns: Record<string, Column>) =>
  v.strictObject({
    search: v.optional(v.nullable(v.pipe(v.string(), v.trim(), v.maxLength(200)))),
    filters: v.optional(listFilter(columns)),
    orderings: v.optional(v.pipe(v.array(ordering(columns)), v.maxLength(5))),
    limit: v.optional(wholeNumber(1000, 'Invalid limit.')),
    offset: v.optional(wholeNumber(1_000_000, 'Invalid offset.')),
    /** The token a page gave for the one after it; with the same orderings. */
    next: v.optional(v.pipe(v.string(), v.maxLength(4000))),
    includes: v.optional(Includes),
    maxVisibility: v.optional(v.picklist(['public', 'place', 'private'])),
    visibility: v.optional(Visibility),
  })

export type ListOptions = v.InferOutput<ReturnType<typeof listOptions>>

/** The same for a noun that can be brought back after it was deleted: `deleted=true` lists what could be. */
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

/** A page of a list: `total` counts all that match; `next` names the page after it, absent on the last. */
export interface Page<Row> {
  results: Row[]
  meta: { results: number; total: number; next?: string }
}
