import * as v from 'valibot'
import { ArchiveCounts, ArchiveManifest, ArchiveReport, ReviewedNoun } from './archive.ts'
import { RegionOfRow } from './field-row.ts'
import { OwnBoundary } from './place.ts'
import { Time, TimeOrNull } from './returns.ts'

/** Maximum length of a list; its count covers all. */
export const maxListedItems = 200
/** Maximum number of things switched on at once, and listed. */
export const maxSwitched = 500

const count = v.number()

const about = {
  /** The original organization and instance, and the time of export. */
  archive: v.strictObject({ id: v.string(), name: v.string(), instance: v.string(), exportedAt: Time }),
  counts: ArchiveCounts,
  /** The first 200. */
  leftOut: ArchiveManifest.entries.leftOut,
  leftOutCount: count,
  /** The first 200. */
  renamed: ArchiveReport.entries.renamed,
  renamedCount: count,
}

const code = v.union([v.pipe(v.string(), v.minLength(1), v.maxLength(1000)), v.number()])
/** Areas of a boundary set that a query asks for, by their codes. */
export const NamedAreas = v.strictObject({
  boundarySetId: v.pipe(v.string(), v.maxLength(64)),
  area: v.union([code, v.pipe(v.array(code), v.minLength(1), v.maxLength(100))]),
})
export type NamedAreas = v.InferOutput<typeof NamedAreas>

/** How something used boundary sets of its organization, which must be public first: with the ids of the sets here. */
export const SetUse = v.strictObject({
  /** Of a data type: what its fields had, by key. */
  fields: v.optional(
    v.record(
      v.string(),
      v.strictObject({ region: v.optional(v.string()), regionOf: v.optional(RegionOfRow) }),
    ),
  ),
  /** Of an insight: the areas that its query asks for. */
  within: v.optional(NamedAreas),
  /** Of the organization: its boundary, and the borders around it. */
  ownBoundary: v.optional(OwnBoundary),
  allStatesBoundaryId: v.optional(v.string()),
})
export type SetUse = v.InferOutput<typeof SetUse>

/** The stored part of an import report. `was`: the state of a thing in the archive, as in its report. */
export const ImportedReport = v.strictObject({
  ...about,
  switchedOff: v.array(
    v.strictObject({ noun: ReviewedNoun, id: v.string(), was: v.string(), uses: v.optional(SetUse) }),
  ),
})
export type ImportedReport = v.InferOutput<typeof ImportedReport>

/**
 * A thing that arrived switched off. `state`: its current state; `gone`: deleted since, or not visible to the actor. `within`: what
 * its path needs besides its id: the type of a page, the source of an importer, the data type of an observer.
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

/** The current state of what an archive created in a place. `items`: the first 500, those that are off first. */
export const ImportReview = v.strictObject({
  placeId: v.string(),
  ...about,
  importedBy: v.nullable(v.string()),
  importedAt: Time,
  /** Null: the review was not dismissed. */
  reviewedAt: TimeOrNull,
  items: v.array(Item),
  /** Of all things that arrived switched off, including unlisted ones. */
  states: v.strictObject({ off: count, on: count, gone: count }),
  /** How many of those that are off would become public, and how many active. */
  off: v.strictObject({ public: count, acting: count }),
})
export type ImportReview = v.InferOutput<typeof ImportReview>

/** What to switch on: everything public, everything active, or these things. */
export const SwitchOn = v.strictObject({
  which: v.optional(v.picklist(['public', 'acting'], 'Must be public or acting.')),
  items: v.optional(
    v.pipe(
      v.array(v.strictObject({ noun: ReviewedNoun, id: v.pipe(v.string(), v.maxLength(64)) })),
      v.maxLength(maxSwitched, `Must name at most ${maxSwitched} things.`),
    ),
  ),
})
export type SwitchOn = v.InferOutput<typeof SwitchOn>

const Thing = { noun: ReviewedNoun, id: v.string(), name: v.string() }

/** What was switched on, or (`isDone` false) would be. `refused`: what stays off, and why; `left`: how many there are beyond 500. */
export const SwitchedOn = v.strictObject({
  isDone: v.boolean(),
  done: v.array(v.strictObject({ ...Thing, was: v.string() })),
  refused: v.array(v.strictObject({ ...Thing, message: v.string() })),
  left: count,
})
export type SwitchedOn = v.InferOutput<typeof SwitchedOn>
