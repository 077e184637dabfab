import type { Generated } from 'kysely'
import type { JsonOrNull, Time, TimeOrNull } from './schemaColumns.ts'

/** The tables of the hubs' published pages. */

/** The published state of a hub: the manifest its hosts serve. */
export interface HubTable {
  placeId: string
  manifest: Generated<number>
  /** The highest manifest number handed out: two builders never write the same one. */
  allocated: Generated<number>
  publishedAt: TimeOrNull
  /** Rises whenever someone begins to make its pages. */
  fence: Generated<number>
  /** Until when it is its maker's without a sign of life; null: nobody makes it. */
  leaseUntil: TimeOrNull
  /** The fence that someone was turned away at. */
  turnedAway: Generated<number | null>
  /** When its pages were last begun. */
  triedAt: TimeOrNull
  /** The builds whose pages manifest `buildsOf` has; '' for pages without one. */
  builds: Generated<string[]>
  buildsOf: Generated<number | null>
  /** Why pages could not be made again by a build; null: nothing went wrong. */
  buildFailure: JsonOrNull<BuildFailure>
  /** The database was brought back to an earlier moment, and the edge was not told since; null: it was. */
  restoredAt: TimeOrNull
}

/** What went wrong when a build made the pages of a hub again. */
export interface BuildFailure {
  build: string
  attempts: number
  /** When it is tried again, as ISO text; null: now, but for the pages that are named. */
  nextAt: string | null
  /** Messages by the paths of pages; '' is the hub itself. */
  pages: Record<string, string>
}

/** What of a hub cannot be brought up to date now: a row while it fails, none when it is right. */
export interface PublishFailureTable {
  placeId: string
  /** 'pages', 'state', or the host whose snapshot is not written. */
  target: string
  failures: Generated<number>
  failingSince: Time
  lastErrorAt: Time
  nextAttemptAt: Time
  /** When the storage is asked whether it answers again; null: it is not what failed. */
  probeAt: TimeOrNull
  kind: 'storage' | 'database' | 'page' | 'question' | 'time' | 'service' | 'unknown'
  path: string | null
  /** In words for the people of the place. */
  reason: string
}
