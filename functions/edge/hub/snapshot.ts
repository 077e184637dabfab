import { StorageError } from '#functions/platform/storage.ts'
import { readOnce } from '#functions/platform/cache/read-once.ts'
import { againMs, mostStaleMs, readInTime, type Later } from './stale.ts'
import { hostname } from '#functions/engine/address/urls.ts'

/**
 * What the edge must know about a host before it answers: one small object in R2 per host. Public paths read
 * only this, so they need no database, and unpublishing acts at once.
 */
export interface Snapshot {
  placeId: string
  isHub: boolean
  /** Host (with no port) that links and search engines should use. */
  canonicalHost: string
  /** Which manifest is served; 0 until the hub was published for the first time. */
  manifest: number
  /** Public and private sources alike: the caches ask before they answer. */
  sources: Record<string, { version: number; public: boolean }>
  /** When it was read, by the database's clock, in microseconds: of two, the later one counts. */
  at?: number
  /** When each domain of the place was connected, in seconds of the epoch. */
  since?: Record<string, number>
  /** The pages and insights that are public now, by id: what a stored page shows of others is served no more. */
  pages?: string[]
  insights?: string[]
  /** Only where it cannot be read just now and memory is given instead: when it was read last (ms). Never stored. */
  asOf?: number
}

/** What the edge knows of a host that only leads on: with www to the one without, or the reverse. */
export interface Alias {
  /** The host to go to, with no port. */
  redirect: string
  at?: number
}

interface Remembered {
  known: Snapshot | Alias | null
  /** When it was read last, and when that was tried last (ms): the same, unless it failed. */
  readAt: number
  triedAt: number
}

/** An answer from memory may be this old. */
const memoMs = againMs
const memoSize = 1000
const memo = new Map<string, Remembered>()

const key = (host: string) => `site/${host}.json`

/** The snapshot of a host; null for hosts we do not know, and for those that only lead on. At most two seconds old. */
export async function readSnapshot(hubs: R2Bucket, host: string, later?: Later): Promise<Snapshot | null> {
  const known = await readHost(hubs, host, later)
  return known && !('redirect' in known) ? known : null
}

/** No sooner than this is a host read again past the memory, however often something is asked that it does not know. */
const pastMemoryMs = 100

/** The snapshot of a host as it is now: for what may be newer than what is remembered. */
export async function readSnapshotAgain(hubs: R2Bucket, host: string): Promise<Snapshot | null> {
  const kept = memo.get(hostname(host))
  if (kept && Date.now() - kept.triedAt >= pastMemoryMs) kept.triedAt = -Infinity
  return readSnapshot(hubs, host)
}

/**
 * What is known of a host: its snapshot, or where it leads on to; null for hosts we do not know, among them whatever is no
 * host name in lower case and punycode (IP addresses in brackets, wildcards, over-long names). At most two seconds old; where it
 * cannot be read in time what memory has, as `asOf` says, for 15 minutes. Throws `StorageError` when there is nothing of these.
 */
export async function readHost(
  hubs: R2Bucket,
  host: string,
  later?: Later,
): Promise<Snapshot | Alias | null> {
  const name = hostname(host)
  if (!/^[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?$/.test(name)) return null
  const kept = memo.get(name)
  if (kept && Date.now() - kept.triedAt < memoMs) return remembered(kept)
  const read = () =>
    readOnce(key(name), async () => {
      const object = await hubs.get(key(name))
      const known = object ? await object.json<Snapshot | Alias>() : null
      remember(name, known)
      return known
    })
  const found = await readInTime(read, kept !== undefined && isGiven(kept), later)
  if (found) return found.value
  if (!kept) throw unreadable()
  kept.triedAt = Date.now()
  return remembered(kept)
}

const unreadable = () => new StorageError('What is known of the host cannot be read.')

function remember(name: string, known: Snapshot | Alias | null): void {
  const now = Date.now()
  // One that began earlier and came later says nothing of now.
  if ((memo.get(name)?.known?.at ?? 0) > (known?.at ?? Infinity)) return
  if (memo.size >= memoSize) memo.delete(memo.keys().next().value ?? '')
  memo.delete(name)
  memo.set(name, { known, readAt: now, triedAt: now })
}

/** Whether what is remembered may be given though it cannot be read. That a host is nobody's may have changed. */
const isGiven = ({ known, readAt }: Remembered) => known !== null && Date.now() - readAt <= mostStaleMs

function remembered(kept: Remembered): Snapshot | Alias | null {
  const { known, readAt, triedAt } = kept
  if (readAt === triedAt) return known
  if (!isGiven(kept)) throw unreadable()
  if (known && !('redirect' in known)) known.asOf = readAt
  return known
}

/**
 * Makes a snapshot, or where the host leads on to, what every isolate will read within two seconds; unless a later one is
 * there already, since several may write at once and who has read last is right. Gives what was there before.
 */
export async function writeSnapshot(
  hubs: R2Bucket,
  host: string,
  snapshot: Snapshot | Alias,
): Promise<Snapshot | Alias | null> {
  const name = hostname(host)
  for (let tries = 0; tries < 5; tries += 1) {
    const old = await hubs.get(key(name))
    const before = old ? await old.json<Snapshot | Alias>() : null
    if (snapshot.at !== undefined && (before?.at ?? 0) > snapshot.at) return before
    const written = await hubs.put(key(name), JSON.stringify(snapshot), {
      httpMetadata: { contentType: 'application/json' },
      onlyIf: old ? { etagMatches: old.etag } : { etagDoesNotMatch: '*' },
    })
    memo.delete(name)
    if (written !== null) return before
  }
  throw new Error(`The snapshot of ${name} could not be written: others write it all the time.`)
}

/** Makes a host nobody's again: every isolate knows within two seconds. */
export async function removeSnapshot(hubs: R2Bucket, host: string): Promise<void> {
  const name = hostname(host)
  await hubs.delete(key(name))
  memo.delete(name)
}
