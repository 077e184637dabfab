import { offsetAt } from '../differential/calendar.testing.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** The moments at which a zone changes its clocks within a year. */
function changesIn(zone: string, year: number): number[] {
  const [start, end] = [Date.UTC(year, 0, 1), Date.UTC(year + 1, 0, 1)]
  const changes: number[] = []
  // Some zones change twice within a month, none twice within four days.
  for (let from = start; from < end; from += 4 * day) {
    const to = Math.min(from + 4 * day, end)
    if (offsetAt(from, zone) !== offsetAt(to, zone)) changes.push(changeWithin(from, to, zone))
  }
  return changes
}

function changeWithin(from: number, to: number, zone: string): number {
  const before = offsetAt(from, zone)
  let [low, high] = [from / 1000, to / 1000]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(middle * 1000, zone) === before) low = middle
    else high = middle
  }
  return high * 1000
}

const around = [
  ...[-36, -25, -24, -12, -3, -2, -1.5, -1, -0.75, -0.5, -0.25],
  ...[0.25, 0.5, 0.75, 1, 1.5, 2, 3, 12, 24, 25, 36],
].map((hours) => hours * hour)

/** Moments to put into buckets: around each change of clocks, and around the turn of each month of the year. */
export function listMoments(zone: string, years: readonly number[]): number[] {
  const moments = years.flatMap((year) => [
    ...changesIn(zone, year).flatMap((at) => [at - 1, at, at + 1, ...around.map((away) => at + away)]),
    ...Array.from(
      { length: 12 },
      (_, month) => Date.UTC(year, month, 1) - offsetAt(Date.UTC(year, month, 1), zone),
    ).flatMap((turn) => [turn - 1, turn, turn + 10 * day + 5 * hour + 61_001]),
  ])
  return [...new Set(moments)].sort((a, b) => a - b)
}
