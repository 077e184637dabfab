import { canonical } from '#functions/engine/http/canonical.ts'
import type { Context } from '#functions/context.ts'
import type { Issue } from '#functions/shapes/issue.ts'
import type { Input } from './endpoint.ts'

/** Members of a row that a change may hold as they are, so that a row that was read can be changed and sent back whole. */
export interface ReadOnly {
  members: readonly string[]
  /** Members that some may change, and that everyone may hold as they are: these are then left out. */
  unchanged?: readonly string[]
  /** The row as it is now; undefined: there is none. */
  read(ctx: Context, request: Input<Record<string, never>, undefined>): Promise<object | undefined>
}

/**
 * A body without the read-only members that say what is so, with an issue for each that says something else. Reads the row only for a body
 * that has one. A body of another version than the row's has none of them looked at: that it is too old is said by the change itself.
 */
export async function omitReadOnly(
  { members, unchanged = [], read }: ReadOnly,
  ctx: Context,
  request: Pick<Input, 'params' | 'placeId'>,
  body: unknown,
): Promise<{ data: unknown; issues: Issue[] }> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return { data: body, issues: [] }
  const present = [...members, ...unchanged].filter((member) => Object.hasOwn(body, member))
  if (present.length === 0) return { data: body, issues: [] }
  const row = await read(ctx, { ...request, options: {}, data: undefined })
  const current = JSON.parse(JSON.stringify(row ?? {})) as Record<string, unknown>
  const values = body as Record<string, unknown>
  const isOlder = values.version !== undefined && values.version !== current.version
  const isOther = (name: string) => canonical(values[name]) !== canonical(current[name])
  const rejected = present.filter((name) => !unchanged.includes(name) || !isOther(name))
  return {
    data: Object.fromEntries(Object.entries(values).filter(([name]) => !rejected.includes(name))),
    issues: members
      .filter((name) => present.includes(name) && !isOlder && row && isOther(name))
      .map((name) => ({ path: [name], message: 'Cannot be changed.', validator: 'readOnly' })),
  }
}
