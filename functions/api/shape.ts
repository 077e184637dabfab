import { safeParse, type BaseIssue, type GenericSchema } from 'valibot'
import { Failure } from '#functions/errors.ts'
import { filterColumns } from '#functions/engine/query/index.ts'
import { describeIssue, describeMissing, getRuleName, type Issue } from '#functions/shapes/issue.ts'
import type { Columns } from '#functions/shapes/list-filter.ts'

/**
 * Validates a value against a schema and returns the output. Failure `invalid` with every issue, each with the path that
 * the client used. `before`: issues that were found earlier.
 */
export function parseShape(schema: GenericSchema, value: unknown, before: Issue[] = []): unknown {
  // For a list instead of an object, the missing members are not reported.
  const isList = Array.isArray(value) && objectTypes.has(schema.type)
  const answer = safeParse(schema, isList ? null : value)
  const filters = filterIssues(schema as Parts, value)
  const lists = isList ? [] : listsForObjects(schema as Parts, value, [])
  // Members that a list lacks to be an object are of no use in the response.
  const isBelow = ({ path }: Issue) => lists.some((list) => list.path.every((part, i) => path[i] === part))
  const wrong = (answer.issues ?? []).map(toIssue).filter((issue) => !isBelow(issue))
  const issues = [...before, ...wrong, ...lists, ...filters]
  if (issues.length || !answer.success) throw new Failure('invalid', { issues })
  return answer.output
}

/** Issues of the filters of a list, which its schema does not validate: the query language does. */
function filterIssues({ entries = {} }: Parts, value: unknown): Issue[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(entries).flatMap(([key, entry]) => {
    const columns = Object.hasOwn(value, key) ? findColumns(entry) : undefined
    if (!columns) return []
    const { issues } = filterColumns((value as Record<string, unknown>)[key], columns)
    return issues.map((issue) => ({ ...issue, path: [key, ...issue.path], value: echo(issue.value) }))
  })
}

function findColumns({ wrapped, pipe = [] }: Parts): Columns | undefined {
  return wrapped ? findColumns(wrapped) : pipe.find(({ metadata }) => metadata?.columns)?.metadata?.columns
}

function toIssue(issue: BaseIssue<unknown>): Issue {
  const path = issue.path?.map((part) => part.key as string | number) ?? []
  const validator = getRuleName(issue)
  if (issue.expected === 'never') return { path, message: describeIssue(issue), validator }
  if (issue.input === undefined) return { path, message: describeMissing(issue), validator }
  return { path, value: echo(issue.input), message: describeIssue(issue), validator }
}

/** The invalid value in a response: long texts are truncated, structures left out. */
function echo(value: unknown): unknown {
  if (typeof value === 'string') return value.length > 200 ? `${value.slice(0, 200)}…` : value
  return typeof value === 'object' && value !== null ? undefined : value
}

/** The parts that a schema may have; which ones depends on its type. */
type Parts = Pick<GenericSchema, 'type'> & {
  message?: unknown
  entries?: Record<string, Parts>
  item?: Parts
  wrapped?: Parts
  pipe?: readonly { metadata?: { columns?: Columns } }[]
}

/** The message of the schema, if it has one. */
function getObjectMessage(message: unknown): string {
  const own = typeof message === 'function' ? (message as (issue: object) => unknown)({}) : message
  return typeof own === 'string' ? own : 'Must be an object.'
}

const objectTypes = new Set(['object', 'strict_object', 'loose_object', 'record'])

/** For valibot a list is an object too: without this, `[]` would be an empty object. Unions are not descended into. */
function listsForObjects(
  { type, entries, item, wrapped, message }: Parts,
  value: unknown,
  path: Issue['path'],
): Issue[] {
  if (typeof value !== 'object' || value === null) return []
  if (wrapped) return listsForObjects(wrapped, value, path)
  if (item)
    return Array.isArray(value) ? value.flatMap((each, i) => listsForObjects(item, each, [...path, i])) : []
  if (!objectTypes.has(type)) return []
  if (Array.isArray(value)) return [{ path, message: getObjectMessage(message), validator: 'type' }]
  return Object.entries(entries ?? {}).flatMap(([key, entry]) =>
    Object.hasOwn(value, key)
      ? listsForObjects(entry, (value as Record<string, unknown>)[key], [...path, key])
      : [],
  )
}
