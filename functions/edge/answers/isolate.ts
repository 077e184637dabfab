import type { Entry } from './entry.ts'
import { byteMemory, type BoundedMemory } from '#functions/platform/cache/bounded-memory.ts'
import { SingleFlight } from '#functions/platform/cache/single-flight.ts'
import { dataCentreCache } from '#functions/platform/cache/tier.ts'
import type { AnswerCache } from './keep.ts'

/** A quarter of what an isolate has. */
const defaultBytes = 32_000_000

let memory: BoundedMemory<Entry> | null = null
const singleFlight = new SingleFlight<Entry>()

/** The bindings that keeping answers needs. */
export interface Bindings {
  HUBS: R2Bucket
  ANSWER_MEMORY?: string
}

/** What this isolate keeps answers with. `origin`: of the workspace, whichever host was asked. */
export function answerCacheOf(
  env: Bindings,
  { origin, build }: { origin: string; build: string },
  execution: Pick<ExecutionContext, 'waitUntil'>,
): AnswerCache {
  memory ??= byteMemory<Entry>(Number(env.ANSWER_MEMORY ?? defaultBytes))
  return {
    memory,
    singleFlight,
    stores: { cache: dataCentreCache(), hubs: env.HUBS, origin, build },
    later: (work) => execution.waitUntil(work.catch(() => {})),
  }
}
