import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { actionOptions, type ManyAction, type ManyNoun } from '#app/components/list/many.ts'
import type { Option } from '#app/components/form/field.tsx'
import { may } from './session.server.ts'
import type { Endpoint } from '#functions/api/endpoint.ts'
import type { OperationName } from '#functions/domain/access/operations.ts'
import type { UsedNoun } from '#functions/shapes/use.ts'
import { v1 } from '#functions/v1/index.ts'

/** How many of a noun are read, changed, deleted and brought back, each by the endpoints of one. */
export interface ManyWays {
  find: Endpoint
  updateById: Endpoint
  deleteById: Endpoint
  restore: Endpoint
  /** What its id is called in addresses. */
  param: string
  /** Its column in the language of lists that is its name. */
  name: 'name' | 'title'
  update: OperationName
  delete: OperationName
  /** Publishing has an endpoint and an operation of its own. */
  publish?: { endpoint: Endpoint; operation: OperationName }
  used: UsedNoun | null
  actions: readonly ManyAction[]
  /** Where the list is. */
  list: string
}

const visibilities = ['public', 'place', 'private'] as const
const tagging = ['tag', 'untag'] as const

const { source, insight, collection, page, dataType } = v1.place

export const manyWays: Record<ManyNoun, ManyWays> = {
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
}

/** Which operation an action on many of a noun takes. */
export function operationOf(ways: ManyWays, action: ManyAction): OperationName {
  if (action === 'delete') return ways.delete
  return action === 'publish' ? (ways.publish?.operation ?? ways.update) : ways.update
}

/** The endpoint that does an action to one, and the one that takes it back. */
export function endpointsOf(ways: ManyWays, action: ManyAction): { apply: Endpoint; undo: Endpoint } {
  const publish = ways.publish?.endpoint ?? ways.updateById
  if (action === 'delete') return { apply: ways.deleteById, undo: ways.restore }
  if (action === 'publish') return { apply: publish, undo: ways.updateById }
  return { apply: ways.updateById, undo: action === 'draft' ? publish : ways.updateById }
}

/** What the person may do to many rows of a list, for the form above it; nothing where there are no rows. */
export function actionsOffered({ context }: LoaderFunctionArgs, noun: ManyNoun, rows: number): Option[] {
  const ways = manyWays[noun]
  return rows === 0
    ? []
    : actionOptions(ways.actions.filter((action) => may(context.ctx, operationOf(ways, action))))
}
