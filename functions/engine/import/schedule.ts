import { Cron } from 'croner'

/** The shortest time between two runs, in minutes. */
export const minIntervalMinutes = 5

const maxLength = 100
/** Any fixed instant: validation does not depend on it. */
const reference = new Date('2024-01-01T00:00:00Z')
/** The most runs a day at the minimal interval; one more shows the night as well. */
const runsShown = (24 * 60) / minIntervalMinutes + 1

/**
 * Why a schedule is invalid, as a sentence; null for a valid one: five fields of cron (or `@daily` and the like) with a
 * next time, and not more often than every five minutes.
 */
export function scheduleIssue(schedule: string): string | null {
  if (schedule.length > maxLength) return 'Not a valid schedule.'
  const runs = findRuns(schedule)
  if (runs === null) return 'Not a valid schedule: five fields, as in "0 6 * * 1".'
  if (runs.length === 0) return 'This schedule never comes true.'
  const isTooOften = runs.some((run, i) => {
    const before = runs[i - 1]
    return before !== undefined && run.getTime() - before.getTime() < minIntervalMinutes * 60_000
  })
  return isTooOften ? `Must not run more often than every ${minIntervalMinutes} minutes.` : null
}

/** The next time of a schedule after `after`, in the time zone; null if there is none. */
export function findNextRun(schedule: string, timeZone: string, after: Date): Date | null {
  return cron(schedule, timeZone).nextRun(after)
}

function findRuns(schedule: string): Date[] | null {
  try {
    return cron(schedule, 'UTC').nextRuns(runsShown, reference)
  } catch {
    return null
  }
}

/** Paused: only used for computing times. */
const cron = (schedule: string, timeZone: string) =>
  new Cron(schedule, { mode: '5-part', timezone: timeZone, paused: true })
