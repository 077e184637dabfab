import { getReadOnlyMembers } from './crud.ts'
import { endpoint } from '#functions/api/endpoint.ts'
import * as domain from '#functions/domain/role/operations.ts'
import {
  NewOperation,
  Operation,
  OperationChanges,
  OperationGroups,
  OperationOptions,
  Operations,
} from '#functions/shapes/operation.ts'
import { Deleted } from '#functions/shapes/returns.ts'

/** Operations, and which roles may do them. */
export const operations = {
  group: endpoint({
    allow: 'operation.read',
    http: { method: 'get' },
    options: OperationOptions,
    returns: OperationGroups,
    summary: 'The operations by area',
    run: domain.group,
  }),
  find: endpoint({
    allow: 'operation.read',
    options: OperationOptions,
    returns: Operations,
    run: domain.find,
  }),
  findById: endpoint({ allow: 'operation.read', returns: Operation, run: domain.findById }),
  create: endpoint({
    allow: 'operation.create',
    data: NewOperation,
    returns: Operation,
    run: domain.create,
  }),
  updateById: endpoint({
    allow: 'operation.update',
    stepUp: true,
    data: OperationChanges,
    readOnly: getReadOnlyMembers(Operation, OperationChanges, domain.findById),
    returns: Operation,
    run: domain.updateById,
  }),
  deleteById: endpoint({ allow: 'operation.delete', returns: Deleted, run: domain.deleteById }),
}
