import { canonical } from '#functions/engine/http/canonical.ts'
import type { Context } from '#functions/context.ts'
import type { Issue } from '#functions/shapes/issue.ts'
import type { Input } from './endpoint.ts'

/** Read-only members that an update may contain unchanged, so that a client can send back a whole row that it has read. */
export interface ReadOnly {
  members: readonly string[]
  /** Members that only some may change; unchanged values are accepted from everyone and removed from the body. */
  unchanged?: readonly string[]
  /** The current row; undefined where there is none. */
  read(ctx: Context, request: Input<Record<string, never>, undefined>): Promise<object | undefined>
}

/**
 * Removes read-only members with the stored value from a body, with an issue for each that differs. Reads the row only
 * where the body has such a member. Where the body is of another version than the row they are not compared: the update
 * itself reports the conflict.
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
