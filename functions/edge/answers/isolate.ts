import type { Entry } from './entry.ts'
import { byteMemory, type BoundedMemory } from '#functions/platform/cache/bounded-memory.ts'
import { SingleFlight } from '#functions/platform/cache/single-flight.ts'
import { dataCentreCache } from '#functions/platform/cache/tier.ts'
import type { AnswerCache } from './answer-from-cache.ts'

/** Default size of the cache: a quarter of an isolate's memory. */
const defaultBytes = 32_000_000

let memory: BoundedMemory<Entry> | null = null
const singleFlight = new SingleFlight<Entry>()

/** The bindings that the cache needs. */
export interface Bindings {
  HUBS: R2Bucket
  ANSWER_MEMORY?: string
}

/** This isolate's cache. `origin`: that of the workspace, whichever host was requested. */
export function getAnswerCache(
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
