import * as v from 'valibot'
import { HubProblem } from './hub-status.ts'
import { Time, TimeOrNull } from './returns.ts'

/** An importer whose last run failed. */
const FailingImporter = v.strictObject({
  id: v.string(),
  name: v.string(),
  sourceId: v.string(),
  sourceName: v.string(),
  /** The failed run. */
  jobId: v.string(),
  /** Consecutive failures of scheduled runs; 0 if the failed one was started by hand. */
  failures: v.number(),
  error: v.nullable(v.string()),
  finishedAt: TimeOrNull,
})

/** A source with overdue data: by its cadence, or without one if they did not change for 90 days. */
const StaleSource = v.strictObject({
  id: v.string(),
  name: v.string(),
  dataUpdatedAt: Time,
  /** The date (YYYY-MM-DD) by which its cadence expects new data; null without a cadence. */
  expected: v.nullable(v.string()),
})

/** An importer whose last run rejected some rows. */
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

/** An observer with webhook deliveries given up in the last week. */
const FailingWebhook = v.strictObject({
  observerId: v.string(),
  dataTypeId: v.string(),
  name: v.string(),
  calls: v.number(),
  /** The error of the last of them. */
  error: v.nullable(v.string()),
})

/** A public boundary set, unchanged for an hour, whose tiles do not exist yet. */
const LateBoundarySet = v.strictObject({ id: v.string(), name: v.string() })

/**
 * What needs attention in a place: importers whose last run failed, latest first, those whose last run rejected rows, and sources with
 * overdue data, oldest first. At most ten of each; totals count all.
 */
export const Attention = v.strictObject({
  /** Why hub readers do not see saved changes; empty if they do. */
  hub: v.array(HubProblem),
  importers: v.array(FailingImporter),
  importersTotal: v.number(),
  refusing: v.array(RefusingImporter),
  refusingTotal: v.number(),
  staleSources: v.array(StaleSource),
  staleSourcesTotal: v.number(),
  /** Empty without permission to see observers. */
  webhooks: v.array(FailingWebhook),
  boundarySets: v.array(LateBoundarySet),
  /**
   * The archive that the place was imported from, until its review is dismissed, and how much of it is still off; null without
   * permission.
   */
  imported: v.nullable(v.strictObject({ importedAt: Time, off: v.number() })),
  /** The number of open error reports of readers; 0 without permission. */
  openErrorReports: v.number(),
})
