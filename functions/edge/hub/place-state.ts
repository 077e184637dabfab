import { ImmutableCache } from '#functions/platform/cache/immutable.ts'
import { PolledCache } from '#functions/platform/cache/polled.ts'
import { againMs, maxStaleMs } from '#functions/platform/cache/stale.ts'
import type { PlaceState } from '#functions/shapes/place-state.ts'

/** A stored state. `stamp` identifies this version of it. */
export interface StoredPlaceState extends PlaceState {
  stamp: string
  /**
   * Set only where the state comes from memory because storage is unavailable: when it was last read
   * (milliseconds). Never stored.
   */
  dataTime?: number
}

/** The public states of places, at most two seconds old in memory. */
const states = new PolledCache<StoredPlaceState | null>({
  name: 'place state',
  freshMs: againMs,
  staleMs: maxStaleMs,
  bounds: { cost: 200, estimateCost: () => 1 },
})

/** The places of sources; immutable, because a source never changes its place. */
const places = new ImmutableCache<string>({ cost: 20_000, estimateCost: () => 1 })

const stateKey = (placeId: string) => `site/places/${placeId}.json`
const sourceKey = (sourceId: string) => `site/sources/${sourceId}`

/**
 * The public state of a place; null for unknown places and those not written to the edge yet. At most two
 * seconds old. Must be checked before any cached answer: what is not in it is not public.
 */
export function readPlaceState(hubs: R2Bucket, placeId: string): Promise<StoredPlaceState | null> {
  return states.readFresh(placeId, (before) => loadState(hubs, placeId, before))
}

/**
 * Like `readPlaceState`, but where storage does not answer in time, the state in memory with its date
 * (`dataTime`), for 15 minutes. Throws `StorageError` when there is none, because something may have been
 * withdrawn.
 */
export async function readLastPlaceState(hubs: R2Bucket, placeId: string): Promise<StoredPlaceState | null> {
  const load = (before?: StoredPlaceState | null) => loadState(hubs, placeId, before)
  const { value, readAt, isStale } = await states.read(placeId, load)
  return isStale && value ? { ...value, dataTime: readAt } : value
}

async function loadState(
  hubs: R2Bucket,
  placeId: string,
  before?: StoredPlaceState | null,
): Promise<StoredPlaceState | null> {
  const object = await hubs.get(
    stateKey(placeId),
    before ? { onlyIf: { etagDoesNotMatch: before.stamp } } : {},
  )
  if (!object) return null
  // An object without a body: it has not changed.
  return 'body' in object && object.body ? stateIn(object as R2ObjectBody) : (before ?? null)
}

async function stateIn(object: R2ObjectBody): Promise<StoredPlaceState> {
  return { ...(await object.json<PlaceState>()), stamp: object.etag }
}

/** The place of a source that is or was public; null for others. */
export function placeOfSource(hubs: R2Bucket, sourceId: string): Promise<string | null> {
  return places.read(sourceId, async () => {
    const object = await hubs.get(sourceKey(sourceId))
    return object ? object.text() : null
  })
}

/** Objects written at the same time. */
const atOnce = 20

/**
 * Stores a state, which every isolate reads within two seconds, unless a later one is stored already: of
 * concurrent writers the one that read the database last is right. Throws after five conflicts.
 */
export async function writePlaceState(hubs: R2Bucket, state: PlaceState): Promise<void> {
  const { placeId } = state
  for (let tries = 0; tries < 5; tries += 1) {
    const old = await hubs.get(stateKey(placeId))
    const before = old ? await stateIn(old) : null
    if (before && before.at > state.at) return
    const isNew = (id: string) => !before || !Object.hasOwn(before.sources, id)
    const newIds = Object.keys(state.sources).filter(isNew)
    for (let i = 0; i < newIds.length; i += atOnce)
      await Promise.all(newIds.slice(i, i + atOnce).map((id) => hubs.put(sourceKey(id), placeId)))
    const object = await hubs.put(stateKey(placeId), JSON.stringify(state), {
      httpMetadata: { contentType: 'application/json' },
      onlyIf: old ? { etagMatches: old.etag } : { etagDoesNotMatch: '*' },
    })
    if (object !== null) return void states.drop(placeId)
  }
  throw new Error(`The state of ${placeId} could not be written: others write it all the time.`)
}
