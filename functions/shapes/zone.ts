import { wallTime } from './wall-time.ts'

const day = 86_400_000
const maxKept = 50_000

/** Converts local times of a zone to instants. */
export interface Zone {
  name: string
  /** `wall`: local time as milliseconds of the same wall time in UTC. Empty if the clock skips it, two if it repeats it. */
  instants(wall: number): number[]
  /** The first instant of the day starting at `wall`, also if the clock skips or repeats midnight. */
  startOfDay(wall: number): number
}

/** Throws a RangeError for an unknown zone. */
export function createZone(name: string): Zone {
  wallTime(0, name)
  const offsets = new Map<number, number>()
  /** The offset from UTC at noon of a day. Cached, as Intl takes microseconds. */
  const offsetOn = (dayNumber: number): number => {
    let offset = offsets.get(dayNumber)
    if (offset === undefined) {
      if (offsets.size >= maxKept) offsets.clear()
      const at = dayNumber * day + day / 2
      offset = wallTime(at, name) - at
      offsets.set(dayNumber, offset)
    }
    return offset
  }
  const getOffsetsAround = (wall: number): [before: number, after: number] => {
    const number = Math.floor(wall / day)
    return [offsetOn(number - 2), offsetOn(number + 2)]
  }
  const instants = (wall: number): number[] => {
    const number = Math.floor(wall / day)
    const [before, after] = getOffsetsAround(wall)
    if (before === after && offsetOn(number) === before) return [wall - before]
    const offsets = new Set([before, offsetOn(number - 1), offsetOn(number), offsetOn(number + 1), after])
    return [...offsets]
      .map((offset) => wall - offset)
      .filter((instant) => wallTime(instant, name) === wall)
      .sort((a, b) => a - b)
  }
  const startOfDay = (wall: number) => instants(wall)[0] ?? wall - getOffsetsAround(wall)[0]
  return { name, instants, startOfDay }
}
