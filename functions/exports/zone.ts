import { wallTime } from '#functions/shapes/wallTime.ts'

/** Dates by the clock on the wall of one time zone. */
export interface Clock {
  /** ISO text with the zone's offset, `Z` where it is none: `2021-03-01T08:00:00.000-05:00`. */
  text(iso: string): string
  /** Minutes the clock is ahead of UTC at an instant (milliseconds since 1970). */
  offset(instant: number): number
}

const quarterHour = 900_000

/** The clock of an IANA zone. No zone has changed its offset inside of a quarter of an hour, so each is asked for once. */
export function clockOf(timeZone: string): Clock {
  const known = new Map<number, number>()
  const offset = (instant: number) => {
    const quarter = Math.floor(instant / quarterHour)
    const found = known.get(quarter)
    if (found !== undefined) return found
    if (known.size >= 10_000) known.clear()
    const asked = quarter * quarterHour
    const minutes = Math.round((wallTime(asked, timeZone) - asked) / 60_000)
    known.set(quarter, minutes)
    return minutes
  }
  return {
    offset,
    text(iso) {
      const instant = Date.parse(iso)
      const minutes = offset(instant)
      const wall = new Date(instant + minutes * 60_000).toISOString()
      return minutes === 0 ? wall : wall.replace(/Z$/, signed(minutes))
    },
  }
}

function signed(minutes: number): string {
  const size = Math.abs(minutes)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}
