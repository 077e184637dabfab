import { formatNumber } from '../list/number-format.ts'
import { describeSchedule } from '#app/components/form/schedule.ts'
import {
  openStatuses,
  type JobCounts,
  type jobKinds,
  type jobStages,
  type jobStatuses,
} from '#functions/shapes/job-status.ts'

type JobStatus = (typeof jobStatuses)[number]
type JobKind = (typeof jobKinds)[number]

/** A run as shown on screens. Times are ISO text or dates. */
export interface ShownJob {
  id: string
  importerId: string
  status: JobStatus
  kind: JobKind
  trigger: string
  queuedAt: string | Date
  startedAt: string | Date | null
  finishedAt: string | Date | null
  counts: JobCounts
  stage: (typeof jobStages)[number] | null
  leftOut: number
  error: string | null
  undoes: string | null
  undoneBy: string | null
  dataVersion: number | null
  heldUntil: string | Date | null
}

const statusWords: Record<JobStatus, { label: string; look: string }> = {
  queued: { label: 'Waits for its turn', look: '' },
  running: { label: 'Running', look: 'is-info' },
  stopping: { label: 'Stopping', look: 'is-warning' },
  waiting: { label: 'Waits to try again', look: 'is-warning' },
  succeeded: { label: 'Succeeded', look: 'is-success' },
  failed: { label: 'Failed', look: 'is-danger' },
  stopped: { label: 'Stopped', look: 'is-warning' },
  timedOut: { label: 'Took too long', look: 'is-danger' },
}

/** Label and look of a status. */
export const getStatusWords = (status: JobStatus) => statusWords[status]

/** The names of the kinds of runs. */
export const kindNames: Record<JobKind, string> = { run: 'Import', dryRun: 'Dry run', rollback: 'Roll back' }

/** Whether a run is still open. */
export function isOpen({ status }: { status: JobStatus }): boolean {
  return (openStatuses as readonly string[]).includes(status)
}

/** What an open run is doing, as a sentence without full stop. */
export function describeOpenJob({
  status,
  kind,
  stage,
}: Pick<ShownJob, 'status' | 'kind' | 'stage'>): string {
  if (status === 'queued') return 'Waits for its turn: it begins in some seconds, unless others are before it'
  if (status === 'waiting') return 'The source did not answer: waits to try again'
  if (status === 'stopping') return 'Stops as soon as it can'
  if (kind === 'rollback') return 'Brings the records back to what they were'
  const isDry = kind === 'dryRun'
  if (stage === 'read')
    return isDry ? 'Reads and checks every row, and changes nothing' : 'Reads and checks every row'
  if (stage === 'commit')
    return isDry ? 'Compares the rows with the records, and changes nothing' : 'Brings the rows in'
  return 'Gets the data from its source'
}

/** The progress of an open run: "1,200 rows read, 3 refused", and since when it continues. */
export function describeProgress({ counts, leftOut }: Pick<ShownJob, 'counts' | 'leftOut'>): string {
  const more: [number, string][] = [
    [counts.rejected, 'refused'],
    [leftOut, 'left out'],
  ]
  return [
    `${formatNumber(counts.read)} ${counts.read === 1 ? 'row' : 'rows'} read`,
    ...more.filter(([n]) => n > 0).map(([n, word]) => `${formatNumber(n)} ${word}`),
  ].join(', ')
}

/** The counts by name, for a dry run as a prediction; zeros are omitted except for read rows. */
export function listJobCounts({
  counts,
  kind,
  leftOut,
}: Pick<ShownJob, 'counts' | 'kind' | 'leftOut'>): [label: string, n: number][] {
  const isDry = kind === 'dryRun'
  const all: [string, number][] = [
    ['Rows read', counts.read],
    [isDry ? 'Would be new' : 'New', counts.created],
    [isDry ? 'Would change' : 'Changed', counts.updated],
    ['As they are', counts.unchanged],
    [isDry ? 'Would be removed' : 'Removed', counts.removed],
    ['Refused', counts.rejected],
    ['Left out, with nothing in them', leftOut],
  ]
  return all.filter(([, n], i) => i === 0 || n > 0)
}

/** The duration of a run, so far if it is open: "2 min 5 s"; '' before it started. */
export function formatDuration(
  { startedAt, finishedAt }: Pick<ShownJob, 'startedAt' | 'finishedAt'>,
  now: Date,
): string {
  if (!startedAt) return ''
  const seconds = Math.max(
    0,
    Math.round((new Date(finishedAt ?? now).getTime() - new Date(startedAt).getTime()) / 1000),
  )
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

interface JobStart {
  trigger: string
  /** The schedule of its importer; null without one. */
  schedule: string | null
  /** The name of the person; null if unknown. */
  starter: string | null
  /** The time zone of the schedule, as an IANA name. */
  timeZone: string
}

/** Who or what started a run, as the object of "started by". */
export function describeJobStarter({ trigger, schedule, starter, timeZone }: JobStart): string {
  if (trigger === 'schedule')
    return schedule === null ? 'its schedule' : `its schedule (${describeSchedule(schedule, timeZone)})`
  if (trigger === 'api') return starter ? `a program, with a key of ${starter}` : 'a program'
  return starter ?? 'a person'
}
