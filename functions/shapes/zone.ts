import { wallTime } from './wallTime.ts'

const day = 86_400_000
const maxKept = 50_000

/** The instants at which the clocks of a zone show a time. */
export interface Zone {
  name: string
  /** `wall`: the milliseconds at which a clock in UTC shows that time. None where clocks skip it, two where they show it twice. */
  instants(wall: number): number[]
  /** The first instant of the day that begins at `wall`, also where clocks skip or repeat midnight. */
  startOfDay(wall: number): number
}

/** Throws a RangeError for an unknown zone. */
export function zoneOf(name: string): Zone {
  wallTime(0, name)
  const offsets = new Map<number, number>()
  /** How far the clocks are ahead of UTC at noon of a day. Asking the calendar takes microseconds, so it is kept. */
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
  const around = (wall: number): [before: number, after: number] => {
    const number = Math.floor(wall / day)
    return [offsetOn(number - 2), offsetOn(number + 2)]
  }
  const instants = (wall: number): number[] => {
    const number = Math.floor(wall / day)
    const [before, after] = around(wall)
    if (before === after && offsetOn(number) === before) return [wall - before]
    const offsets = new Set([before, offsetOn(number - 1), offsetOn(number), offsetOn(number + 1), after])
    return [...offsets]
      .map((offset) => wall - offset)
      .filter((instant) => wallTime(instant, name) === wall)
      .sort((a, b) => a - b)
  }
  const startOfDay = (wall: number) => instants(wall)[0] ?? wall - around(wall)[0]
  return { name, instants, startOfDay }
}
