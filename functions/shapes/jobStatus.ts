/** Apart from the shapes, which come with valibot: screens that only show runs need no more than these. */
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
/** The ones of a run that has not ended. */
export const openStatuses = ['queued', 'running', 'stopping', 'waiting'] as const

/** Bringing rows in, only saying what that would do, taking back what another run did. */
export const jobKinds = ['run', 'dryRun', 'rollback'] as const

/** How many rows came and what became of them: read is the sum of created, updated, unchanged and rejected. */
export interface JobCounts {
  read: number
  created: number
  updated: number
  unchanged: number
  removed: number
  rejected: number
}

/** What a run does one after the other. */
export const jobStages = ['fetch', 'read', 'commit'] as const
