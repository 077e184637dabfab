import * as v from 'valibot'
import { buildListShape, Time, TimeOrNull } from './returns.ts'

const entries = {
  /** 'pages': the pages of the hub; 'state': the place's public state; else the outdated host. */
  target: v.string(),
  kind: v.picklist(['storage', 'database', 'page', 'question', 'time', 'service', 'unknown']),
  /** A sentence about the problem, with the time in the zone of the place. */
  message: v.string(),
  /** The page that failed to render. */
  path: v.nullable(v.string()),
  /** Consecutive failed attempts. */
  attempts: v.number(),
  since: Time,
  lastErrorAt: Time,
  nextAttemptAt: Time,
}

/** A part of a hub that cannot be updated, and is retried. */
export const HubProblem = v.strictObject(entries)
export type HubProblem = v.InferOutput<typeof HubProblem>

/** The publication status of a hub. */
export const HubStatus = v.strictObject({
  isHub: v.boolean(),
  /** When the published pages last changed; null: never published. */
  publishedAt: TimeOrNull,
  /** Whether nothing fails. Recent changes may still be pending. */
  isHealthy: v.boolean(),
  problems: v.array(HubProblem),
})

/** The publication problems of all places. */
export const HubProblems = buildListShape(
  v.strictObject({ placeId: v.string(), placeName: v.string(), ...entries }),
)
