import * as v from 'valibot'

/** The nouns of sample data. */
export const sampleNouns = ['dataType', 'source', 'insight', 'page'] as const
export type SampleNoun = (typeof sampleNouns)[number]
export interface SampleThing {
  noun: SampleNoun
  id: string
}

/** The prefix of all names of sample data, to distinguish them from the organization's own. */
export const samplePrefix = 'Sample: '

const nouns = ['dataType', 'source', 'insight', 'page', 'observer', 'importer', 'collection'] as const

const Thing = v.strictObject({ noun: v.picklist(nouns), id: v.string(), name: v.string() })

/**
 * The sample data of a place. `isPresent`: some of it exists. `refusal`: why none can be created, in a sentence; null if it can.
 * `about`: its description. `things`: what exists of it; `goes`: what else is removed with it, as it depends only on sample data;
 * `stays`: what stays but changes, and how.
 */
export const Sample = v.strictObject({
  isPresent: v.boolean(),
  refusal: v.nullable(v.string()),
  about: v.strictObject({
    name: v.string(),
    records: v.number(),
    attribution: v.string(),
    attributionUrl: v.string(),
    licence: v.string(),
  }),
  things: v.array(v.strictObject({ ...Thing.entries, pageType: v.optional(v.string()) })),
  goes: v.array(Thing),
  stays: v.array(v.strictObject({ ...Thing.entries, because: v.string() })),
})
export type Sample = v.InferOutput<typeof Sample>

/** What was removed with the sample data, and what stayed. */
export const SampleRemoved = v.pick(Sample, ['things', 'goes', 'stays'])
