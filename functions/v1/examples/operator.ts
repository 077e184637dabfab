import type { Examples } from './example.ts'

/** Operations, roles, and the endpoints for the operator of the product. */
export const operator: Examples = {
  'operations.find': { options: { filters: { area: 'source' } } },
  'operations.group': {},
  'operations.findById': { params: { operationsId: 'source.read' } },
  'operations.create': { data: { id: 'council.vote', sentence: 'Vote in the council', roles: ['member'] } },
  'operations.updateById': { params: { operationsId: 'council.vote' }, data: { sentence: 'Vote' } },
  'operations.deleteById': { params: { operationsId: 'council.vote' } },
  'role.create': { data: { id: 'editor', name: 'Editor', operations: ['page.create', 'page.update'] } },
  'role.updateById': { params: { roleId: 'editor' }, data: { name: 'Editor of pages' } },
  'role.deleteById': { params: { roleId: 'editor' } },
  'internal.find': {},
  'internal.origins': {},
  'internal.hubs': {},
  'internal.domains': { options: { limit: 10 } },
  'internal.builds': {},
  'internal.unstick': {},
  'internal.refresh': { data: {} },
  'internal.rerender': {},
  'internal.hose': {},
  'internal.halt': {},
}
