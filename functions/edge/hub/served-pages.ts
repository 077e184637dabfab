import { BoundedMemory } from '#functions/platform/cache/bounded-memory.ts'
import { pageKey, readManifest, rememberedManifest, type Manifest, type ManifestPage } from './manifest.ts'
import type { Locale } from '#functions/shapes/locale.ts'
import { StorageError } from '#functions/platform/storage.ts'
import { ImmutableCache } from '#functions/platform/cache/immutable.ts'
import type { Snapshot } from './snapshot.ts'
import { readOrOther, type BackgroundWork } from '#functions/platform/cache/stale.ts'
import { verdictOn } from './withdrawn.ts'

/** Bodies cached in the isolate, up to this many characters in all. */
const bodies = new ImmutableCache<string>({ cost: 16_000_000, estimateCost: (body) => body.length })

/**
 * The last current version that was served, and when (milliseconds), for use while storage is unavailable.
 */
interface LastServed<Of> {
  of: Of
  at: number
}
/** The last manifest numbers by place; the manifests themselves are in their own cache. */
const lastManifests = new BoundedMemory<LastServed<number>>({ cost: 1000, estimateCost: () => 1 })
/** The last pages by place and name; their bodies are in the cache of bodies. */
const lastPages = new BoundedMemory<LastServed<LastPage>>({ cost: 5000, estimateCost: () => 1 })
type LastPage = Pick<ManifestPage, 'hash' | 'status' | 'type' | 'styles' | 'shows'>

/** What to serve; `dataTime` is its date (milliseconds) if it is not current. */
interface ServedVersion<Of> {
  of: Of
  dataTime?: number
}

/** Whether a snapshot lists what is public: only then may something older than its manifest be served. */
const saysWhatIsPublic = ({ pages, insights }: Snapshot) => pages !== undefined && insights !== undefined

/**
 * The manifest of a snapshot, or the last one served where it cannot be read in time. Null for a hub that was
 * never published. Throws `StorageError` when there is neither.
 */
export async function readServedManifest(
  hubs: R2Bucket,
  snapshot: Snapshot,
  later?: BackgroundWork,
): Promise<ServedVersion<Manifest> | null> {
  const { placeId, manifest: n } = snapshot
  const manifest = rememberedManifest(placeId, n)
  const last = saysWhatIsPublic(snapshot) ? lastManifests.get(placeId) : undefined
  const other = last && last.of !== n ? rememberedManifest(placeId, last.of) : null
  const read = () => readManifest(hubs, placeId, n)
  const { value, isOther } = manifest
    ? toCurrentVersion(manifest)
    : await readOrOther(`${placeId} ${n}`, read, other, later)
  if (isOther && last && value) return { of: value, dataTime: last.at }
  if (snapshot.dataTime === undefined) lastManifests.put(placeId, { of: n, at: Date.now() })
  return value && { of: value }
}

/**
 * A text page with its body, or the last one served where it cannot be read in time, unless something it
 * shows was withdrawn. Throws `StorageError` when there is neither.
 */
export async function readServedPage(
  hubs: R2Bucket,
  snapshot: Snapshot,
  { name, path, page }: { name: string; path: string; page: ManifestPage },
  later?: BackgroundWork,
): Promise<ServedVersion<{ page: LastPage; body: string }>> {
  const { placeId } = snapshot
  const key = `${placeId} ${name}`
  const last = lastPages.get(key)
  const other = last && last.of.hash !== page.hash ? findLastBody(snapshot, path, last.of) : null
  const read = () => readBody(hubs, pageKey(placeId, page.hash))
  const body = bodies.peek(pageKey(placeId, page.hash))
  const { value, isOther } =
    body === undefined ? await readOrOther(`${key} ${page.hash}`, read, other, later) : toCurrentVersion(body)
  if (value === null) throw new StorageError(`The body of ${name} is not there.`)
  if (isOther && last) return { of: { page: last.of, body: value }, dataTime: last.at }
  const { hash, status, type, styles, shows } = page
  const of = { hash, status, type, styles, ...(shows && { shows }) }
  if (snapshot.dataTime === undefined) lastPages.put(key, { of, at: Date.now() })
  return { of: { page: of, body: value } }
}

const toCurrentVersion = <Value>(value: Value) => ({ value, isOther: false })

function findLastBody(snapshot: Snapshot, path: string, page: LastPage): string | null {
  const isShown = saysWhatIsPublic(snapshot) && verdictOn(snapshot, path, page) === 'shown'
  return isShown ? (bodies.peek(pageKey(snapshot.placeId, page.hash)) ?? null) : null
}

/** A stored body, cached in memory; null where it does not exist. */
export function readBody(hubs: R2Bucket, key: string): Promise<string | null> {
  return bodies.read(key, async () => {
    const object = await hubs.get(key)
    return object && object.text()
  })
}

/** The hub that a request is answered of, and its language. */
export interface PageServing {
  hubs: R2Bucket
  snapshot: Snapshot
  manifest: Manifest
  locale: Locale
  later: BackgroundWork | undefined
  /** The date of the manifest (milliseconds); undefined: current. */
  dataTime: number | undefined
}
