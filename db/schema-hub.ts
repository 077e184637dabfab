import type { Generated } from 'kysely'
import type { JsonOrNull, Time, TimeOrNull } from './schema-columns.ts'

/** The tables of the hubs' published pages. */

/** The published state of a hub: the manifest its hosts serve. */
export interface HubTable {
  placeId: string
  manifest: Generated<number>
  /** The highest allocated manifest number: no number is used twice. */
  allocated: Generated<number>
  publishedAt: TimeOrNull
  /** The fencing token: incremented whenever a process starts rendering. */
  fence: Generated<number>
  /** When the lease of the rendering process expires; null: nobody renders it. */
  leaseUntil: TimeOrNull
  /** The fence at which another process was turned away. */
  turnedAway: Generated<number | null>
  /** The last attempt to render its pages. */
  triedAt: TimeOrNull
  /** The builds of the pages in manifest `buildsOf`; '' for pages without one. */
  builds: Generated<string[]>
  buildsOf: Generated<number | null>
  /** Why pages could not be rendered by a new build; null: no error. */
  buildFailure: JsonOrNull<BuildFailure>
  /** When the database was restored from a backup, until the edge is reconciled; null: it is. */
  restoredAt: TimeOrNull
}

/** The error of rendering a hub by a new build. */
export interface BuildFailure {
  build: string
  attempts: number
  /** When it is retried, as ISO text; null: now, except for the listed pages. */
  nextAt: string | null
  /** Messages by path of page; '' is the hub itself. */
  pages: Record<string, string>
}

/** A part of a hub that cannot be updated: a row while it fails, none when it succeeds. */
export interface PublishFailureTable {
  placeId: string
  /** 'pages', 'state', or the host whose snapshot cannot be written. */
  target: string
  failures: Generated<number>
  failingSince: Time
  lastErrorAt: Time
  nextAttemptAt: Time
  /** When the storage is probed again; null: it is not the cause. */
  probeAt: TimeOrNull
  kind: 'storage' | 'database' | 'page' | 'question' | 'time' | 'service' | 'unknown'
  path: string | null
  /** A sentence for the people of the place. */
  reason: string
}
