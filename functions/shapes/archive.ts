import * as v from 'valibot'
import { Sent } from './file.ts'
import { Id, listOptions } from './options.ts'
import { NewPlace } from './place.ts'
import { BoundarySetRow } from './boundary-set.ts'
import { TranslationRow } from './translation.ts'
import { Time, TimeOrNull } from './returns.ts'
import { SourceRow } from './source.ts'

/** The format name in an archive's manifest, and the version that this product writes and reads. */
export const archiveFormat = 'commonplace-archive'
export const archiveVersion = 1

/** Time limit for a message of the queue, and so for creating an archive. */
export const archiveMinutes = 15

/** Hours for which a finished archive can be downloaded. */
export const archiveHours = 24

const archiveStatuses = ['queued', 'running', 'ready', 'failed', 'expired'] as const
export type ArchiveStatus = (typeof archiveStatuses)[number]

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** The number of each noun in an archive. */
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
  // Absent in archives from before these existed.
  boundarySets: v.optional(count, 0),
  translations: v.optional(count, 0),
})
export type ArchiveCounts = v.InferOutput<typeof ArchiveCounts>
export type ArchiveCountName = keyof ArchiveCounts

/** Zero counts. */
export const createZeroCounts = (): ArchiveCounts => ({
  ...{ dataTypes: 0, sources: 0, records: 0, insights: 0, collections: 0, pages: 0, media: 0 },
  ...{ importers: 0, observers: 0, boundarySets: 0, translations: 0 },
})

/** The manifest, which is read first: the archive's identity, and every other file with its length and checksum. */
export const ArchiveManifest = v.strictObject({
  format: v.literal(archiveFormat, `Must be ${archiveFormat}.`),
  version: v.literal(archiveVersion, `Must be ${archiveVersion}.`),
  exportedAt: Time,
  /** The instance of origin: URLs with this prefix are the organization's own. */
  instance: v.pipe(v.string(), v.maxLength(300), v.regex(/^https?:\/\/[^\s/]+$/, 'Must be an origin.')),
  place: v.strictObject({ id: NewPlace.entries.id, name: NewPlace.entries.name }),
  counts: ArchiveCounts,
  /** What is not included, with reasons. */
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

/** The metadata of a file in the media library. */
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

/** A source in an archive. Older archives lack custom fields and expected dates. */
export const ArchivedSource = v.strictObject({
  ...SourceRow.entries,
  customFields: v.optional(SourceRow.entries.customFields, {}),
  expected: v.optional(SourceRow.entries.expected, null),
  isLate: v.optional(SourceRow.entries.isLate, false),
})

/** The folders of the media library, parents before children. */
export const ArchivedFolders = v.pipe(
  v.array(v.strictObject({ id: v.string(), parentId: v.nullable(v.string()), name: v.string() })),
  v.maxLength(2000),
)

/** The metadata of a boundary set. */
export const ArchivedSet = v.pick(BoundarySetRow, [
  ...(['id', 'placeId', 'name', 'notes', 'origin', 'licence', 'vintage', 'visibility'] as const),
  ...(['parentId', 'nameField', 'codeField', 'areaCount'] as const),
])
export type ArchivedSet = v.InferOutput<typeof ArchivedSet>

/** A translation, and the original it was made for. */
export const ArchivedTranslation = v.pick(TranslationRow, [
  ...(['noun', 'nounId', 'path', 'language', 'text', 'original'] as const),
])
export type ArchivedTranslation = v.InferOutput<typeof ArchivedTranslation>

/** The body of a request for an archive, which is empty. */
export const NewArchive = v.optional(v.strictObject({}))

/**
 * An archive of a place. `url`: the download until `expiresAt`; null before it is finished and afterwards. `files`: number of its
 * files, null until counted; `error`: why it failed.
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

/** The parameters of an archive's download link. */
export const ArchiveLink = v.strictObject({
  expires: v.pipe(v.string(), v.regex(/^\d{1,16}$/, 'Must be a time.')),
  signature: v.pipe(v.string(), v.maxLength(100)),
})
export type ArchiveLink = v.InferOutput<typeof ArchiveLink>

const as = {
  /** The new id of the organization; by default that in the archive. */
  id: v.optional(NewPlace.entries.id),
  name: v.optional(NewPlace.entries.name),
}
const StoredArchive = v.strictObject({ fileId: Id, ...as })
const SentArchive = v.strictObject({ ...Sent.entries, ...as })

/** An archive to import: a file in the person's own library, or uploaded in a form. */
export const ArchiveToImport = v.lazy((value) =>
  typeof value === 'object' && value !== null && 'file' in value ? SentArchive : StoredArchive,
) as v.GenericSchema<unknown, v.InferOutput<typeof StoredArchive> | v.InferOutput<typeof SentArchive>>
export type ArchiveToImport = v.InferOutput<typeof ArchiveToImport>

const Thing = { noun: v.string(), id: v.string() }

/**
 * The nouns that become public, or use a set that does, and those that become active, when an import is switched on, in that
 * order.
 */
export const publicNouns = [
  'boundarySet',
  'dataType',
  'source',
  'insight',
  'collection',
  'page',
  'place',
] as const
export const actingNouns = ['importer', 'observer'] as const
const reviewedNouns = [...publicNouns, ...actingNouns] as const
export type ReviewedNoun = (typeof reviewedNouns)[number]
export const ReviewedNoun = v.picklist(reviewedNouns, `Must be one of ${reviewedNouns.join(', ')}.`)

/**
 * What an import has created, or (`isImported` false) would create. `refused`: rejected parts by path: the file in the archive, then
 * the position in it; with any of these nothing is imported. `renamed`: ids that are taken here. `switchedOff`: what was public or
 * active, and needs a review first. `fileId`: the archive in the person's library; null if not there.
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
