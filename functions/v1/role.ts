import { getReadOnlyMembers } from './crud.ts'
import { endpoint } from '#functions/api/endpoint.ts'
import * as roles from '#functions/domain/role/roles.ts'
import { Deleted } from '#functions/shapes/returns.ts'
import { NewRole, Role, RoleChanges, RoleOptions, Roles } from '#functions/shapes/role.ts'

/** Roles and their operations. Changes apply from the next request on. */
export const role = {
  find: endpoint({ allow: 'role.read', options: RoleOptions, returns: Roles, run: roles.find }),
  findById: endpoint({ allow: 'role.read', returns: Role, run: roles.findById }),
  create: endpoint({ allow: 'role.create', stepUp: true, data: NewRole, returns: Role, run: roles.create }),
  updateById: endpoint({
    allow: 'role.update',
    stepUp: true,
    data: RoleChanges,
    readOnly: getReadOnlyMembers(Role, RoleChanges, roles.findById),
    returns: Role,
    run: roles.updateById,
  }),
  deleteById: endpoint({ allow: 'role.delete', stepUp: true, returns: Deleted, run: roles.deleteById }),
}
