import * as v from 'valibot'
import { Id, Name, Notes, Version, Visibility, listOptions } from './options.ts'

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

export const CollectionOptions = listOptions({
  id: 'text',
  name: 'text',
  visibility: 'text',
  createdAt: 'date',
  updatedAt: 'date',
})
