/** Separate from the schemas, as screens that only show runs must not load valibot. */
export const jobStatuses = [
  'queued',
  'running',
  'stopping',
  'waiting',
  'succeeded',
  'failed',
  'stopped',
  'timedOut',
] as const
/** The statuses of a run that has not ended. */
export const openStatuses = ['queued', 'running', 'stopping', 'waiting'] as const

/** The kinds of runs: import, dry run, rollback. */
export const jobKinds = ['run', 'dryRun', 'rollback'] as const

/** Numbers of rows by outcome: read is the sum of created, updated, unchanged and rejected. */
export interface JobCounts {
  read: number
  created: number
  updated: number
  unchanged: number
  removed: number
  rejected: number
}

/** The stages of a run in order. */
export const jobStages = ['fetch', 'read', 'commit'] as const
