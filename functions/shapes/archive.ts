import * as v from 'valibot'
import { Sent } from './file.ts'
import { Id, listOptions } from './options.ts'
import { NewPlace } from './place.ts'
import { BoundarySetRow } from './boundarySet.ts'
import { TranslationRow } from './translation.ts'
import { Time, TimeOrNull } from './returns.ts'
import { SourceRow } from './source.ts'

/** What the manifest of an archive says it is, and the version of the format that this product writes and reads. */
export const archiveFormat = 'commonplace-archive'
export const archiveVersion = 1

/** So long a message of the queue may take, and with it the making of an archive. */
export const archiveMinutes = 15

/** For so many hours an archive can be fetched once it is whole. */
export const archiveHours = 24

const archiveStatuses = ['queued', 'running', 'ready', 'failed', 'expired'] as const
export type ArchiveStatus = (typeof archiveStatuses)[number]

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** How many of each are in an archive. */
export const ArchiveCounts = v.strictObject({
  dataTypes: count,
  sources: count,
  records: count,
  insights: count,
  collections: count,
  pages: count,
  media: count,
  importers: count,
  observers: count,
  // Archives that were made before there were any of these have no word of them.
  boundarySets: v.optional(count, 0),
  translations: v.optional(count, 0),
})
export type ArchiveCounts = v.InferOutput<typeof ArchiveCounts>
export type Counted = keyof ArchiveCounts

/** Nothing of anything. */
export const noCounts = (): ArchiveCounts => ({
  ...{ dataTypes: 0, sources: 0, records: 0, insights: 0, collections: 0, pages: 0, media: 0 },
  ...{ importers: 0, observers: 0, boundarySets: 0, translations: 0 },
})

/** The first file that is read of an archive: what it is, and every other file with its length and checksum. */
export const ArchiveManifest = v.strictObject({
  format: v.literal(archiveFormat, `Must be ${archiveFormat}.`),
  version: v.literal(archiveVersion, `Must be ${archiveVersion}.`),
  exportedAt: Time,
  /** Where it was made: addresses that begin so are this organization's own. */
  instance: v.pipe(v.string(), v.maxLength(300), v.regex(/^https?:\/\/[^\s/]+$/, 'Must be an origin.')),
  place: v.strictObject({ id: NewPlace.entries.id, name: NewPlace.entries.name }),
  counts: ArchiveCounts,
  /** What of the organization is not in it, and why. */
  leftOut: v.array(
    v.strictObject({
      noun: v.pipe(v.string(), v.maxLength(50)),
      id: v.pipe(v.string(), v.maxLength(200)),
      why: v.pipe(v.string(), v.maxLength(500)),
    }),
  ),
  files: v.array(
    v.strictObject({
      name: v.pipe(v.string(), v.maxLength(200)),
      bytes: count,
      sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'Must be a SHA-256 in hexadecimal digits.')),
    }),
  ),
})
export type ArchiveManifest = v.InferOutput<typeof ArchiveManifest>

/** A file of the media library beside its bytes. */
export const ArchivedMedia = v.strictObject({
  id: v.pipe(v.string(), v.uuid('Must be a UUID.')),
  purpose: v.picklist(['library', 'place']),
  folderId: v.nullable(v.string()),
  name: v.string(),
  type: v.string(),
  size: v.number(),
  alt: v.string(),
  focalX: v.number(),
  focalY: v.number(),
})
export type ArchivedMedia = v.InferOutput<typeof ArchivedMedia>

/** A source of an archive. Those that were made before organizations had fields of their own say nothing in any, nor when data are expected. */
export const ArchivedSource = v.strictObject({
  ...SourceRow.entries,
  customFields: v.optional(SourceRow.entries.customFields, {}),
  expected: v.optional(SourceRow.entries.expected, null),
  isLate: v.optional(SourceRow.entries.isLate, false),
})

/** The folders of the media library, parents before what stands in them. */
export const ArchivedFolders = v.pipe(
  v.array(v.strictObject({ id: v.string(), parentId: v.nullable(v.string()), name: v.string() })),
  v.maxLength(2000),
)

/** A boundary set beside its areas. */
export const ArchivedSet = v.pick(BoundarySetRow, [
  ...(['id', 'placeId', 'name', 'notes', 'origin', 'licence', 'vintage', 'visibility'] as const),
  ...(['parentId', 'nameField', 'codeField', 'areaCount'] as const),
])
export type ArchivedSet = v.InferOutput<typeof ArchivedSet>

