import * as v from 'valibot'

/** The nouns that sample data are made of. */
export const sampleNouns = ['dataType', 'source', 'insight', 'page'] as const
export type SampleNoun = (typeof sampleNouns)[number]
export interface SampleThing {
  noun: SampleNoun
  id: string
}

/** What the name of everything begins with that is sample data, so that nobody takes it for the organization's own. */
export const samplePrefix = 'Sample: '

const nouns = ['dataType', 'source', 'insight', 'page', 'observer', 'importer', 'collection'] as const

const Thing = v.strictObject({ noun: v.picklist(nouns), id: v.string(), name: v.string() })

/**
 * Sample data of a place. `isPresent`: something of it is there. `refusal`: why none can be brought in, in a sentence; null where it
 * can. `about`: what it is or would be. `things`: what is there of it; `goes`: what else goes when it is removed, since it asks or
 * fills nothing but sample data; `stays`: what stays and is another then, with what becomes of it.
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
