import { reads, restores, writes } from '../crud.ts'
import { endpoint } from '#functions/api/endpoint.ts'
import * as collections from '#functions/domain/collections.ts'
import {
  CollectionChanges,
  CollectionInsightChanges,
  CollectionInsightRow,
  CollectionOptions,
  CollectionRow,
  NewCollection,
} from '#functions/shapes/collection.ts'

/** Insights gathered under a name. */
export const collection = {
  ...restores('collection.delete', collections, CollectionRow),
  ...reads('collection.read', CollectionOptions, collections, CollectionRow),
  ...writes(
    { create: 'collection.create', update: 'collection.update', delete: 'collection.delete' },
    { create: NewCollection, update: CollectionChanges },
    collections,
    CollectionRow,
  ),
  insight: {
    updateById: endpoint({
      allow: 'collection.update',
      data: CollectionInsightChanges,
      summary: 'Put an insight into a collection, move it there, or take it out',
      returns: CollectionInsightRow,
      run: collections.updateInsight,
    }),
  },
}
