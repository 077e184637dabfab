import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { load } from '#app/server/load.server.ts'
import { guard } from '#app/server/session.server.ts'
import type { OperationName } from '#functions/domain/access/operations.ts'
import { table } from '#functions/domain/access/roles.ts'
import { v1 } from '#functions/v1/index.ts'

/** A role, and all operations that a role can have, by area. */
export async function roleScreen(args: LoaderFunctionArgs) {
  guard(args, 'superadmin')
  const { role, groups } = await load(args, { role: v1.role.findById, groups: everyOperation })
  return { role, groups: groups.results }
}

/** All operations by area. */
export const everyOperation = { endpoint: v1.operations.group, options: { limit: 1000 } }

interface Group {
  area: string
  operations: { id: string; sentence: string }[]
}

/**
 * The operations that a role can grant: without those that everyone may do anyway, unless the role has them already. Empty areas are
 * left out.
 */
export function choosable<Some extends Group>(groups: Some[], grantedIds: readonly string[] = []): Some[] {
  return groups
    .map((group) => ({
      ...group,
      operations: group.operations.filter(({ id }) => openTo(id) === null || grantedIds.includes(id)),
    }))
    .filter(({ operations }) => operations.length > 0)
}

/** Who may do an operation regardless of roles; null: only by a role. */
export function openTo(operation: string): string | null {
  if (!Object.hasOwn(table, operation)) return null
  const who = table[operation as OperationName]
  if (who.includes('anyone')) return 'Everyone'
  if (who.includes('signedIn')) return 'Everyone who is signed in'
  return who.length === 1 && who[0] === 'self' ? 'Everyone, for themselves' : null
}
