import { StorageError } from '#functions/platform/storage.ts'
import { againMs, mostStaleMs, readOrOther } from './stale.ts'
import type { PlaceState } from '#functions/shapes/placeState.ts'

/** A state as it is kept: `stamp` names this very one. */
export interface KeptState extends PlaceState {
  stamp: string
  /** Only where it cannot be read just now and memory is given instead: when it was read last (ms). Never stored. */
  asOf?: number
}

/** A state from memory may be this old. */
const memoMs = againMs
const memoSize = 200
const states = new Map<string, { at: number; state: KeptState | null }>()

/** A source never leaves its place, so this need not be asked again. */
const placesMemoSize = 20_000
const places = new Map<string, string>()

const stateKey = (placeId: string) => `site/places/${placeId}.json`
const sourceKey = (sourceId: string) => `site/sources/${sourceId}`

/**
 * What is public of a place; null for places we do not know, and those that were told to no edge yet. At most two
 * seconds old. Whoever answers from a cache asks this first: what is not in it is not public.
 */
export async function readPlaceState(hubs: R2Bucket, placeId: string): Promise<KeptState | null> {
  const now = Date.now()
  const known = states.get(placeId)
  if (known && now - known.at < memoMs) return known.state
  const stamp = known?.state?.stamp
  const found = await hubs.get(stateKey(placeId), stamp ? { onlyIf: { etagDoesNotMatch: stamp } } : {})
  // An object without a body is the one that is known.
  const isSame = found !== null && !('body' in found && found.body)
  const state = isSame ? (known?.state ?? null) : found ? await stateIn(found as R2ObjectBody) : null
  if (states.size >= memoSize && !known) states.delete(states.keys().next().value ?? '')
  states.delete(placeId)
  // Counted from before it was read: a change that came while it was read is not missed for longer.
  states.set(placeId, { at: now, state })
  return state
}

/**
 * As `readPlaceState`; where it cannot be read in time what memory has, as `asOf` says, for 15 minutes. Throws `StorageError`
 * when there is none.
 */
export async function lastPlaceState(hubs: R2Bucket, placeId: string): Promise<KeptState | null> {
  const known = states.get(placeId)
  const isGiven = known && Date.now() - known.at <= mostStaleMs
  const other = isGiven ? { state: known.state } : null
  const read = async () => ({ state: await readPlaceState(hubs, placeId) })
  const { value, isOther } = await readOrOther(stateKey(placeId), read, other)
  // That nothing is public there may have changed for a place that was never told, and not for one that withdrew all.
  if (isOther && value.state === null) throw new StorageError('What is public of the place cannot be read.')
  return isOther && known && value.state ? { ...value.state, asOf: known.at } : value.state
}

async function stateIn(object: R2ObjectBody): Promise<KeptState> {
  return { ...(await object.json<PlaceState>()), stamp: object.etag }
}

/** The place of a source that is or was public once; null for others. */
export async function placeOfSource(hubs: R2Bucket, sourceId: string): Promise<string | null> {
  const known = places.get(sourceId)
  if (known !== undefined) return known
  const object = await hubs.get(sourceKey(sourceId))
  if (!object) return null
  const placeId = await object.text()
  if (places.size >= placesMemoSize) places.delete(places.keys().next().value ?? '')
  places.set(sourceId, placeId)
  return placeId
}

/** How many names are written at once. */
const atOnce = 20

/**
 * Makes a state what every isolate reads within two seconds, unless a later one is there already: several may tell at
 * once, and the one that has read last is right.
 */
export async function writePlaceState(hubs: R2Bucket, state: PlaceState): Promise<void> {
  const { placeId } = state
  for (let tries = 0; tries < 5; tries += 1) {
    const old = await hubs.get(stateKey(placeId))
    const before = old ? await stateIn(old) : null
    if (before && before.at > state.at) return
    const isNew = (id: string) => !before || !Object.hasOwn(before.sources, id)
    const added = Object.keys(state.sources).filter(isNew)
    for (let i = 0; i < added.length; i += atOnce)
      await Promise.all(added.slice(i, i + atOnce).map((id) => hubs.put(sourceKey(id), placeId)))
    const written = await hubs.put(stateKey(placeId), JSON.stringify(state), {
      httpMetadata: { contentType: 'application/json' },
      onlyIf: old ? { etagMatches: old.etag } : { etagDoesNotMatch: '*' },
    })
    if (written !== null) return void states.delete(placeId)
  }
  throw new Error(`The state of ${placeId} could not be written: others write it all the time.`)
}
