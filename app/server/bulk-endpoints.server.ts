import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { actionOptions, type BulkAction, type BulkNoun } from '#app/components/list/bulk-actions.ts'
import type { Option } from '#app/components/form/field.tsx'
import { hasPermission } from './session.server.ts'
import type { Endpoint } from '#functions/api/endpoint.ts'
import type { OperationName } from '#functions/domain/access/operations.ts'
import type { UsedNoun } from '#functions/shapes/use.ts'
import { v1 } from '#functions/v1/index.ts'

/** The endpoints for bulk actions on a noun: each is called once per row. */
export interface BulkEndpoints {
  find: Endpoint
  updateById: Endpoint
  deleteById: Endpoint
  restore: Endpoint
  /** The name of its id parameter. */
  param: string
  /** The column with its name. */
  name: 'name' | 'title'
  update: OperationName
  delete: OperationName
  /** Publishing has its own endpoint and operation. */
  publish?: { endpoint: Endpoint; operation: OperationName }
  used: UsedNoun | null
  actions: readonly BulkAction[]
  /** The path of the list. */
  list: string
}

const visibilities = ['public', 'place', 'private'] as const
const tagging = ['tag', 'untag'] as const

const { source, insight, collection, page, dataType, boundarySet } = v1.place

export const bulkEndpoints: Record<BulkNoun, BulkEndpoints> = {
  sources: {
    ...{ find: source.find, updateById: source.updateById, deleteById: source.deleteById },
    ...{ restore: source.restore, param: 'sourceId', name: 'name', used: 'source', list: '/sources' },
    ...{ update: 'source.update', delete: 'source.delete' },
    actions: [...visibilities, ...tagging, 'delete'],
  },
  insights: {
    ...{ find: insight.find, updateById: v1.insight.updateById, deleteById: v1.insight.deleteById },
    ...{ restore: insight.restore, param: 'insightId', name: 'name', used: 'insight' },
    ...{ list: '/collections/inventory', update: 'insight.update', delete: 'insight.delete' },
    actions: [...visibilities, ...tagging, 'delete'],
  },
  collections: {
    ...{ find: collection.find, updateById: collection.updateById, deleteById: collection.deleteById },
    ...{ restore: collection.restore, param: 'collectionId', name: 'name', used: null },
    ...{ list: '/collections', update: 'collection.update', delete: 'collection.delete' },
    actions: [...visibilities, ...tagging, 'delete'],
  },
  pages: {
    ...{ find: page.find, updateById: page.updateById, deleteById: page.deleteById, restore: page.restore },
    ...{ param: 'pageId', name: 'title', used: null, list: '/pages' },
    ...{
      update: 'page.update',
      delete: 'page.delete',
      publish: { endpoint: page.publish, operation: 'page.publish' },
    },
    actions: ['publish', 'draft', ...visibilities, ...tagging, 'delete'],
  },
  types: {
    ...{ find: dataType.find, updateById: v1.dataType.updateById, deleteById: v1.dataType.deleteById },
    ...{ restore: dataType.restore, param: 'dataTypeId', name: 'name', used: 'dataType' },
    ...{ list: '/types/catalog', update: 'dataType.update', delete: 'dataType.delete' },
    actions: ['delete'],
  },
  boundaries: {
    ...{ find: boundarySet.find, updateById: boundarySet.updateById, deleteById: boundarySet.deleteById },
    ...{ restore: boundarySet.restore, param: 'boundarySetId', name: 'name', used: 'boundarySet' },
    ...{ list: '/boundaries', update: 'boundarySet.update', delete: 'boundarySet.delete' },
    actions: [...visibilities, 'delete'],
  },
}

/** The operation that a bulk action requires. */
export function getRequiredOperation(ways: BulkEndpoints, action: BulkAction): OperationName {
  if (action === 'delete') return ways.delete
  return action === 'publish' ? (ways.publish?.operation ?? ways.update) : ways.update
}

/** The endpoint of a bulk action on one row, and the one that reverts it. */
export function getActionEndpoints(
  ways: BulkEndpoints,
  action: BulkAction,
): { apply: Endpoint; undo: Endpoint } {
  const publish = ways.publish?.endpoint ?? ways.updateById
  if (action === 'delete') return { apply: ways.deleteById, undo: ways.restore }
  if (action === 'publish') return { apply: publish, undo: ways.updateById }
  return { apply: ways.updateById, undo: action === 'draft' ? publish : ways.updateById }
}

/** The bulk actions that the person may use on a list, for the form above it; empty without rows. */
export function actionsOffered({ context }: LoaderFunctionArgs, noun: BulkNoun, rows: number): Option[] {
  const ways = bulkEndpoints[noun]
  return rows === 0
    ? []
    : actionOptions(
        ways.actions.filter((action) => hasPermission(context.ctx, getRequiredOperation(ways, action))),
      )
}
