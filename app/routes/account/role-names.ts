/** What the roles of the product are called. */
export const roleNames: Record<string, string> = {
  super_admin: 'Super admin',
  support: 'Support',
  organization_admin: 'Organization admin',
  content_admin: 'Content admin',
  member: 'Member',
  viewer: 'Viewer',
}
