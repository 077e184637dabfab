import type { GenericSchema } from 'valibot'
import type { Endpoint } from './endpoint.ts'
import { Exclusions, exclusionNames } from '#functions/shapes/exclusions.ts'
import type { Issue } from '#functions/shapes/issue.ts'

type JsonObject = Record<string, unknown>
type Parts = GenericSchema & { entries?: Record<string, Parts>; item?: Parts; wrapped?: Parts }

/** The members of the rows of a list; undefined for lists of records, whose fields are checked by the query language. */
const findRowMembers = ({
  options,
  returns,
}: Pick<Endpoint, 'options' | 'returns'>): string[] | undefined => {
  if ((options as Parts | undefined)?.entries?.exclusions?.wrapped !== Exclusions) return undefined
  const members = (returns as Parts | undefined)?.entries?.results?.item?.entries
  return members && Object.keys(members)
}

/** What `exclusions` names that no row of the list has. */
export function exclusionIssues(
  endpoint: Pick<Endpoint, 'options' | 'returns'>,
  exclusions: unknown,
): Issue[] {
  const members = findRowMembers(endpoint)
  if (!members) return []
  return exclusionNames(exclusions).flatMap((name, i) =>
    members.includes(name.split('.')[0] ?? '')
      ? []
      : [{ path: ['exclusions', i], value: name, message: 'Invalid exclusion.' }],
  )
}

/** Removes the excluded members from the rows of a list; anything but a list of objects is returned unchanged. */
export function omitExcluded(
  endpoint: Pick<Endpoint, 'options' | 'returns'>,
  exclusions: unknown,
  result: unknown,
): unknown {
  const names = findRowMembers(endpoint) ? exclusionNames(exclusions) : []
  if (!names.length || typeof result !== 'object' || result === null || !('results' in result)) return result
  const { results } = result
  if (!Array.isArray(results)) return result
  const paths = names.map((name) => name.split('.'))
  return { ...result, results: results.map((row: unknown) => paths.reduce(omitPath, row)) }
}

function omitPath(value: unknown, [head = '', ...rest]: string[]): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, head)) return value
  if (Array.isArray(value) || value instanceof Date) return value
  if (!rest.length) return Object.fromEntries(Object.entries(value).filter(([name]) => name !== head))
  return { ...value, [head]: omitPath((value as JsonObject)[head], rest) }
}
