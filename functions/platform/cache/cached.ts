import type { BoundedMemory } from './bounded-memory.ts'
import type { SingleFlight } from './single-flight.ts'
import { inTime, type Later } from './stale.ts'
import type { Tier } from './tier.ts'

/**
 * What is asked of the caches. `Value` is what is kept for everyone, `Made` what is made for who asks: a refusal is made and
 * not kept.
 */
export interface CacheRequest<Value, Made> {
  /** The subject of the question, and the versions of the data it is to be made of, unless `isCurrent` compares those. */
  key: string
  /** Of the isolate; null: nothing is kept there. */
  memory: Pick<BoundedMemory<Value>, 'get' | 'put'> | null
  /** From near to far. */
  tiers: readonly Tier<Value>[]
  /** Equal questions of this isolate that are under way; null: each one makes its own. */
  singleFlight: SingleFlight<Value> | null
  /** Whether a value was made of the data of now and may be given. Without it every value under the key may. */
  isCurrent?(value: Value): boolean
  make(): Promise<Made>
  /** What of it everyone is given alike (null: nothing), and it itself, of which nothing is used up. */
  keep(made: Made): Promise<{ value: Value | null; made: Made }>
  /** What is given when it cannot be made in 1.5 s: an older value that may still be given; null: none. Without it all is waited for. */
  older?: Older<Value, Made>
  /** Lets what was begun end though the asker may be gone; also where it fails, as when a tier cannot be written. */
  later: Later
}

interface Older<Value, Made> {
  /** Whether what was made is no answer, so that an older one is better. */
  isFailure(made: Made): boolean
  /** `known`: values that the caches have and that are not current. */
  find(known: readonly Value[]): Promise<Value | null>
}

/**
 * A value and where it came from (`memory`, the name of a tier, `shared`: another one made it just now, `older`), or what
 * was made for who asks.
 */
type CacheResult<Value, Made> = { value: Value; from: string } | { made: Made }

/**
 * Gives what is asked for: from memory, else from the near tiers, else from an equal question that is under way, else from the
 * far tiers, else it is made and kept in all of them. Found in one tier, it is put into those before it. Where making fails
 * or takes longer than 1.5 s, an older value is given if there is one; the new one is kept when it comes. Fails as `make`
 * fails.
 */
export async function readCached<Value, Made>(
  request: CacheRequest<Value, Made>,
): Promise<CacheResult<Value, Made>> {
  const { key, memory, tiers, singleFlight, later } = request
  const outdated: Value[] = []
  const held = memory?.get(key)
  if (held !== undefined) {
    if (isCurrent(request, held)) return { value: held, from: 'memory' }
    outdated.push(held)
  }
  const near = tiers.filter(({ isFar }) => !isFar)
  const hit = await lookThrough(request, near, outdated)
  if (hit) return hit
  const flight = singleFlight?.join(key, Date.now())
  if (flight && 'wait' in flight) {
    const value = await flight.wait()
    if (value !== null) return { value, from: 'shared' }
  }
  const finding = find(request, outdated)
  if (flight && 'land' in flight)
    // Others wait for this one, so it goes on though its own asker may have left.
    later(
      finding.then(
        ({ value }) => flight.land(value),
        () => flight.land(null),
      ),
    )
  const { value, result } = await finding
  return result ?? { value: value as Value, from: 'older' }
}

/** What was found: a value for all who wait, and what the one who looked is given; without a result it is an older value. */
interface Finding<Value, Made> {
  value: Value | null
  result?: CacheResult<Value, Made>
}

/** Looks in the far tiers; else makes what is asked for, or finds an older one. */
async function find<Value, Made>(
  request: CacheRequest<Value, Made>,
  outdated: Value[],
): Promise<Finding<Value, Made>> {
  const { tiers, older, later } = request
  const far = tiers.filter(({ isFar }) => isFar)
  const hit = await lookThrough(request, far, outdated)
  if (hit) return { value: hit.value, result: hit }
  const making = request.make()
  if (!older) return keepMade(request, await making)
  const inTimeMade = await inTime(making)
  if (inTimeMade && !older.isFailure(inTimeMade.value)) return keepMade(request, inTimeMade.value)
  const value = await older.find(outdated).catch(() => null)
  if (value === null) return keepMade(request, inTimeMade ? inTimeMade.value : await making)
  // It may still come, and then the next one who asks has it.
  if (!inTimeMade) later(making.then((made) => keepMade(request, made)).catch(() => {}))
  return { value }
}

async function keepMade<Value, Made>(
  request: CacheRequest<Value, Made>,
  answer: Made,
): Promise<Finding<Value, Made>> {
  const { value, made } = await request.keep(answer)
  if (value === null || !isCurrent(request, value)) return { value: null, result: { made } }
  putInto(request, value, request.tiers)
  return { value, result: { made } }
}

/** The first current value of some tiers; those that are not are added to `outdated`. */
async function lookThrough<Value, Made>(
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
