import * as v from 'valibot'

/** The type of a list's column, for parsing query strings. */
export type Column = 'text' | 'boolean' | 'date' | 'texts'
export type Columns = Readonly<Record<string, Column>>

/** Unparsed filters of a list with the available columns. The query language parses them. */
export interface ListFilter {
  readonly input: unknown
  readonly columns: Columns
}

export type Report = (path: (string | number)[], message: string) => unknown

/**
 * The filters of a list in the query language: an object by column, or a list of such objects (combined with and). Only stored here
 * with the columns: the request parser finds `columns` in the metadata, and reports issues.
 */
export const listFilter = (columns: Columns) =>
  v.pipe(
    v.unknown(),
    v.metadata({ like: filterLike(columns), columns }),
    v.transform((input): ListFilter => ({ input, columns })),
  )

const comparisons = ['$gt', '$gte', '$lt', '$lte']
const patterns = [
  '$like',
  '$notLike',
  '$iLike',
  '$notILike',
  '$regexp',
  '$notRegexp',
  '$iRegexp',
  '$notIRegexp',
]

/** A filter as JSON Schema, for the reference. */
function filterLike(columns: Columns) {
  const one = { type: ['string', 'boolean', 'null', 'object'] }
  const many = { type: 'array', items: one }
  const buildProperties = (keys: string[], like: object) => Object.fromEntries(keys.map((key) => [key, like]))
  const textsFilter = {
    anyOf: [
      many,
      {
        type: 'object',
        properties: {
          ...buildProperties(['$eq', '$ne', '$contains', '$overlap', '$contained'], many),
          ...buildProperties(['$and', '$or'], { type: 'array' }),
          $not: one,
        },
        additionalProperties: false,
      },
    ],
  }
  const buildValueSchema = (type: Column) => ({
    anyOf: [
      one,
      many,
      {
        type: 'object',
        properties: {
          ...{ $eq: one, $ne: one, $is: one, $not: one, $in: many, $notIn: many, $any: many, $all: many },
          ...(type !== 'boolean' && {
            ...buildProperties(comparisons, one),
            ...buildProperties(['$between', '$notBetween'], many),
          }),
          ...(type === 'text' && buildProperties(patterns, { type: ['string', 'object'] })),
          ...buildProperties(['$and', '$or'], { type: 'array' }),
        },
        additionalProperties: false,
      },
    ],
  })
  const conditionList = { type: 'array', items: { type: 'object' } }
  return {
    description:
      'In the query language, by column: a value, some values, or operators such as `$ne`, `$in`, `$gte`, `$between`, `$iLike`, of lists `$contains` and `$overlap`; joined by `$and`, `$or` and `$not`. A value may be a field (`{ field }`) or a function (`{ function, arguments }`) of dates or comparisons, such as `now` and `last`. A list means all of it.',
    type: ['object', 'array'],
    properties: {
      ...Object.fromEntries(
        Object.entries(columns).map(([column, type]) => [
          column,
          type === 'texts' ? textsFilter : buildValueSchema(type),
        ]),
      ),
      $and: conditionList,
      $or: conditionList,
      $not: { type: 'object' },
      function: { type: 'string' },
      arguments: { type: 'array' },
    },
    additionalProperties: false,
    items: { type: 'object' },
  }
}

/** A path in the format of valibot's issues; undefined: the value itself. */
export function asPath(path: (string | number)[], input: unknown): [v.UnknownPathItem] | undefined {
  if (!path.length) return undefined
  return path.map((key) => ({ type: 'unknown', origin: 'value', input, key, value: undefined })) as [
    v.UnknownPathItem,
  ]
}
