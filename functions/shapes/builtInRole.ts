/** The roles that come with the product: what they are called, and whether they are of a place or of the whole product. */
export const builtInRoles = {
  super_admin: { name: 'Super admin', scope: 'global' },
  support: { name: 'Support', scope: 'global' },
  organization_admin: { name: 'Organization admin', scope: 'place' },
  content_admin: { name: 'Content admin', scope: 'place' },
  member: { name: 'Member', scope: 'place' },
  viewer: { name: 'Viewer', scope: 'place' },
} as const

export type BuiltInRole = keyof typeof builtInRoles

/** What a role is called; a role that people made is called by its own name. */
export const roleName = (role: string): string | undefined =>
  Object.hasOwn(builtInRoles, role) ? builtInRoles[role as BuiltInRole].name : undefined
