import * as v from 'valibot'

/** What can have tags. */
export const taggedNouns = ['source', 'insight', 'collection', 'page'] as const
export type TaggedNoun = (typeof taggedNouns)[number]

/** A tag as most write it, with all that differ from it by capitals only, and how many things of each kind have it. */
const TagUse = v.strictObject({
  name: v.string(),
  spellings: v.array(v.string()),
  source: v.number(),
  insight: v.number(),
  collection: v.number(),
  page: v.number(),
})

/** So many tags are listed at most. */
export const mostTagsListed = 1000

/** The tags of a place, as people sort. `total` counts all of them. */
export const TagUses = v.strictObject({
  results: v.array(TagUse),
  meta: v.strictObject({ total: v.number() }),
})
export type TagUses = v.InferOutput<typeof TagUses>
