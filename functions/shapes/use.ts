import * as v from 'valibot'
import { Id } from './options.ts'

/** What can be asked where it is used. */
export const usedNouns = ['source', 'dataType', 'insight', 'boundarySet', 'asset'] as const
export type UsedNoun = (typeof usedNouns)[number]

/** What uses something. `place`: the look of its hub. */
export const usingNouns = [
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

/** So many things are asked about at once. */
export const mostUsed = 200
/** So many users of each kind are named of a thing; the totals count them all. */
export const mostUsers = 10

const Ids = v.pipe(v.array(Id), v.minLength(1, 'Required.'), v.maxLength(mostUsed))

/** Things of one kind by their ids: a list, or a text with commas between them. */
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

/** One that uses a thing. `under`: what its address needs besides, as the type of a page or the source of an importer; else null. */
const User = v.strictObject({ id: v.string(), name: v.string(), under: v.nullable(v.string()) })

/** Of one thing the users of one kind, by name; what nothing uses has no entry. */
const Use = v.strictObject({
  usedId: v.string(),
  noun: v.picklist(usingNouns),
  total: v.number(),
  some: v.array(User),
})

export const Uses = v.strictObject({ results: v.array(Use) })
export type Uses = v.InferOutput<typeof Uses>
