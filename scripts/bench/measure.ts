/** One of several ways to the same answer, measured against each other. */
interface Contest {
  name: string
  run(): Promise<unknown>
}

/** A line of the table: what was measured, against what, and what was promised of it. */
export interface Line {
  area: string
  work: string
  /** How many records there were; null where that does not matter. */
  rows: number | null
  /** Milliseconds, or what `unit` says. */
  ours: number
  peer: string
  theirs: number
  unit: 'ms' | 'req/s' | 'rows/s' | 'frames/s' | 'MB' | 'kB' | 'points'
  /** ours ÷ theirs. */
  ratio: number
  /** What the ratio is promised to be; null: printed for comparison only. */
  goal: { is: 'most' | 'least'; bound: number } | null
  note?: string
}

/** The middle of some numbers; of an even count the mean of the two in the middle. */
export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

/** So many of a hundred are at most this: 95 for what all but one of twenty take. */
export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * share) / 100) - 1)] ?? NaN
}

/** The median milliseconds of each contest, run in turns as `timesInTurns` does. */
export async function takeTurns(
  contests: Contest[],
  forHowLong: { rounds?: number; forMs?: number } = {},
): Promise<Map<string, number>> {
  const times = await timesInTurns(contests, forHowLong)
  return new Map([...times].map(([name, each]) => [name, median(each)]))
}

/**
 * The milliseconds of each run of each contest, run in turns so that noise of the machine meets all alike. Each is run once
 * before it counts. At least `rounds` rounds, and as many as fit into `forMs`.
 */
export async function timesInTurns(
  contests: Contest[],
  { rounds = 7, forMs = 3000 }: { rounds?: number; forMs?: number } = {},
): Promise<Map<string, number[]>> {
  const times = new Map(contests.map(({ name }) => [name, [] as number[]]))
  for (const { run } of contests) await run()
  const began = performance.now()
  for (let round = 0; round < rounds || (performance.now() - began < forMs && round < 1000); round++) {
    // Who goes first changes: what the one before leaves in caches helps no one more than others.
    const turn = round % contests.length
    for (const { name, run } of [...contests.slice(turn), ...contests.slice(0, turn)]) {
      const start = performance.now()
      await run()
      times.get(name)?.push(performance.now() - start)
    }
  }
  return times
}

/** A line of the table from two measured numbers. */
export function line(about: Omit<Line, 'ratio' | 'goal'> & { most?: number; least?: number }): Line {
  const { most, least, ...rest } = about
  const goal =
    most !== undefined
      ? { is: 'most' as const, bound: most }
      : least !== undefined
        ? { is: 'least' as const, bound: least }
        : null
  return { ...rest, ratio: rest.ours / rest.theirs, goal }
}

/** Whether a line is as was promised; null where nothing was. */
export function isKept({ ratio, goal }: Line): boolean | null {
  if (!goal) return null
  return goal.is === 'most' ? ratio <= goal.bound : ratio >= goal.bound
}
