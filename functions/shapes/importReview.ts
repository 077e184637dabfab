import * as v from 'valibot'
import { ArchiveCounts, ArchiveManifest, ArchiveReport, ReviewedNoun } from './archive.ts'
import { Time, TimeOrNull } from './returns.ts'

/** So many lines of a list are kept or told; its count tells of all. */
export const mostTold = 200
/** So many things are switched on at a time, and are shown of those that came. */
export const mostSwitched = 500

const count = v.number()

const about = {
  /** The organization that the archive was made of, where and when. */
  archive: v.strictObject({ id: v.string(), name: v.string(), instance: v.string(), exportedAt: Time }),
  counts: ArchiveCounts,
  /** The first 200. */
  leftOut: ArchiveManifest.entries.leftOut,
  leftOutCount: count,
  /** The first 200. */
  renamed: ArchiveReport.entries.renamed,
  renamedCount: count,
}

/** What is kept of an import. `was`: what a thing was in the archive, as its report says it. */
export const ImportedReport = v.strictObject({
  ...about,
  switchedOff: v.array(v.strictObject({ noun: ReviewedNoun, id: v.string(), was: v.string() })),
})
export type ImportedReport = v.InferOutput<typeof ImportedReport>

/**
 * A thing that arrived switched off. `state`: whether it still is; `gone`: it was deleted since, or who asks may not see it. `within`: what
 * its address needs beside its id: the type of a page, the source of an importer, the data type of an observer.
 */
const Item = v.strictObject({
  noun: ReviewedNoun,
  id: v.string(),
  name: v.string(),
  was: v.string(),
  state: v.picklist(['off', 'on', 'gone']),
  within: v.nullable(v.string()),
})
export type ReviewItem = v.InferOutput<typeof Item>

/** What an archive made of a place, as things are now. `items`: the first 500, those that are off before the others. */
export const ImportReview = v.strictObject({
  placeId: v.string(),
  ...about,
  importedBy: v.nullable(v.string()),
  importedAt: Time,
  /** Null: nobody has said that all of it was looked at. */
  reviewedAt: TimeOrNull,
  items: v.array(Item),
  /** Of all things that arrived switched off, also those that are not shown. */
  states: v.strictObject({ off: count, on: count, gone: count }),
  /** How many of those that are off everyone would read, and how many would act. */
  off: v.strictObject({ public: count, acting: count }),
})
export type ImportReview = v.InferOutput<typeof ImportReview>

/** What is to be as it was in the archive: all that was public, all that acted, or these things. */
export const SwitchOn = v.strictObject({
  which: v.optional(v.picklist(['public', 'acting'], 'Must be public or acting.')),
  items: v.optional(
    v.pipe(
      v.array(v.strictObject({ noun: ReviewedNoun, id: v.pipe(v.string(), v.maxLength(64)) })),
      v.maxLength(mostSwitched, `Must name at most ${mostSwitched} things.`),
    ),
  ),
})
export type SwitchOn = v.InferOutput<typeof SwitchOn>

const Thing = { noun: ReviewedNoun, id: v.string(), name: v.string() }

/** What was switched on, or (`isDone` false) would be. `refused`: what stays off, and why; `left`: how many more there are than 500. */
export const SwitchedOn = v.strictObject({
  isDone: v.boolean(),
  done: v.array(v.strictObject({ ...Thing, was: v.string() })),
  refused: v.array(v.strictObject({ ...Thing, message: v.string() })),
  left: count,
})
export type SwitchedOn = v.InferOutput<typeof SwitchedOn>
