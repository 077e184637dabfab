/** The built-in roles: their names, and whether they apply to a place or to the whole product. */
export const builtInRoles = {
  super_admin: { name: 'Super admin', scope: 'global' },
  support: { name: 'Support', scope: 'global' },
  organization_admin: { name: 'Organization admin', scope: 'place' },
  content_admin: { name: 'Content admin', scope: 'place' },
  member: { name: 'Member', scope: 'place' },
  viewer: { name: 'Viewer', scope: 'place' },
} as const

export type BuiltInRole = keyof typeof builtInRoles

/** The name of a built-in role; undefined for others, which have their own name. */
export const roleName = (role: string): string | undefined =>
  Object.hasOwn(builtInRoles, role) ? builtInRoles[role as BuiltInRole].name : undefined
