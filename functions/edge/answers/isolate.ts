import type { Entry } from './entry.ts'
import { SingleFlight } from '#functions/platform/cache/single-flight.ts'
import type { KeepPorts } from './keep.ts'
import { Memory } from './memory.ts'

/** A quarter of what an isolate has. */
const defaultBytes = 32_000_000

let memory: Memory | null = null
const flights = new SingleFlight<Entry>()

/** The bindings that keeping answers needs. */
export interface Bindings {
  HUBS: R2Bucket
  ANSWER_MEMORY?: string
}

/** What this isolate keeps answers with. `origin`: of the workspace, whichever host was asked. */
export function portsOf(
  env: Bindings,
  { origin, build }: { origin: string; build: string },
  execution: Pick<ExecutionContext, 'waitUntil'>,
): KeepPorts {
  memory ??= new Memory(Number(env.ANSWER_MEMORY ?? defaultBytes))
  // The development server has none. Of the types only those of browsers know the name.
  const cache = typeof caches === 'undefined' ? null : (caches as unknown as { default: Cache }).default
  return {
    memory,
    flights,
    shelves: { cache, hubs: env.HUBS, origin, build },
    waitUntil: (work) => execution.waitUntil(work),
  }
}
