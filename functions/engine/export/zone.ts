import { wallTime } from '#functions/shapes/wall-time.ts'

/** Dates by the clock on the wall of one time zone. */
export interface Clock {
  /** ISO text with the zone's offset, `Z` for UTC, and milliseconds only if not zero: `2021-03-01T08:00:00-05:00`. */
  text(iso: string): string
  /** The local time to the second, as ISO text without an offset. */
  wall(iso: string): string
  /** Milliseconds the clock is ahead of UTC at an instant (milliseconds since 1970); null within a day of the calendar's ends. */
  offset(instant: number): number | null
}

const quarterHour = 900_000

/**
 * ISO texts have years of four digits, and the database no year 0: within a day of either end UTC is used, so that no
 * local time leaves the range.
 */
export const clockSpan = { from: '0001-01-02T00:00:00.000Z', before: '9999-12-31T00:00:00.000Z' }
const [first, end] = [Date.parse(clockSpan.from), Date.parse(clockSpan.before)]

/**
 * The clock of an IANA zone. Offsets are looked up at quarters of an hour and apply to instants between two equal ones;
 * otherwise each instant is looked up, since some zones change a minute past midnight (St. John's until 2011). Texts
 * round old local mean times to the minute, and the local time accordingly: the instant is exact.
 */
export function createClock(timeZone: string): Clock {
  const offsets = new Map<number, number>()
  const exact = (instant: number) => wallTime(instant, timeZone) - instant
  const getQuarterOffset = (quarter: number) => {
    const count = offsets.get(quarter)
    if (count !== undefined) return count
    if (offsets.size >= 10_000) offsets.clear()
    const ahead = exact(quarter * quarterHour)
    offsets.set(quarter, ahead)
    return ahead
  }
  const offset = (instant: number) => {
    if (!(instant >= first && instant < end)) return null
    const quarter = Math.floor(instant / quarterHour)
    const ahead = getQuarterOffset(quarter)
    return ahead === getQuarterOffset(quarter + 1) ? ahead : exact(instant)
  }
  return {
    offset,
    wall: (iso) => new Date(wallTime(Date.parse(iso), timeZone)).toISOString().slice(0, -1),
    text(iso) {
      const instant = Date.parse(iso)
      const minutes = Math.floor((offset(instant) ?? 0) / 60_000 + 0.5)
      const wall = new Date(instant + minutes * 60_000).toISOString().replace(/(?:\.000)?Z$/, '')
      return wall + (minutes === 0 ? 'Z' : sign(minutes))
    },
  }
}

function sign(minutes: number): string {
  const size = Math.abs(minutes)
  const padTwoDigits = (n: number) => String(n).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${padTwoDigits(Math.floor(size / 60))}:${padTwoDigits(size % 60)}`
}
