import * as v from 'valibot'
import { Visibility } from './options.ts'

/** The nouns that a search of a place finds. `user`: its people. */
const searchedNouns = [
  'source',
  'dataType',
  'insight',
  'collection',
  'page',
  'importer',
  'observer',
  'boundarySet',
  'asset',
  'user',
  'invite',
] as const
export type SearchedNoun = (typeof searchedNouns)[number]

/** Maximum number of results per noun. */
export const maxFoundPerNoun = 5
/** Maximum number of words that are looked for; further ones are ignored. */
export const maxSearchedWords = 8

export const PlaceSearchOptions = v.strictObject({
  search: v.pipe(
    v.string('Must be a string.'),
    v.trim(),
    v.minLength(2, 'Must be at least two characters.'),
    v.maxLength(200),
  ),
})
export type PlaceSearchOptions = v.InferOutput<typeof PlaceSearchOptions>

/** One found thing, with what decides which commands make sense for it. */
const FoundThing = v.strictObject({
  noun: v.picklist(searchedNouns),
  id: v.string(),
  /** The name, title, or address of an invitation. */
  name: v.string(),
  /** What its path needs besides its id: the type of a page, the source of an importer, the data type of an observer; else null. */
  under: v.nullable(v.string()),
  /** Null for nouns without one. */
  visibility: v.nullable(Visibility),
  /** Of pages; else null. */
  publish: v.nullable(v.picklist(['draft', 'published'])),
  /** Of importers and observers; else null. */
  enabled: v.nullable(v.boolean()),
  /** Whether it is the place's own: false for data types of others that its sources use. */
  isOwn: v.boolean(),
})

/** Best matches first. */
export const PlaceSearchResults = v.strictObject({ results: v.array(FoundThing) })
export type PlaceSearchResults = v.InferOutput<typeof PlaceSearchResults>
