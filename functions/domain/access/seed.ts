import type { Tx } from '#db/schema.ts'
import { operationNames, operations } from './operations.ts'
import { builtInRoles, rolesFor, type BuiltInRole } from './roles.ts'

/**
 * Writes the table of `roles.ts` into a new or existing database. Grants are only added for new operations
 * and roles, so that changes by super admins stay. An operation that was made up for bookkeeping and is now
 * checked by the code counts as new: its earlier grants are ignored.
 */
export async function seedRoles(tx: Tx): Promise<void> {
  const freshRoles = await tx
    .insertInto('role')
    .values(
      (Object.keys(builtInRoles) as BuiltInRole[]).map((id) => ({
        id,
        ...builtInRoles[id],
        isBuiltIn: true,
      })),
    )
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .execute()
  const builtIn = await tx.selectFrom('operation').select('id').where('isBuiltIn', '=', true).execute()
  const knownIds = new Set(builtIn.map((row) => row.id))
  const fresh = new Set(operationNames.filter((name) => !knownIds.has(name)))
  if (fresh.size) {
    await tx
      .deleteFrom('operation')
      .where('id', 'in', [...fresh])
      .execute()
    await tx
      .insertInto('operation')
      .values([...fresh].map((id) => ({ id, area: operations[id][0], sentence: operations[id][1] })))
      .execute()
  }
  const freshRoleIds = new Set(freshRoles.map((row) => row.id))
  const grants = operationNames.flatMap((operationId) =>
    rolesFor(operationId)
      .filter((roleId) => fresh.has(operationId) || freshRoleIds.has(roleId))
      .map((roleId) => ({ roleId, operationId })),
  )
  if (!grants.length) return
  await tx
    .insertInto('roleOperation')
    .values(grants)
    .onConflict((conflict) => conflict.columns(['roleId', 'operationId']).doNothing())
    .execute()
}
