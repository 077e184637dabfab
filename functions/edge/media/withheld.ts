import { closedFilesLetters, type ClosedFiles } from '#functions/engine/media/keys.ts'
import { readLastPlaceState } from '#functions/edge/hub/place-state.ts'
import { PolledCache } from '#functions/platform/cache/polled.ts'
import { againMs, maxStaleMs } from '#functions/platform/cache/stale.ts'

const key = (beginning: string) => `site/files/${beginning}.json`

/** A list with the place of each file. `stamp` identifies this version of it; null if it does not exist. */
interface KeptFiles {
  stamp: string | null
  placeIdByFile: ReadonlyMap<string, string>
}

/** All lists, at most two seconds old in memory; up to 15 minutes while the storage is unavailable, like all public state. */
const lists = new PolledCache<KeptFiles>({
  name: 'files of closed places',
  freshMs: againMs,
  staleMs: maxStaleMs,
  // Cost by the number of ids, at some hundred bytes each.
  bounds: { cost: 50_000, estimateCost: ({ placeIdByFile }) => 1 + placeIdByFile.size },
})

/** Whether a file belongs to a closed place, at most two seconds late. Throws `StorageError` if unknown. */
export async function isOfClosedPlace(hubs: R2Bucket, fileId: string): Promise<boolean> {
  const beginning = fileId.slice(0, closedFilesLetters)
  const { value } = await lists.read(beginning, (before) => load(hubs, beginning, before))
  const placeId = value.placeIdByFile.get(fileId)
  if (placeId === undefined) return false
  return (await readLastPlaceState(hubs, placeId))?.isClosed === true
}

async function load(hubs: R2Bucket, beginning: string, before?: KeptFiles): Promise<KeptFiles> {
  const condition = before?.stamp ? { onlyIf: { etagDoesNotMatch: before.stamp } } : {}
  const object = await hubs.get(key(beginning), condition)
  if (!object) return { stamp: null, placeIdByFile: new Map() }
  // An object without a body: it has not changed.
  if (before && !('body' in object && object.body)) return before
  const { places } = await (object as R2ObjectBody).json<ClosedFiles>()
  const pairs = Object.entries(places).flatMap(([placeId, ids]) =>
    ids.map((id): [string, string] => [id, placeId]),
  )
  return { stamp: object.etag, placeIdByFile: new Map(pairs) }
}

/**
 * Stores the list of files of closed places with this id prefix, unless a later one is stored already; every isolate reads it within
 * two seconds. Throws after five conflicts.
 */
export async function writeClosedFiles(hubs: R2Bucket, beginning: string, list: ClosedFiles): Promise<void> {
  for (let tries = 0; tries < 5; tries += 1) {
    const old = await hubs.get(key(beginning))
    if (old && (await old.json<ClosedFiles>()).at > list.at) return
    const object = await hubs.put(key(beginning), JSON.stringify(list), {
      httpMetadata: { contentType: 'application/json' },
      onlyIf: old ? { etagMatches: old.etag } : { etagDoesNotMatch: '*' },
    })
    if (object !== null) return lists.drop(beginning)
  }
  throw new Error(`The files of closed places that begin with ${beginning} could not be written.`)
}
