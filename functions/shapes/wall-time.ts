const clocks = new Map<string, Intl.DateTimeFormat>()

function clock(timeZone: string): Intl.DateTimeFormat {
  let match = clocks.get(timeZone)
  if (!match) {
    match = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    clocks.set(timeZone, match)
  }
  return match
}

/**
 * The local time of an IANA zone at an instant (milliseconds since 1970), as milliseconds of the same wall time in UTC. Throws a
 * RangeError for an unknown zone.
 */
export function wallTime(instant: number, timeZone: string): number {
  const at: Record<string, number> = {}
  let before = false
  for (const { type, value: text } of clock(timeZone).formatToParts(instant)) {
    if (type === 'era') before = text.startsWith('B')
    else at[type] = Number(text)
  }
  const year = before ? 1 - (at.year ?? 1) : (at.year ?? 0)
  const wall = new Date(0)
  wall.setUTCFullYear(year, (at.month ?? 1) - 1, at.day ?? 1)
  wall.setUTCHours(at.hour ?? 0, at.minute ?? 0, at.second ?? 0, ((instant % 1000) + 1000) % 1000)
  return wall.getTime()
}
