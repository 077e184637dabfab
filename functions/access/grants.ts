import type { Grants } from './allowed.ts'
import type { Context } from '#functions/context.ts'

const known = new WeakMap<Context, Promise<Grants>>()

/** What each role may do now, read once a request: a right taken away is gone with the next request. */
export function grantsOf(ctx: Context): Promise<Grants> {
  const before = known.get(ctx)
  if (before) return before
  const grants = read(ctx)
  known.set(ctx, grants)
  return grants
}

async function read(ctx: Context): Promise<Grants> {
  const rows = await ctx.db.selectFrom('roleOperation').select(['roleId', 'operationId']).execute()
  const grants = new Map<string, Set<string>>()
  for (const { roleId, operationId } of rows) {
    const operations = grants.get(roleId) ?? new Set()
    grants.set(roleId, operations.add(operationId))
  }
  return grants
}
