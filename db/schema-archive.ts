import type { Generated } from 'kysely'
import type { ArchiveCounts, ArchiveStatus } from '#functions/shapes/archive.ts'
import type { ImportedReport } from '#functions/shapes/import-review.ts'
import type { Json, JsonOrNull, Time, TimeOrNull } from './schema-columns.ts'

/** A requested archive of a place. */
export interface PlaceArchiveTable {
  id: string
  placeId: string
  status: Generated<ArchiveStatus>
  /** Files that are in it. */
  done: Generated<number>
  /** Files that it is to have; null: not counted yet. */
  files: number | null
  counts: JsonOrNull<ArchiveCounts>
  /** Bytes; null until it is complete. The driver returns bigints as text. */
  size: string | null
  sha256: string | null
  /** Why it failed, in a sentence; null without an error. */
  error: string | null
  attempts: Generated<number>
  leaseUntil: TimeOrNull
  createdBy: string | null
  createdAt: Time
  finishedAt: TimeOrNull
  expiresAt: TimeOrNull
}

/** The import of an archive that created a place. */
export interface PlaceImportTable {
  placeId: string
  report: Json<ImportedReport>
  importedBy: string | null
  importedAt: Time
  /** Null: the review is pending. */
  reviewedAt: TimeOrNull
}
