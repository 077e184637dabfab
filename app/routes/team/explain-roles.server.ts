import { toAbilities, type Abilities } from '#functions/domain/access/abilities.ts'

/** Returns each role with a description of its permissions, in the order of the roles. */
export function explainRoles(
  roles: { id: string; name: string; operations: string[] }[],
): ({ id: string; name: string } & Abilities)[] {
  return roles.map(({ id, name, operations }) => ({ id, name, ...toAbilities(operations) }))
}
