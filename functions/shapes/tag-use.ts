import * as v from 'valibot'

/** The nouns with tags. */
export const taggedNouns = ['source', 'insight', 'collection', 'page'] as const
export type TaggedNoun = (typeof taggedNouns)[number]

/** A tag in its most frequent spelling, merged ignoring case, with its number of uses per noun. */
const TagUse = v.strictObject({
  name: v.string(),
  spellings: v.array(v.string()),
  source: v.number(),
  insight: v.number(),
  collection: v.number(),
  page: v.number(),
})

/** Maximum number of listed tags. */
export const maxTagsListed = 1000

/** The tags of a place, sorted by name. `total` counts all of them. */
export const TagUses = v.strictObject({
  results: v.array(TagUse),
  meta: v.strictObject({ total: v.number() }),
})
export type TagUses = v.InferOutput<typeof TagUses>
