import type { BoundedMemory } from './bounded-memory.ts'
import type { SingleFlight } from './single-flight.ts'
import { awaitWithinDeadline, type BackgroundWork } from './stale.ts'
import type { Tier } from './tier.ts'

/**
 * One cache lookup. `Value` is what is cached and shared by everyone; `Made` is the result for this caller, which may be
 * something that is never cached, such as a refusal.
 */
export interface CacheRequest<Value, Made> {
  /** The subject of the request and the versions of the data it is made from; without the versions where `isCurrent` compares them. */
  key: string
  /** The cache in this isolate's memory; null to use none. */
  memory: Pick<BoundedMemory<Value>, 'get' | 'put'> | null
  /** The caches outside of the isolate, the fastest first. */
  tiers: readonly Tier<Value>[]
  /** Requests in progress in this isolate, so that equal ones share one result; null to compute each on its own. */
  singleFlight: SingleFlight<Value> | null
  /** Whether a cached value is still current. Without it every value under the key is. */
  isCurrent?(value: Value): boolean
  make(): Promise<Made>
  /** The part of a result that may be cached (null: none), and the result itself with its body still unread. */
  toCacheable(made: Made): Promise<{ value: Value | null; made: Made }>
  /** Where to look for an older value that may be given when making one fails or takes longer than 1.5 s. Without it there is no time limit. */
  older?: OlderValues<Value, Made>
  /** Keeps the Worker alive for work that outlives the response, such as writing to a tier; that work may fail. */
  later: BackgroundWork
}

interface OlderValues<Value, Made> {
  /** Whether a result is a failure, so that an older value is better. */
  isFailure(result: Made): boolean
  /** `outdated`: values that were found in the caches on the way. */
  find(outdated: readonly Value[]): Promise<Value | null>
}

/**
 * A cached value and where it came from (`memory`, the name of a tier, `shared`: an equal request in progress, `older`: outdated),
 * or what was made for this caller.
 */
type CacheResult<Value, Made> = { value: Value; from: string } | { made: Made }

/**
 * Looks in memory, then in the near tiers, then joins an equal request in progress, then looks in the far tiers; where all miss it
 * calls `make` and writes the result to all of them. A hit in one tier is written to those before it. Where `make` fails or takes
 * longer than 1.5 s, an older value is given if there is one, and the new one is cached when it arrives. Rejects as `make` does.
 */
export async function readCached<Value, Made>(
  request: CacheRequest<Value, Made>,
): Promise<CacheResult<Value, Made>> {
  const { key, memory, tiers, singleFlight, later } = request
  const outdated: Value[] = []
  const entry = memory?.get(key)
  if (entry !== undefined) {
    if (isCurrent(request, entry)) return { value: entry, from: 'memory' }
    outdated.push(entry)
  }
  const nearTiers = tiers.filter(({ isFar }) => !isFar)
  const hit = await findInTiers(request, nearTiers, outdated)
  if (hit) return hit
  const flight = singleFlight?.join(key, Date.now())
  if (flight && 'wait' in flight) {
    const value = await flight.wait()
    if (value !== null) return { value, from: 'shared' }
  }
  const finding = find(request, outdated)
  if (flight && 'land' in flight)
    // Other requests wait for this one, so it has to finish even if its own client disconnects.
    later(
      finding.then(
        ({ value }) => flight.land(value),
        () => flight.land(null),
      ),
    )
  const { value, result } = await finding
  return result ?? { value: value as Value, from: 'older' }
}

/** `value` is for the requests that wait, `result` for the one that led. Without `result`, `value` is an older one. */
interface Finding<Value, Made> {
  value: Value | null
  result?: CacheResult<Value, Made>
}

/** Looks in the far tiers, else makes the value, else falls back on an older one. */
async function find<Value, Made>(
  request: CacheRequest<Value, Made>,
  outdated: Value[],
): Promise<Finding<Value, Made>> {
  const { tiers, older, later } = request
  const farTiers = tiers.filter(({ isFar }) => isFar)
  const hit = await findInTiers(request, farTiers, outdated)
  if (hit) return { value: hit.value, result: hit }
  const making = request.make()
  if (!older) return storeResult(request, await making)
  const inTimeMade = await awaitWithinDeadline(making)
  if (inTimeMade && !older.isFailure(inTimeMade.value)) return storeResult(request, inTimeMade.value)
  const value = await older.find(outdated).catch(() => null)
  if (value === null) return storeResult(request, inTimeMade ? inTimeMade.value : await making)
  // It may still arrive: then the next request finds it in the caches.
  if (!inTimeMade) later(making.then((result) => storeResult(request, result)).catch(() => {}))
  return { value }
}

async function storeResult<Value, Made>(
  request: CacheRequest<Value, Made>,
  answer: Made,
): Promise<Finding<Value, Made>> {
  const { value, made: result } = await request.toCacheable(answer)
  if (value === null || !isCurrent(request, value)) return { value: null, result: { made: result } }
  putInto(request, value, request.tiers)
  return { value, result: { made: result } }
}

/** The first current value in some tiers, null without one. Outdated ones that were found are added to `outdated`. */
async function findInTiers<Value, Made>(
  request: CacheRequest<Value, Made>,
  tiers: readonly Tier<Value>[],
  outdated: Value[],
): Promise<{ value: Value; from: string } | null> {
  for (const tier of tiers) {
    const value = await tier.get(request.key).catch(() => null)
    if (value === null) continue
    if (isCurrent(request, value)) {
      putInto(request, value, request.tiers.slice(0, request.tiers.indexOf(tier)))
      return { value, from: tier.name }
    }
    outdated.push(value)
  }
  return null
}

function putInto<Value, Made>(
  { key, memory, later }: CacheRequest<Value, Made>,
  value: Value,
  tiers: readonly Tier<Value>[],
): void {
  memory?.put(key, value)
  for (const tier of tiers) later(tier.put(key, value))
}

const isCurrent = <Value, Made>(request: CacheRequest<Value, Made>, value: Value) =>
  request.isCurrent?.(value) ?? true
