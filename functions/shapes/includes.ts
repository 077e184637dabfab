import * as v from 'valibot'
import { asPath } from './list-filter.ts'

/** A related noun to include with rows: its fields, filters, limit per row, and nested includes. */
export interface Include {
  resource: string
  /** The requested fields; null: all. Unknown ones are ignored. */
  attributes: string[] | null
  /** Unparsed filters; the columns depend on the noun. */
  filters: unknown
  limit: number
  includes: Include[]
  /** Its path in the options, for issues of its filters. */
  path: (string | number)[]
}

type Path = (string | number)[]
type Report = (path: Path, message: string) => void

/** Maximum nesting depth of includes. */
const maxIncludeDepth = 3
const maxLimit = 100
const maxIncludes = 20
const knownKeys = ['resource', 'attributes', 'filters', 'limit', 'includes']

/**
 * `includes=sources`, `includes=dataType,place`, a list of names, or a list of `{ resource, attributes, filters, limit, includes }`.
 * Unknown names are ignored.
 */
export const Includes = v.pipe(
  v.unknown(),
  v.metadata({ like: { description: 'Related rows to bring along, by what they are.', ...like(1) } }),
  v.rawTransform(({ dataset, addIssue, NEVER }): Include[] => {
    let isGood = true
    const report: Report = (path, message) => {
      isGood = false
      addIssue({ message, path: asPath(path, dataset.value) })
    }
    const includes = read(dataset.value, [], 1, report)
    return isGood ? includes : NEVER
  }),
)

function read(value: unknown, path: Path, depth: number, report: Report): Include[] {
  if (value === undefined || value === null || value === '') return []
  if (depth > maxIncludeDepth) return (report(path, `Must not be nested deeper than ${maxIncludeDepth}.`), [])
  if (typeof value === 'string') return namesIn(value).map((name) => emptyInclude(name, path))
  if (!Array.isArray(value)) return entry(value, path, depth, report)
  if (value.length > maxIncludes) return (report(path, `Must not be more than ${maxIncludes}.`), [])
  return value.flatMap((part: unknown, i) =>
    typeof part === 'string' ? emptyInclude(part, [...path, i]) : entry(part, [...path, i], depth, report),
  )
}

function entry(value: unknown, path: Path, depth: number, report: Report): Include[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return (report(path, 'Must be a name or an object.'), [])
  const input = value as Record<string, unknown>
  for (const key of Object.keys(input))
    if (!knownKeys.includes(key)) report([...path, key], 'Unknown option.')
  const { resource } = input
  if (typeof resource !== 'string') return (report([...path, 'resource'], 'Must be a string.'), [])
  return [
    {
      resource,
      attributes: attributesIn(input.attributes, [...path, 'attributes'], report),
      filters: input.filters,
      limit: limitIn(input.limit, [...path, 'limit'], report),
      includes: read(input.includes, [...path, 'includes'], depth + 1, report),
      path,
    },
  ]
}

function attributesIn(value: unknown, path: Path, report: Report): string[] | null {
  if (value === undefined || value === null || value === '') return null
  if (typeof value === 'string') return namesIn(value)
  if (Array.isArray(value) && value.every((name): name is string => typeof name === 'string')) return value
  return (report(path, 'Must be a list of names.'), null)
}

/** Text of a query string or a number of a body. */
function limitIn(value: unknown, path: Path, report: Report): number {
  if (value === undefined) return maxLimit
  const limit = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
  if (typeof limit === 'number' && Number.isInteger(limit) && limit >= 0 && limit <= maxLimit) return limit
  return (report(path, 'Invalid limit.'), maxLimit)
}

const emptyInclude = (resource: string, path: Path): Include => ({
  ...{ resource, path, attributes: null, filters: undefined, limit: maxLimit, includes: [] },
})

const namesIn = (text: string) => text.split(',').filter((name) => name !== '')

/** The same as JSON Schema, for the reference. */
function like(depth: number): Record<string, unknown> {
  const names = { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }
  const one = {
    type: 'object',
    properties: {
      resource: { type: 'string' },
      attributes: names,
      filters: { type: ['object', 'array'] },
      limit: { type: ['integer', 'string'], minimum: 0, maximum: maxLimit },
      ...(depth < maxIncludeDepth && { includes: like(depth + 1) }),
    },
    required: ['resource'],
    additionalProperties: false,
  }
  return {
    anyOf: [
      { type: 'string' },
      one,
      { type: 'array', items: { anyOf: [{ type: 'string' }, one] }, maxItems: maxIncludes },
    ],
  }
}
