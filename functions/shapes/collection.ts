import * as v from 'valibot'
import { contentSettings } from './content.ts'
import { Id, Name, Notes, Version, Visibility, listOptions, restorableOptions } from './options.ts'
import { VisualizationRow } from './insight.ts'
import { RelatedDataType } from './related.ts'
import { buildPartialShape, Time } from './returns.ts'
import { Tags } from './tags.ts'

const settings = {
  name: Name,
  notes: v.optional(Notes),
  visibility: v.optional(Visibility),
  tags: v.optional(Tags),
}

export const NewCollection = v.strictObject({ ...settings, id: v.optional(Id) })
export type NewCollection = v.InferOutput<typeof NewCollection>

export const CollectionChanges = v.strictObject({
  ...v.partial(v.object(settings)).entries,
  version: v.optional(Version),
})
export type CollectionChanges = v.InferOutput<typeof CollectionChanges>

/** The position in a collection, shared by insights and texts; ascending. */
const position = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2_000_000_000)))

/** Adds an insight to a collection, moves it, sets its note, or removes it. */
export const CollectionInsightChanges = v.strictObject({
  position,
  notes: v.optional(Notes),
  removed: v.optional(v.boolean()),
})
export type CollectionInsightChanges = v.InferOutput<typeof CollectionInsightChanges>

const words = { title: Name, html: v.optional(contentSettings.text.entries.html), position }

/** A new text of a collection. Without a position it comes last. The HTML is sanitised on save. */
export const NewCollectionText = v.strictObject({ ...words, id: v.optional(Id) })
export type NewCollectionText = v.InferOutput<typeof NewCollectionText>

export const CollectionTextChanges = v.strictObject({
  ...v.partial(v.object(words)).entries,
  version: v.optional(Version),
})
export type CollectionTextChanges = v.InferOutput<typeof CollectionTextChanges>

export const CollectionTextOptions = listOptions({
  id: 'text',
  title: 'text',
  createdAt: 'date',
  updatedAt: 'date',
})

export const CollectionInsightOptions = listOptions({
  id: 'text',
  name: 'text',
  visibility: 'text',
  dataTypeId: 'text',
})

export const CollectionOptions = restorableOptions({
  id: 'text',
  name: 'text',
  visibility: 'text',
  tags: 'texts',
  createdAt: 'date',
  updatedAt: 'date',
})

/** An insight in a collection, in its order. */
export const CollectedInsight = buildPartialShape({
  id: v.string(),
  name: v.string(),
  visibility: Visibility,
  dataTypeId: v.string(),
  visualization: VisualizationRow,
  position: v.number(),
  notes: v.string(),
  dataType: v.nullable(RelatedDataType),
})

const textEntries = { id: v.string(), title: v.string(), html: v.string(), position: v.number() }

/** A text of a collection. */
export const CollectionTextRow = v.strictObject({
  ...textEntries,
  placeId: v.string(),
  collectionId: v.string(),
  version: v.number(),
  createdAt: Time,
  updatedAt: Time,
})

/** A text as included with a collection. */
export const CollectedText = buildPartialShape({ ...textEntries, version: v.number() })

/** A collection. `insights` and `texts` only with `includes`. */
export const CollectionRow = v.strictObject({
  id: v.string(),
  placeId: v.string(),
  name: v.string(),
  notes: v.string(),
  visibility: Visibility,
  tags: v.array(v.string()),
  version: v.number(),
  createdAt: Time,
  updatedAt: Time,
  insights: v.optional(v.array(CollectedInsight)),
  texts: v.optional(v.array(CollectedText)),
})

/** An insight's position and note in a collection. */
export const CollectionInsightRow = v.strictObject({
  collectionId: v.string(),
  insightId: v.string(),
  removed: v.boolean(),
  position: v.optional(v.number()),
  notes: v.optional(v.string()),
})
