import type { Tx } from '#db/schema.ts'
import { operationNames, operations } from './operations.ts'
import { builtInRoles, rolesFor, type BuiltInRole } from './roles.ts'

/**
 * Writes the table of `roles.ts` into the database. Roles and operations are brought up to date; grants are only
 * given to operations that are new, so what a superadmin has changed stays changed.
 */
export async function seedRoles(tx: Tx): Promise<void> {
  await tx
    .insertInto('role')
    .values(
      (Object.keys(builtInRoles) as BuiltInRole[]).map((id) => ({
        id,
        ...builtInRoles[id],
        isBuiltIn: true,
      })),
    )
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  const known = new Set((await tx.selectFrom('operation').select('id').execute()).map((row) => row.id))
  const fresh = operationNames.filter((name) => !known.has(name))
  if (!fresh.length) return
  await tx
    .insertInto('operation')
    .values(fresh.map((id) => ({ id, area: operations[id][0], sentence: operations[id][1] })))
    .execute()
  const grants = fresh.flatMap((operationId) =>
    rolesFor(operationId).map((roleId) => ({ roleId, operationId })),
  )
  if (grants.length) await tx.insertInto('roleOperation').values(grants).execute()
}
