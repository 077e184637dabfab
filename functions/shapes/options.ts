import * as v from 'valibot'
import { listFilter, type Column } from './listFilter.ts'

export const visibilities = ['public', 'place', 'private'] as const
export const Visibility = v.picklist(visibilities)

/** The id of a place or data type: permanent, lower case, part of addresses. */
export const Slug = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'Must be lower-case letters, digits and dashes.'),
)
/** The id of anything else. */
export const Id = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/, 'Not a valid id.'))
export const Name = v.pipe(v.string(), v.trim(), v.minLength(1, 'Must not be empty.'), v.maxLength(200))
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
    v.transform(Number),
    v.integer(message),
    v.minValue(0, message),
    v.maxValue(most, message),
  )

/** One related noun asked for with a list: which of its fields, under which filters, how many. */
export interface Include {
  resource: string
  attributes: string[] | null
  filters: Record<string, unknown>
  limit: number
}

const IncludeEntry = v.pipe(
  v.union([
    v.string(),
    v.object({
      resource: v.string(),
      attributes: v.optional(
        v.union([
          v.array(v.string()),
          v.pipe(
            v.string(),
            v.transform((text) => text.split(',')),
          ),
        ]),
      ),
      filters: v.optional(
        v.union([
          // A list of filters: all of them hold.
          v.pipe(
            v.array(v.record(v.string(), v.unknown())),
            v.transform((all): Record<string, unknown> => Object.assign({}, ...all)),
          ),
          v.record(v.string(), v.unknown()),
        ]),
      ),
      limit: v.optional(wholeNumber(100, 'Invalid limit.')),
    }),
  ]),
  v.transform((entry): Include => {
    if (typeof entry === 'string') return { resource: entry, attributes: null, filters: {}, limit: 100 }
    const { resource, attributes, filters, limit } = entry
    return { resource, attributes: attributes ?? null, filters: filters ?? {}, limit: limit ?? 100 }
  }),
)

/** `includes=sources`, a list of names, or a list of `{ resource, attributes, filters, limit }`. Unknown names are ignored. */
export const Includes = v.union([
  v.array(IncludeEntry),
  v.pipe(
    IncludeEntry,
    v.transform((entry) => [entry]),
  ),
])

export interface Order {
  column: string
  direction: 'asc' | 'desc'
}

const ordering = (columns: readonly string[]) =>
  v.pipe(
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
    v.transform(({ value, direction }): Order => ({ column: value.field, direction })),
  )

/** The options of a list whose rows can be filtered and ordered by the given columns. */
export const listOptions = (columns: Record<string, Column>) =>
  v.strictObject({
    search: v.optional(v.nullable(v.pipe(v.string(), v.trim(), v.maxLength(200)))),
    filters: v.optional(listFilter(columns)),
    orderings: v.optional(v.pipe(v.array(ordering(Object.keys(columns))), v.maxLength(5))),
    limit: v.optional(wholeNumber(1000, 'Invalid limit.')),
    offset: v.optional(wholeNumber(1_000_000, 'Invalid offset.')),
    includes: v.optional(Includes),
    maxVisibility: v.optional(v.picklist(['public', 'place', 'private'])),
    visibility: v.optional(Visibility),
  })

export type ListOptions = v.InferOutput<ReturnType<typeof listOptions>>

/** The options of one row. */
export const OneOptions = v.strictObject({ includes: v.optional(Includes) })
export type OneOptions = v.InferOutput<typeof OneOptions>

/** A page of a list: `total` counts all that match. */
export interface Page<Row> {
  results: Row[]
  meta: { results: number; total: number }
}
