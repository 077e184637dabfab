import { BoundedMemory } from '#functions/platform/cache/bounded-memory.ts'
import { pageKey, readManifest, rememberedManifest, type Manifest, type ManifestPage } from './manifest.ts'
import { StorageError } from '#functions/platform/storage.ts'
import { ImmutableCache } from '#functions/platform/cache/immutable.ts'
import type { Snapshot } from './snapshot.ts'
import { readOrOther, type Later } from '#functions/platform/cache/stale.ts'
import { verdictOn } from './withdrawn.ts'

/** Bodies kept in the isolate; the sum of their lengths stays below this many characters. */
const bodies = new ImmutableCache<string>({ cost: 16_000_000, costOf: (body) => body.length })

/** What was served last and was of now then (ms), to be served again where what is of now cannot be read. */
interface Last<Of> {
  of: Of
  at: number
}
/** The manifests of hubs, by their places; they themselves are in the memory of manifests. */
const lastManifests = new BoundedMemory<Last<number>>({ cost: 1000, costOf: () => 1 })
/** Pages, by place and name; their bodies are in the memory of bodies. */
const lastPages = new BoundedMemory<Last<LastPage>>({ cost: 5000, costOf: () => 1 })
type LastPage = Pick<ManifestPage, 'hash' | 'status' | 'type' | 'styles' | 'shows'>

/** What is served, and of when that is where it is not of now (ms). */
interface Served<Of> {
  of: Of
  asOf?: number
}

/** Whether a snapshot says what is public: only then may something older than its manifest be served. */
const saysWhatIsPublic = ({ pages, insights }: Snapshot) => pages !== undefined && insights !== undefined

/**
 * The manifest of a snapshot; where it cannot be read in time the one that was served last. Null for a hub that was never published.
 * Throws `StorageError` when there is neither.
 */
export async function servedManifest(
  hubs: R2Bucket,
  snapshot: Snapshot,
  later?: Later,
): Promise<Served<Manifest> | null> {
  const { placeId, manifest: n } = snapshot
  const held = rememberedManifest(placeId, n)
  const last = saysWhatIsPublic(snapshot) ? lastManifests.get(placeId) : undefined
  const other = last && last.of !== n ? rememberedManifest(placeId, last.of) : null
  const read = () => readManifest(hubs, placeId, n)
  const { value, isOther } = held ? ofNow(held) : await readOrOther(`${placeId} ${n}`, read, other, later)
  if (isOther && last && value) return { of: value, asOf: last.at }
  if (snapshot.asOf === undefined) lastManifests.put(placeId, { of: n, at: Date.now() })
  return value && { of: value }
}

/**
 * A page of text with its body; where that cannot be read in time the page as it was served last, unless what it was about or showed is not
 * public any more. Throws `StorageError` when there is neither.
 */
export async function servedPage(
  hubs: R2Bucket,
  snapshot: Snapshot,
  { name, path, page }: { name: string; path: string; page: ManifestPage },
  later?: Later,
): Promise<Served<{ page: LastPage; body: string }>> {
  const { placeId } = snapshot
  const key = `${placeId} ${name}`
  const last = lastPages.get(key)
  const other = last && last.of.hash !== page.hash ? lastBody(snapshot, path, last.of) : null
  const read = () => readBody(hubs, pageKey(placeId, page.hash))
  const held = bodies.peek(pageKey(placeId, page.hash))
  const { value, isOther } =
    held === undefined ? await readOrOther(`${key} ${page.hash}`, read, other, later) : ofNow(held)
  if (value === null) throw new StorageError(`The body of ${name} is not there.`)
  if (isOther && last) return { of: { page: last.of, body: value }, asOf: last.at }
  const { hash, status, type, styles, shows } = page
  const of = { hash, status, type, styles, ...(shows && { shows }) }
  if (snapshot.asOf === undefined) lastPages.put(key, { of, at: Date.now() })
  return { of: { page: of, body: value } }
}

const ofNow = <Value>(value: Value) => ({ value, isOther: false })

function lastBody(snapshot: Snapshot, path: string, page: LastPage): string | null {
  const isShown = saysWhatIsPublic(snapshot) && verdictOn(snapshot, path, page) === 'shown'
  return isShown ? (bodies.peek(pageKey(snapshot.placeId, page.hash)) ?? null) : null
}

/** A stored body, from memory where it was read lately; null for one that is gone. */
export function readBody(hubs: R2Bucket, key: string): Promise<string | null> {
  return bodies.read(key, async () => {
    const object = await hubs.get(key)
    return object && object.text()
  })
}
