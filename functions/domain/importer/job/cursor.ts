import type { JobCounts } from '#functions/shapes/job-status.ts'
import type { Mode } from '#functions/domain/records/ingest.ts'
import type { StoredSecret } from '../secrets.ts'
import type { Conversions } from '#functions/engine/import/map/conversions.ts'
import type { ColumnReadings } from '#functions/engine/import/map/index.ts'
import type { Cursor } from '#functions/engine/import/row.ts'
import type { MediaAddress } from './check-media.ts'
import type { NoPlaceCounts } from './no-places.ts'
import type { Mapping } from '#functions/shapes/importer-mapping.ts'
import type { ImporterSource } from '#functions/shapes/importer-source.ts'

/** A copy of the importer as it was when the run began: later changes do not affect the run. */
export interface Plan {
  name: string
  sources: ImporterSource[]
  /** Encrypted, of the importer. */
  secrets: string | null
  mapping: Mapping
  /** How columns are interpreted; null: not specified. */
  columns: ColumnReadings | null
  mode: Mode
  timeoutSeconds: number
  retries: number
  notifyOnFailure: boolean
}

/** The progress of a run, stored in its row in the same transaction as the work done. */
export interface JobCursor {
  stage: 'fetch' | 'read' | 'commit'
  /** The source and page to be fetched next; `link`: the address that another page gave for it, encrypted. */
  source: number
  page: number
  link: string | null
  /** Pages fetched. */
  objects: number
  /** The page being read, the number of rows before it, and the position in it; null: at its beginning. */
  object: number
  base: number
  from: Cursor | null
  /** Empty rows, which do not count as read. */
  skipped: number
  /** Rows refused among the first thousand. */
  early: number
  /** Columns of the mapping that no row had so far; null: no row was read yet. */
  unseen: string[] | null
  /** Conversions of values in imported rows; null: none yet. */
  conversions: Conversions | null
  /** Place names in imported rows without a unique point; null: none yet. */
  noPlaces: NoPlaceCounts | null
  /** URLs in imported rows whose extension does not reveal their type, up to the limit; null: none yet. */
  media: MediaAddress[] | null
  /** The number of issues so far. */
  rejects: number
  /** Lines of the log. */
  lines: number
  /** The version of the data type that rows were checked by; null: none yet. */
  typeVersion: number | null
  /** The versions of the boundary sets that places were found by; null or absent (in earlier runs): none yet. */
  setsVersion?: string | null
  /** For a dry run: the progress of profiling columns; null: not begun. */
  profile: ProfileCursor | null
}

/** The next page to profile, the number of rows before it, the position in it, and the profile so far. */
export interface ProfileCursor {
  object: number
  base: number
  from: Cursor | null
  /** In the bucket. */
  key: string
}

/** What a run does: import rows, report what that would change, or roll back another run. */
export type JobKind = 'run' | 'dryRun' | 'rollback'

export const nothingYet: JobCounts = {
  read: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  removed: 0,
  rejected: 0,
}

export const atStart: JobCursor = {
  stage: 'fetch',
  source: 0,
  page: 1,
  link: null,
  objects: 0,
  object: 0,
  base: 0,
  from: null,
  skipped: 0,
  early: 0,
  unseen: null,
  conversions: null,
  noPlaces: null,
  media: null,
  rejects: 0,
  lines: 0,
  typeVersion: null,
  setsVersion: null,
  profile: null,
}

/** The cursor for reading again from the beginning, without fetching again. */
export const rewindCursor = (cursor: JobCursor): JobCursor => ({
  ...atStart,
  stage: 'read',
  source: cursor.source,
  objects: cursor.objects,
  lines: cursor.lines,
  // The profile of the columns does not depend on the data type.
  profile: cursor.profile,
})

/** The secrets of one source, in the order in which they are kept. */
export const valuesFor = (secrets: StoredSecret[], source: number): string[] =>
  secrets.filter((each) => each.source === source).map(({ value }) => value)
