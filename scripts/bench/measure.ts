/** One of several ways to get the same answer, which are compared. */
interface MeasuredWay {
  name: string
  run(): Promise<unknown>
}

/** A line of the table: what was measured, against which peer, and with which goal. */
export interface Line {
  area: string
  work: string
  /** The number of records; null where it does not matter. */
  rows: number | null
  /** Milliseconds, or in the unit of `unit`. */
  ours: number
  peer: string
  theirs: number
  unit: 'ms' | 'req/s' | 'rows/s' | 'frames/s' | 'MB' | 'kB' | 'points'
  /** ours ÷ theirs. */
  ratio: number
  /** The bound of the ratio; null: printed for comparison only. */
  goal: { is: 'most' | 'least'; bound: number } | null
  note?: string
}

/** Measures how long something takes, in milliseconds. */
export async function measureMilliseconds(run: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await run()
  return performance.now() - startMs
}

/** Returns the median; of an even count the mean of the two middle values. */
export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

/** Returns the percentile: `share` per cent of the values are at most this. */
export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * share) / 100) - 1)] ?? NaN
}

/** Returns the median milliseconds of each contest, run in turns by `timesInTurns`. */
export async function takeTurns(
  contests: MeasuredWay[],
  forHowLong: { rounds?: number; forMs?: number } = {},
): Promise<Map<string, number>> {
  const times = await timesInTurns(contests, forHowLong)
  return new Map([...times].map(([name, each]) => [name, median(each)]))
}

/**
 * Returns the milliseconds of each run of each contest. They run in turns, so that noise of the machine
 * affects all alike, after `warmRounds` runs each that are not counted. At least `rounds` rounds, and as many as
 * fit into `forMs`.
 */
export async function timesInTurns(
  contests: MeasuredWay[],
  { rounds = 7, forMs = 3000, warmRounds = 1 }: { rounds?: number; forMs?: number; warmRounds?: number } = {},
): Promise<Map<string, number[]>> {
  const times = new Map(contests.map(({ name }) => [name, [] as number[]]))
  for (let round = 0; round < warmRounds; round++) for (const { run } of contests) await run()
  const startMs = performance.now()
  for (let round = 0; round < rounds || (performance.now() - startMs < forMs && round < 1000); round++) {
    // The order rotates, so that no contest profits more than others from caches filled by the one before.
    const turn = round % contests.length
    for (const { name, run } of [...contests.slice(turn), ...contests.slice(0, turn)]) {
      const start = performance.now()
      await run()
      times.get(name)?.push(performance.now() - start)
    }
  }
  return times
}

/** Makes a line of the table from two measured numbers. */
export function makeReportLine(
  about: Omit<Line, 'ratio' | 'goal'> & { most?: number; least?: number },
): Line {
  const { most, least, ...rest } = about
  const goal =
    most !== undefined
      ? { is: 'most' as const, bound: most }
      : least !== undefined
        ? { is: 'least' as const, bound: least }
        : null
  return { ...rest, ratio: rest.ours / rest.theirs, goal }
}

/** Returns whether the goal of a line was met; null without a goal. */
export function isKept({ ratio, goal }: Line): boolean | null {
  if (!goal) return null
  return goal.is === 'most' ? ratio <= goal.bound : ratio >= goal.bound
}
