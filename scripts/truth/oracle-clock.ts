/* Wall clocks of time zones, by `Intl` alone: DuckDB has its own time zones, and both must agree. */

const clocks = new Map<string, Intl.DateTimeFormat>()

function getClock(zone: string): Intl.DateTimeFormat {
  let clock = clocks.get(zone)
  if (!clock) {
    clock = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      era: 'short',
      ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
      ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
    })
    clocks.set(zone, clock)
  }
  return clock
}

/** Returns the wall-clock time of a zone at an instant: `2012-01-31T13:05:00`. */
export function toWallClock(instant: number, zone: string): string {
  const parts = Object.fromEntries(
    getClock(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  )
  const { year = '', month, day, hour, minute, second } = parts
  return `${year.padStart(4, '0')}-${month}-${day}T${hour}:${minute}:${second}`
}

/** Converts a wall-clock time to milliseconds, only to compute durations: it is not an instant. */
export const wallTime = (wall: string): number =>
  Date.parse(`${wall.length === 10 ? `${wall}T00:00:00` : wall}Z`)

/** Returns the end (exclusive) of the bucket that begins at `begin`, as `wallTime`. */
export function endOfBucket(begin: string, span: string): number {
  const date = new Date(wallTime(begin))
  const add: Record<string, () => void> = {
    hour: () => date.setUTCHours(date.getUTCHours() + 1),
    day: () => date.setUTCDate(date.getUTCDate() + 1),
    week: () => date.setUTCDate(date.getUTCDate() + 7),
    month: () => date.setUTCMonth(date.getUTCMonth() + 1),
    quarter: () => date.setUTCMonth(date.getUTCMonth() + 3),
    year: () => date.setUTCFullYear(date.getUTCFullYear() + 1),
    decade: () => date.setUTCFullYear(date.getUTCFullYear() + 10),
  }
  add[span]?.()
  return date.getTime()
}
