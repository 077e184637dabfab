import { safeParse, type BaseIssue, type GenericSchema } from 'valibot'
import { Failure } from '#functions/errors.ts'
import { describeIssue, describeMissing, type Issue } from '#functions/shapes/issue.ts'

/** The value in its shape. Failure `invalid` with every issue, each with the path the sender used. `before`: what was found wrong with it already. */
export function parseShape(schema: GenericSchema, value: unknown, before: Issue[] = []): unknown {
  const answer = safeParse(schema, value)
  if (answer.success) {
    const issues = [...before, ...listsForObjects(schema as Parts, value, [])]
    if (issues.length) throw new Failure('invalid', { issues })
    return answer.output
  }
  throw new Failure('invalid', { issues: [...before, ...answer.issues.map(issueOf)] })
}

function issueOf(issue: BaseIssue<unknown>): Issue {
  const path = issue.path?.map((part) => part.key as string | number) ?? []
  if (issue.expected === 'never') return { path, message: describeIssue(issue) }
  if (issue.input === undefined) return { path, message: describeMissing(issue), validator: 'required' }
  return { path, value: echo(issue.input), message: describeIssue(issue) }
}

/** What is sent back of a wrong value: short things whole, structures not at all. */
function echo(value: unknown): unknown {
  if (typeof value === 'string') return value.length > 200 ? `${value.slice(0, 200)}…` : value
  return typeof value === 'object' && value !== null ? undefined : value
}

/** The parts that a shape is made of; which of them it has depends on its type. */
type Parts = Pick<GenericSchema, 'type'> & {
  entries?: Record<string, Parts>
  item?: Parts
  wrapped?: Parts
}

const objectTypes = new Set(['object', 'strict_object', 'loose_object', 'record'])

/** To valibot a list is an object too: without this, `[]` would be an object that says nothing. Choices between shapes are not looked into. */
function listsForObjects(
  { type, entries, item, wrapped }: Parts,
  value: unknown,
  path: Issue['path'],
): Issue[] {
  if (typeof value !== 'object' || value === null) return []
  if (wrapped) return listsForObjects(wrapped, value, path)
  if (item)
    return Array.isArray(value) ? value.flatMap((each, i) => listsForObjects(item, each, [...path, i])) : []
  if (!objectTypes.has(type)) return []
  if (Array.isArray(value)) return [{ path, message: 'Must be an object.' }]
  return Object.entries(entries ?? {}).flatMap(([key, entry]) =>
    Object.hasOwn(value, key)
      ? listsForObjects(entry, (value as Record<string, unknown>)[key], [...path, key])
      : [],
  )
}
