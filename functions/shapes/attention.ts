import * as v from 'valibot'
import { HubProblem } from './hubStatus.ts'
import { Time, TimeOrNull } from './returns.ts'

/** An importer whose last run failed. */
const FailingImporter = v.strictObject({
  id: v.string(),
  name: v.string(),
  sourceId: v.string(),
  sourceName: v.string(),
  /** The run that failed. */
  jobId: v.string(),
  /** Scheduled runs that failed in a row; 0: the failed one was started by hand. */
  failures: v.number(),
  error: v.nullable(v.string()),
  finishedAt: TimeOrNull,
})

/** A source whose data are late: by its cadence, or, where nobody said one, because they did not change for 90 days. */
const StaleSource = v.strictObject({
  id: v.string(),
  name: v.string(),
  dataUpdatedAt: Time,
  /** The day (YYYY-MM-DD) by which its cadence has new data come; null: it has no cadence. */
  expected: v.nullable(v.string()),
})

/** An importer whose last run refused some of its rows. */
const RefusingImporter = v.strictObject({
  id: v.string(),
  name: v.string(),
  sourceId: v.string(),
  sourceName: v.string(),
  jobId: v.string(),
  rejected: v.number(),
  read: v.number(),
  finishedAt: TimeOrNull,
})

/** An observer whose calls of a webhook were given up in the last week. */
const FailingWebhook = v.strictObject({
  observerId: v.string(),
  dataTypeId: v.string(),
  name: v.string(),
  calls: v.number(),
  /** Why the last of them was given up. */
  error: v.nullable(v.string()),
})

/** A public boundary set that nobody changed for an hour and whose tiles are still not there. */
const LateBoundarySet = v.strictObject({ id: v.string(), name: v.string() })

/**
 * What in a place needs someone: the importers whose last run failed, the last ones first, those whose last run refused rows, and the
 * sources whose data are late, the oldest first. Ten of each at most; the totals count them all.
 */
export const Attention = v.strictObject({
  /** Why readers of the hub do not see what is saved; empty while they do. */
  hub: v.array(HubProblem),
  importers: v.array(FailingImporter),
  importersTotal: v.number(),
  refusing: v.array(RefusingImporter),
  refusingTotal: v.number(),
  staleSources: v.array(StaleSource),
  staleSourcesTotal: v.number(),
  /** Empty for who may not see observers. */
  webhooks: v.array(FailingWebhook),
  boundarySets: v.array(LateBoundarySet),
  /** The archive that the place was made of, until someone said that it was looked at, and how much of it is still off; null for who may not look. */
  imported: v.nullable(v.strictObject({ importedAt: Time, off: v.number() })),
  /** Reports of readers that nobody has looked into yet; 0 for who may not read them. */
  openErrorReports: v.number(),
})
