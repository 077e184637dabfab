import * as v from 'valibot'
import { listOf, Time, TimeOrNull } from './returns.ts'

const entries = {
  /** 'pages': the pages of the hub; 'state': what is public of the place; else the address that does not know what has changed. */
  target: v.string(),
  kind: v.picklist(['storage', 'database', 'page', 'question', 'time', 'service', 'unknown']),
  /** What is wrong, as a sentence with the time in the zone of the place. */
  message: v.string(),
  /** The page that could not be made. */
  path: v.nullable(v.string()),
  /** Attempts that failed in a row. */
  attempts: v.number(),
  since: Time,
  lastErrorAt: Time,
  nextAttemptAt: Time,
}

/** Something of a hub that cannot be brought up to date, and is tried again. */
export const HubProblem = v.strictObject(entries)
export type HubProblem = v.InferOutput<typeof HubProblem>

/** How a hub stands: whether readers see what is saved. */
export const HubStatus = v.strictObject({
  isHub: v.boolean(),
  /** When what readers see last changed; null: it was never published. */
  publishedAt: TimeOrNull,
  /** Whether nothing fails. What was changed a moment ago may still be on its way. */
  isHealthy: v.boolean(),
  problems: v.array(HubProblem),
})

/** The hubs that cannot be brought up to date, of all places. */
export const HubProblems = listOf(v.strictObject({ placeId: v.string(), placeName: v.string(), ...entries }))
