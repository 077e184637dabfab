import type { Generated } from 'kysely'
import type { ArchiveCounts, ArchiveStatus } from '#functions/shapes/archive.ts'
import type { ImportedReport } from '#functions/shapes/importReview.ts'
import type { Json, JsonOrNull, Time, TimeOrNull } from './schemaColumns.ts'

/** An archive of a place that someone asked for. */
export interface PlaceArchiveTable {
  id: string
  placeId: string
  status: Generated<ArchiveStatus>
  /** Files that are in it. */
  done: Generated<number>
  /** Files that it is to have; null: not counted yet. */
  files: number | null
  counts: JsonOrNull<ArchiveCounts>
  /** Bytes; null until it is whole. The database gives large numbers as text. */
  size: string | null
  sha256: string | null
  /** Why it could not be made, in words; null: nothing is wrong. */
  error: string | null
  attempts: Generated<number>
  leaseUntil: TimeOrNull
  createdBy: string | null
  createdAt: Time
  finishedAt: TimeOrNull
  expiresAt: TimeOrNull
}

/** What an archive made a place of. */
export interface PlaceImportTable {
  placeId: string
  report: Json<ImportedReport>
  importedBy: string | null
  importedAt: Time
  /** Null: someone has still to look at it. */
  reviewedAt: TimeOrNull
}
