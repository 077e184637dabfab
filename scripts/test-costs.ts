import { existsSync, readFileSync } from 'node:fs'
import { childrenSeconds, listenerOn, processorSeconds } from './process-facts.ts'

/**
 * What a run of tests takes. Seconds of processor time are what two runs can be compared by: those of the clock depend on what else
 * the machine does.
 */
interface LaneCost {
  lane: string
  /** By the clock. */
  seconds: number
  /** Of all processes of the lane together; null where the system does not say. */
  processor: number | null
}

/** Where test files write what they took: the setup file `count-processor.ts` does, when this is set. */
export const costsFile = 'TEST_COSTS'

/**
 * Counts what each lane of a run takes. A system adds the time of a child to its parent's when the child has ended, so what was added
 * since the last one ended is the time of this one, with all that it has waited for itself.
 */
export class CostCounter {
  /** In the order in which they ended. */
  readonly lanes: LaneCost[] = []
  private readonly began = performance.now()
  private children = childrenSeconds(process.pid)
  private readonly postgres: number | null
  private readonly postgresBefore: number | null

  /** `postgres` is the address of a server on this machine, whose time is counted too. */
  constructor(postgres: string | undefined) {
    this.postgres = postgres ? (listenerOn(Number(new URL(postgres).port || 5432))?.pid ?? null) : null
    this.postgresBefore = this.ofServer()
  }

  /** To be called when a lane's process has ended, before anything else of this process can. `began` is of `performance.now()`. */
  ended(lane: string, began: number): void {
    const children = childrenSeconds(process.pid)
    const processor = children === null || this.children === null ? null : children - this.children
    this.children = children
    this.lanes.push({ lane, seconds: (performance.now() - began) / 1000, processor })
  }

  /** A table of lanes, the one that took most first, with their sum. */
  table(): string[] {
    const own = process.cpuUsage()
    const others: LaneCost[] = [
      {
        lane: 'what starts them, and the hubs’ assets',
        seconds: 0,
        processor: (own.user + own.system) / 1e6,
      },
    ]
    const server = this.ofServer()
    if (server !== null && this.postgresBefore !== null)
      others.push({ lane: 'Postgres', seconds: 0, processor: server - this.postgresBefore })
    const all = [...this.lanes, ...others].sort((a, b) => (b.processor ?? 0) - (a.processor ?? 0))
    const sum = all.reduce((total, { processor }) => total + (processor ?? 0), 0)
    const line = (name: string, seconds: number, processor: number | null) =>
      `${name.padEnd(42)}${seconds ? seconds.toFixed(0).padStart(8) : ''.padStart(8)}${(processor === null ? '?' : processor.toFixed(0)).padStart(12)}`
    return [
      `${'what it took, in seconds'.padEnd(42)}${'clock'.padStart(8)}${'processor'.padStart(12)}`,
      ...all.map(({ lane, seconds, processor }) => line(lane, seconds, processor)),
      line('all', (performance.now() - this.began) / 1000, this.children === null ? null : sum),
    ]
  }

  private ofServer(): number | null {
    return this.postgres === null ? null : processorSeconds(this.postgres)
  }
}

/** What a test file took, in seconds of processor time. */
export interface FileCost {
  file: string
  /** Of the process it ran in. */
  own: number
  /** Of what that process has started: a browser, a Worker of its own. */
  started: number
  /** Of the product that all files of its lane ask, while it ran. */
  product: number
}

/** All of it. */
export const sumOf = ({ own, started, product }: FileCost) => own + started + product

/** The files that took most processor time, most first; none where nothing was written. */
export function costliestFiles(path: string, most: number): FileCost[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  return lines
    .map((line) => JSON.parse(line) as FileCost)
    .sort((a, b) => sumOf(b) - sumOf(a))
    .slice(0, most)
}

/** A table of files in the order they are given in. */
export function filesTable(files: FileCost[]): string[] {
  const line = (cells: string[], file: string) => `${cells.map((cell) => cell.padStart(9)).join('')}  ${file}`
  return [
    line(['seconds', 'itself', 'started', 'product'], 'costliest test files, by processor time'),
    ...files.map((file) =>
      line(
        [sumOf(file), file.own, file.started, file.product].map((seconds) => seconds.toFixed(1)),
        file.file,
      ),
    ),
  ]
}
