import * as v from 'valibot'
import { Id, Name, Notes, Version, Visibility, restorableOptions } from './options.ts'
import { VisualizationRow } from './insight.ts'
import { RelatedDataType } from './related.ts'
import { partOf, Time } from './returns.ts'

const settings = { name: Name, notes: v.optional(Notes), visibility: v.optional(Visibility) }

export const NewCollection = v.strictObject({ ...settings, id: v.optional(Id) })
export type NewCollection = v.InferOutput<typeof NewCollection>

export const CollectionChanges = v.strictObject({
  ...v.partial(v.object(settings)).entries,
  version: v.optional(Version),
})
export type CollectionChanges = v.InferOutput<typeof CollectionChanges>

/** Puts an insight into a collection, moves it there, notes something about it, or takes it out. */
export const CollectionInsightChanges = v.strictObject({
  position: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  notes: v.optional(Notes),
  removed: v.optional(v.boolean()),
})
export type CollectionInsightChanges = v.InferOutput<typeof CollectionInsightChanges>

export const CollectionOptions = restorableOptions({
  id: 'text',
  name: 'text',
  visibility: 'text',
  createdAt: 'date',
  updatedAt: 'date',
})

/** An insight as it stands in a collection, in its order. */
export const CollectedInsight = partOf({
  id: v.string(),
  name: v.string(),
  visibility: Visibility,
  dataTypeId: v.string(),
  visualization: VisualizationRow,
  position: v.number(),
  notes: v.string(),
  dataType: v.nullable(RelatedDataType),
})

/** A collection. `insights` only where `includes=insights` asked for them. */
export const CollectionRow = v.strictObject({
  id: v.string(),
  placeId: v.string(),
  name: v.string(),
  notes: v.string(),
  visibility: Visibility,
  version: v.number(),
  createdAt: Time,
  updatedAt: Time,
  insights: v.optional(v.array(CollectedInsight)),
})

/** How an insight stands in a collection now: what was said about it. */
export const CollectionInsightRow = v.strictObject({
  collectionId: v.string(),
  insightId: v.string(),
  removed: v.boolean(),
  position: v.optional(v.number()),
  notes: v.optional(v.string()),
})
