import { safeParse, type BaseIssue, type GenericSchema } from 'valibot'
import { Failure } from '#functions/errors.ts'
import { filterColumns } from '#functions/engine/query/index.ts'
import { describeIssue, describeMissing, validatorOf, type Issue } from '#functions/shapes/issue.ts'
import type { Columns } from '#functions/shapes/listFilter.ts'

/** The value in its shape. Failure `invalid` with every issue, each with the path the sender used. `before`: what was found wrong with it already. */
export function parseShape(schema: GenericSchema, value: unknown, before: Issue[] = []): unknown {
  // A list at the top is no object that lacks everything: it is none.
  const isList = Array.isArray(value) && objectTypes.has(schema.type)
  const answer = safeParse(schema, isList ? null : value)
  const filters = filterIssues(schema as Parts, value)
  const lists = isList ? [] : listsForObjects(schema as Parts, value, [])
  // What a list lacks to be the object that it is not is of no use to anyone.
  const isBelow = ({ path }: Issue) => lists.some((list) => list.path.every((part, i) => path[i] === part))
  const wrong = (answer.issues ?? []).map(issueOf).filter((issue) => !isBelow(issue))
  const issues = [...before, ...wrong, ...lists, ...filters]
  if (issues.length || !answer.success) throw new Failure('invalid', { issues })
  return answer.output
}

/** What is wrong with the filters of a list, which its shape only keeps: the query language says it. */
function filterIssues({ entries = {} }: Parts, value: unknown): Issue[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(entries).flatMap(([key, entry]) => {
    const columns = Object.hasOwn(value, key) ? columnsOf(entry) : undefined
    if (!columns) return []
    const { issues } = filterColumns((value as Record<string, unknown>)[key], columns)
    return issues.map((issue) => ({ ...issue, path: [key, ...issue.path], value: echo(issue.value) }))
  })
}

function columnsOf({ wrapped, pipe = [] }: Parts): Columns | undefined {
  return wrapped ? columnsOf(wrapped) : pipe.find(({ metadata }) => metadata?.columns)?.metadata?.columns
}

function issueOf(issue: BaseIssue<unknown>): Issue {
  const path = issue.path?.map((part) => part.key as string | number) ?? []
  const validator = validatorOf(issue)
  if (issue.expected === 'never') return { path, message: describeIssue(issue), validator }
  if (issue.input === undefined) return { path, message: describeMissing(issue), validator }
  return { path, value: echo(issue.input), message: describeIssue(issue), validator }
}

/** What is sent back of a wrong value: short things whole, structures not at all. */
function echo(value: unknown): unknown {
  if (typeof value === 'string') return value.length > 200 ? `${value.slice(0, 200)}…` : value
  return typeof value === 'object' && value !== null ? undefined : value
}

/** The parts that a shape is made of; which of them it has depends on its type. */
type Parts = Pick<GenericSchema, 'type'> & {
  message?: unknown
  entries?: Record<string, Parts>
  item?: Parts
  wrapped?: Parts
  pipe?: readonly { metadata?: { columns?: Columns } }[]
}

/** In the words of the shape, where it has any of its own. */
function noObject(message: unknown): string {
  const own = typeof message === 'function' ? (message as (issue: object) => unknown)({}) : message
  return typeof own === 'string' ? own : 'Must be an object.'
}

const objectTypes = new Set(['object', 'strict_object', 'loose_object', 'record'])

/** To valibot a list is an object too: without this, `[]` would be an object that says nothing. Choices between shapes are not looked into. */
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
  if (Array.isArray(value)) return [{ path, message: noObject(message), validator: 'type' }]
  return Object.entries(entries ?? {}).flatMap(([key, entry]) =>
    Object.hasOwn(value, key)
      ? listsForObjects(entry, (value as Record<string, unknown>)[key], [...path, key])
      : [],
  )
}
