import { PolledCache } from '#functions/platform/cache/polled.ts'
import { againMs, mostStaleMs, type Later } from '#functions/platform/cache/stale.ts'
import type { HubLanguages } from '#functions/shapes/locale.ts'
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
  /** The languages of its pages, its own first; absent: all. */
  languages?: HubLanguages
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

/** What is known of hosts: from memory it is at most two seconds old. */
const hosts = new PolledCache<Snapshot | Alias | null>({
  name: 'host',
  freshMs: againMs,
  staleMs: mostStaleMs,
  bounds: { cost: 1000, costOf: () => 1 },
})

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
  hosts.expire(hostname(host), pastMemoryMs)
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
  const { value, readAt, isStale } = await hosts.read(name, () => loadHost(hubs, name), later)
  return isStale && value && !('redirect' in value) ? { ...value, asOf: readAt } : value
}

async function loadHost(hubs: R2Bucket, name: string): Promise<Snapshot | Alias | null> {
  const object = await hubs.get(key(name))
  return object ? object.json<Snapshot | Alias>() : null
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
    const object = await hubs.put(key(name), JSON.stringify(snapshot), {
      httpMetadata: { contentType: 'application/json' },
      onlyIf: old ? { etagMatches: old.etag } : { etagDoesNotMatch: '*' },
    })
    hosts.drop(name)
    if (object !== null) return before
  }
  throw new Error(`The snapshot of ${name} could not be written: others write it all the time.`)
}

/** Makes a host nobody's again: every isolate knows within two seconds. */
export async function removeSnapshot(hubs: R2Bucket, host: string): Promise<void> {
  const name = hostname(host)
  await hubs.delete(key(name))
  hosts.drop(name)
}
