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
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const known = new Map<number, number>()
  const ask = (instant: number) => {
    const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]))
    const part = (name: string) => Number(parts[name])
    const year = parts.era === 'BC' ? 1 - part('year') : part('year')
    const wall = new Date(0)
    wall.setUTCFullYear(year, part('month') - 1, part('day'))
    wall.setUTCHours(part('hour'), part('minute'), part('second'))
    return Math.round((wall.getTime() - instant) / 60_000)
  }
  const offset = (instant: number) => {
    const quarter = Math.floor(instant / quarterHour)
    const found = known.get(quarter)
    if (found !== undefined) return found
    if (known.size >= 10_000) known.clear()
    const minutes = ask(quarter * quarterHour)
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
