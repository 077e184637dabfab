import { safeParse, type BaseIssue, type GenericSchema } from 'valibot'
import { Failure } from '#functions/errors.ts'
import type { Issue } from '#functions/shapes/issue.ts'

/** The value in its shape. Failure `invalid` with every issue, each with the path the sender used. */
export function parseShape(schema: GenericSchema, value: unknown): unknown {
  const answer = safeParse(schema, value)
  // To valibot a list is an object too: without this, `[]` would be an object that says nothing.
  if (answer.success && Array.isArray(value) && !Array.isArray(answer.output))
    throw new Failure('invalid', { issues: [{ path: [], message: 'Must be an object.' }] })
  if (answer.success) return answer.output
  throw new Failure('invalid', { issues: answer.issues.map(issueOf) })
}

function issueOf(issue: BaseIssue<unknown>): Issue {
  const path = issue.path?.map((part) => part.key as string | number) ?? []
  if (issue.expected === 'never') return { path, message: 'Unknown field.' }
  if (issue.input === undefined) return { path, message: 'Required.', validator: 'required' }
  return { path, value: echo(issue.input), message: issue.message }
}

/** What is sent back of a wrong value: short things whole, structures not at all. */
function echo(value: unknown): unknown {
  if (typeof value === 'string') return value.length > 200 ? `${value.slice(0, 200)}…` : value
  return typeof value === 'object' && value !== null ? undefined : value
}
