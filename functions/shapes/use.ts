import * as v from 'valibot'
import { Id } from './options.ts'

/** The nouns whose uses can be queried. */
const usedNouns = ['source', 'dataType', 'insight', 'boundarySet', 'asset'] as const
export type UsedNoun = (typeof usedNouns)[number]

/** The nouns that use others. `place`: the theme of its hub. */
const usingNouns = [
  'source',
  'dataType',
  'insight',
  'importer',
  'observer',
  'collection',
  'page',
  'place',
] as const
export type UsingNoun = (typeof usingNouns)[number]

/** Maximum number of ids per query. */
export const maxUseIds = 200
/** Maximum number of named users per kind; totals count all. */
export const maxNamedUsers = 10

const Ids = v.pipe(v.array(Id), v.minLength(1, 'Required.'), v.maxLength(maxUseIds))

/** Ids of one noun: a list, or text with commas. */
export const UseOptions = v.strictObject({
  noun: v.picklist(usedNouns, `Must be one of ${usedNouns.join(', ')}.`),
  ids: v.union([
    Ids,
    v.pipe(
      v.string(),
      v.transform((text) => text.split(',')),
      Ids,
    ),
  ]),
})
export type UseOptions = v.InferOutput<typeof UseOptions>

/** A user of a thing. `under`: what its path needs besides its id, such as the type of a page or the source of an importer; else null. */
const User = v.strictObject({ id: v.string(), name: v.string(), under: v.nullable(v.string()) })

/** The users of a thing by kind, sorted by name; unused things have no entry. */
const Use = v.strictObject({
  usedId: v.string(),
  noun: v.picklist(usingNouns),
  total: v.number(),
  some: v.array(User),
})

export const Uses = v.strictObject({ results: v.array(Use) })
export type Uses = v.InferOutput<typeof Uses>
