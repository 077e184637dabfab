import { existsSync, readFileSync } from 'node:fs'
import { childrenSeconds, listenerOn, processorSeconds } from './process-facts.ts'

/**
 * The cost of a lane of tests. Only processor time can be compared between two runs: elapsed time depends on
 * what else the machine does.
 */
interface LaneCost {
  lane: string
  /** Elapsed time. */
  seconds: number
  /** Of all processes of the lane together; null where the system does not report it. */
  processor: number | null
}

/**
 * The environment variable with the file to which test files write their cost, read by the setup file
 * `count-processor.ts`.
 */
export const costsFile = 'TEST_COSTS'

/**
 * Measures the cost of each lane of a run. The system adds the time of a child to its parent's when the child
 * has ended, so the increase since the previous child ended is the time of this one, with all children it has
 * waited for itself.
 */
export class CostCounter {
  /** In the order in which they ended. */
  readonly lanes: LaneCost[] = []
  private readonly startMs = performance.now()
  private children = childrenSeconds(process.pid)
  private readonly postgres: number | null
  private readonly postgresBefore: number | null

  /** `postgres` is the address of a server on this machine, whose time is counted too. */
  constructor(postgres: string | undefined) {
    this.postgres = postgres ? (listenerOn(Number(new URL(postgres).port || 5432))?.pid ?? null) : null
    this.postgresBefore = this.measureServer()
  }

  /**
   * Must be called when a lane's process has ended, before another child of this process can. `startMs` is from
   * `performance.now()`.
   */
  ended(lane: string, startMs: number): void {
    const children = childrenSeconds(process.pid)
    const processor = children === null || this.children === null ? null : children - this.children
    this.children = children
    this.lanes.push({ lane, seconds: (performance.now() - startMs) / 1000, processor })
  }

  /** Formats a table of lanes, the most expensive first, with their sum. */
  table(): string[] {
    const own = process.cpuUsage()
    const others: LaneCost[] = [
      {
        lane: 'what starts them, and the hubs’ assets',
        seconds: 0,
        processor: (own.user + own.system) / 1e6,
      },
    ]
    const server = this.measureServer()
    if (server !== null && this.postgresBefore !== null)
      others.push({ lane: 'Postgres', seconds: 0, processor: server - this.postgresBefore })
    const all = [...this.lanes, ...others].sort((a, b) => (b.processor ?? 0) - (a.processor ?? 0))
    const sum = all.reduce((total, { processor }) => total + (processor ?? 0), 0)
    const line = (name: string, seconds: number, processor: number | null) =>
      `${name.padEnd(42)}${seconds ? seconds.toFixed(0).padStart(8) : ''.padStart(8)}${(processor === null ? '?' : processor.toFixed(0)).padStart(12)}`
    return [
      `${'what it took, in seconds'.padEnd(42)}${'clock'.padStart(8)}${'processor'.padStart(12)}`,
      ...all.map(({ lane, seconds, processor }) => line(lane, seconds, processor)),
      line('all', (performance.now() - this.startMs) / 1000, this.children === null ? null : sum),
    ]
  }

  private measureServer(): number | null {
    return this.postgres === null ? null : processorSeconds(this.postgres)
  }
}

/** The cost of a test file, in seconds of processor time. */
export interface FileCost {
  file: string
  /** Of the process it ran in. */
  own: number
  /** Of the child processes: a browser, a Worker of its own. */
  started: number
  /** Of the product that all files of its lane share, while this file ran. */
  product: number
}

/** The total. */
export const sumSeconds = ({ own, started, product }: FileCost) => own + started + product

/** Returns the most expensive files, most expensive first; empty when nothing was written. */
export function costliestFiles(path: string, most: number): FileCost[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  return lines
    .map((line) => JSON.parse(line) as FileCost)
    .sort((a, b) => sumSeconds(b) - sumSeconds(a))
    .slice(0, most)
}

/** Formats a table of files in the given order. */
export function filesTable(files: FileCost[]): string[] {
  const line = (cells: string[], file: string) => `${cells.map((cell) => cell.padStart(9)).join('')}  ${file}`
  return [
    line(['seconds', 'itself', 'started', 'product'], 'costliest test files, by processor time'),
    ...files.map((file) =>
      line(
        [sumSeconds(file), file.own, file.started, file.product].map((seconds) => seconds.toFixed(1)),
        file.file,
      ),
    ),
  ]
}