/** A text in another language, and what it was written for. */
export const ArchivedTranslation = v.pick(TranslationRow, [
  ...(['noun', 'nounId', 'path', 'language', 'text', 'original'] as const),
])
export type ArchivedTranslation = v.InferOutput<typeof ArchivedTranslation>

/** How an archive is asked for: nothing is to be said. */
export const NewArchive = v.optional(v.strictObject({}))

/**
 * An archive of a place. `url`: where it can be fetched until `expiresAt` by who may; null before it is whole and after that. `files`:
 * files that it is to have, null while they are not counted; `error`: why it could not be made.
 */
export const ArchiveRow = v.strictObject({
  id: v.string(),
  placeId: v.string(),
  status: v.picklist(archiveStatuses),
  done: v.number(),
  files: v.nullable(v.number()),
  counts: v.nullable(ArchiveCounts),
  size: v.nullable(v.number()),
  sha256: v.nullable(v.string()),
  error: v.nullable(v.string()),
  createdBy: v.nullable(v.string()),
  createdAt: Time,
  finishedAt: TimeOrNull,
  expiresAt: TimeOrNull,
  url: v.nullable(v.string()),
})
export type ArchiveRow = v.InferOutput<typeof ArchiveRow>

export const ArchiveOptions = v.omit(
  listOptions({ id: 'text', status: 'text', createdAt: 'date', finishedAt: 'date' }),
  ['maxVisibility', 'visibility'],
)
export type ArchiveOptions = v.InferOutput<typeof ArchiveOptions>

/** What the link of an archive says. */
export const ArchiveLink = v.strictObject({
  expires: v.pipe(v.string(), v.regex(/^\d{1,16}$/, 'Must be a time.')),
  signature: v.pipe(v.string(), v.maxLength(100)),
})
export type ArchiveLink = v.InferOutput<typeof ArchiveLink>

const as = {
  /** The id that the organization is to have here; without one that of the archive. */
  id: v.optional(NewPlace.entries.id),
  name: v.optional(NewPlace.entries.name),
}
const StoredArchive = v.strictObject({ fileId: Id, ...as })
const SentArchive = v.strictObject({ ...Sent.entries, ...as })

/** An archive to be imported: a file of one's own library, or sent as a form. */
export const ArchiveToImport = v.lazy((value) =>
  typeof value === 'object' && value !== null && 'file' in value ? SentArchive : StoredArchive,
) as v.GenericSchema<unknown, v.InferOutput<typeof StoredArchive> | v.InferOutput<typeof SentArchive>>
export type ArchiveToImport = v.InferOutput<typeof ArchiveToImport>

const Thing = { noun: v.string(), id: v.string() }

/** What of an archive is read by everyone once it is switched on again, and what does something by itself, each in the order in which it is. */
export const publicNouns = ['boundarySet', 'source', 'insight', 'collection', 'page', 'place'] as const
export const actingNouns = ['importer', 'observer'] as const
const reviewedNouns = [...publicNouns, ...actingNouns] as const
export type ReviewedNoun = (typeof reviewedNouns)[number]
export const ReviewedNoun = v.picklist(reviewedNouns, `Must be one of ${reviewedNouns.join(', ')}.`)

/**
 * What an import has made, or (`isImported` false) would make. `refused`: what of the archive is not taken, each with its path: the file
 * in the archive, then where in it; with any of it nothing is imported. `renamed`: ids that are another's here. `switchedOff`:
 * what was public or acted and is to be looked at before it is again. `fileId`: where the archive lies in one's own library; null:
 * nowhere.
 */
export const ArchiveReport = v.strictObject({
  isImported: v.boolean(),
  place: v.strictObject({ id: v.string(), name: v.string() }),
  exportedAt: Time,
  instance: v.string(),
  counts: ArchiveCounts,
  leftOut: ArchiveManifest.entries.leftOut,
  refused: v.array(v.strictObject({ path: v.array(v.union([v.string(), v.number()])), message: v.string() })),
  renamed: v.array(v.strictObject({ ...Thing, from: v.string() })),
  switchedOff: v.array(
    v.strictObject({ noun: ReviewedNoun, id: v.string(), name: v.string(), was: v.string() }),
  ),
  fileId: v.nullable(v.string()),
})
export type ArchiveReport = v.InferOutput<typeof ArchiveReport>
