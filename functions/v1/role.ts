import { endpoint } from '#functions/api/endpoint.ts'
import * as roles from '#functions/domain/roles.ts'
import { RoleOptions } from '#functions/shapes/role.ts'

/** Roles with the operations each may do. */
export const role = {
  find: endpoint({ allow: 'role.read', options: RoleOptions, run: roles.find }),
  findById: endpoint({ allow: 'role.read', run: roles.findById }),
}
