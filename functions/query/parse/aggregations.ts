import type { Path } from '../error.ts'
import type { ParsedAggregation } from '../types.ts'
import { parseFilters } from './filters.ts'
import type { ParseContext } from './value.ts'
import { isObject, parseValue } from './value.ts'

export const maxAggregations = 200
const maxAlias = 64
const maxNotes = 1024

/** The aggregations of a query, in its order. What is wrong is left out and stands in the issues. */
export function parseAggregations(input: unknown, context: ParseContext): ParsedAggregation[] {
  const { issues } = context
  if (!Array.isArray(input)) issues.add(['aggregations'], 'Must be an array.', input)
  else if (input.length === 0) issues.add(['aggregations'], 'Must have at least one aggregation.', input)
  else if (input.length > maxAggregations) {
    issues.add(['aggregations'], `Must not have more than ${maxAggregations} aggregations.`)
  } else {
    return input.flatMap((each: unknown, i) => parseAggregation(each, ['aggregations', i], context) ?? [])
  }
  return []
}

function parseAggregation(input: unknown, path: Path, context: ParseContext): ParsedAggregation | undefined {
  const { issues } = context
  if (!isObject(input)) return issues.add(path, 'Must be an object.', input)
  const alias = parseAlias(input.alias, [...path, 'alias'], context)
  const name = parseLabel(input.name, maxAlias, [...path, 'name'], context)
  const notes = parseLabel(input.notes, maxNotes, [...path, 'notes'], context)
  const isMissing = input.value === undefined || input.value === ''
  const value = isMissing
    ? issues.add([...path, 'value'], 'Missing value!', input.value)
    : parseValue(input.value, [...path, 'value'], context)
  const filter = parseFilters(input.filters, [...path, 'filters'], context)
  return alias === undefined || !value ? undefined : { alias, value, name, notes, filter }
}

function parseAlias(input: unknown, path: Path, { issues }: ParseContext): string | undefined {
  if (input === undefined || input === null || input === '') return issues.add(path, 'Missing alias!', input)
  if (typeof input !== 'string') return issues.add(path, 'Must be a string.', input)
  const isShort = input.length <= maxAlias
  const isPlain = /^[A-Za-z0-9_-]+$/.test(input)
  if (!isShort) issues.add(path, 'Must be less than 64 characters', input)
  if (!isPlain) issues.add(path, 'Must be alphanumeric, _, or -', input)
  return isShort && isPlain ? input : undefined
}

function parseLabel(input: unknown, limit: number, path: Path, { issues }: ParseContext): string | undefined {
  if (input === undefined || input === null || input === '') return undefined
  if (typeof input !== 'string') return issues.add(path, 'Must be a string.', input)
  return input.length <= limit ? input : issues.add(path, 'Must be less than 64 characters', input)
}
