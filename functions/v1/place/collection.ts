import { createRowReader, getReadOnlyMembers, reads, restores, writes } from '../crud.ts'
import { endpoint } from '#functions/api/endpoint.ts'
import * as insights from '#functions/domain/collection/collection-insights.ts'
import * as collections from '#functions/domain/collection/collections.ts'
import * as texts from '#functions/domain/collection/collection-texts.ts'
import {
  CollectedInsight,
  CollectionChanges,
  CollectionInsightChanges,
  CollectionInsightOptions,
  CollectionInsightRow,
  CollectionOptions,
  CollectionRow,
  CollectionTextChanges,
  CollectionTextOptions,
  CollectionTextRow,
  NewCollection,
  NewCollectionText,
} from '#functions/shapes/collection.ts'
import { buildListShape } from '#functions/shapes/returns.ts'

/** Named collections of insights and texts. */
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
    find: endpoint({
      allow: 'collection.read',
      options: CollectionInsightOptions,
      summary: 'The insights of a collection, in its order',
      returns: buildListShape(CollectedInsight),
      run: insights.find,
    }),
    updateById: endpoint({
      allow: 'collection.update',
      data: CollectionInsightChanges,
      readOnly: getReadOnlyMembers(
        CollectedInsight,
        CollectionInsightChanges,
        createRowReader(CollectionInsightOptions, insights.find, 'insightId'),
      ),
      summary: 'Put an insight into a collection, move it there, or take it out',
      returns: CollectionInsightRow,
      run: insights.updateById,
    }),
  },
  text: {
    find: endpoint({
      allow: 'collection.read',
      options: CollectionTextOptions,
      returns: buildListShape(CollectionTextRow),
      run: texts.find,
    }),
    findById: endpoint({ allow: 'collection.read', returns: CollectionTextRow, run: texts.findById }),
    ...writes(
      { create: 'collection.update', update: 'collection.update', delete: 'collection.update' },
      { create: NewCollectionText, update: CollectionTextChanges },
      texts,
      CollectionTextRow,
    ),
  },
}
