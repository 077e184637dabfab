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

/** A source whose records have not changed for long. */
const StaleSource = v.strictObject({ id: v.string(), name: v.string(), dataUpdatedAt: Time })

/**
 * What in a place needs someone: the importers whose last run failed, the last ones first, and the sources whose data did
 * not change for 90 days, the oldest first. Ten of each at most; the totals count them all.
 */
export const Attention = v.strictObject({
  /** Why readers of the hub do not see what is saved; empty while they do. */
  hub: v.array(HubProblem),
  importers: v.array(FailingImporter),
  importersTotal: v.number(),
  staleSources: v.array(StaleSource),
  staleSourcesTotal: v.number(),
  /** Reports of readers that nobody has looked into yet; 0 for who may not read them. */
  openErrorReports: v.number(),
})
