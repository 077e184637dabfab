import { PolledCache } from '#functions/platform/cache/polled.ts'
import { againMs, maxStaleMs, type BackgroundWork } from '#functions/platform/cache/stale.ts'
import type { HubLanguages } from '#functions/shapes/locale.ts'
import { hostname } from '#functions/engine/address/urls.ts'

/**
 * What the edge needs to know about a host before it can answer: one small object in R2 per host. Public
 * paths read only this, so they need no database, and unpublishing takes effect at once.
 */
export interface Snapshot {
  placeId: string
  isHub: boolean
  /** Host (with no port) that links and search engines should use. */
  canonicalHost: string
  /** The number of the manifest to serve; 0 until the hub is published for the first time. */
  manifest: number
  /** The languages of its pages, the default first; absent: all. */
  languages?: HubLanguages
  /** All sources, public and private: caches check it before they answer. */
  sources: Record<string, { version: number; public: boolean }>
  /** When it was read from the database, by its clock, in microseconds: the later of two counts. */
  at?: number
  /** When each domain of the place was connected, in seconds since 1970. */
  since?: Record<string, number>
  /** Ids of the public pages and insights: stored pages that show others are not served. */
  pages?: string[]
  insights?: string[]
  /**
   * Set only where the snapshot comes from memory because storage is unavailable: when it was last read
   * (milliseconds). Never stored.
   */
  dataTime?: number
}

/** A host that only redirects: from www to the one without, or the reverse. */
export interface Alias {
  /** The target host, without port. */
  redirect: string
  at?: number
}

/** A host of a closed place: nothing is served, and the host is not assigned to others. */
export interface ClosedHost {
  closed: true
  placeId: string
  /** The languages of its hub, the default first. */
  languages?: HubLanguages
  at?: number
}

type OfHost = Snapshot | Alias | ClosedHost

const isSnapshot = (hostObject: OfHost | null): hostObject is Snapshot =>
  hostObject !== null && !('redirect' in hostObject) && !('closed' in hostObject)

/** The objects of hosts, at most two seconds old in memory. */
const hosts = new PolledCache<OfHost | null>({
  name: 'host',
  freshMs: againMs,
  staleMs: maxStaleMs,
  bounds: { cost: 1000, estimateCost: () => 1 },
})

const key = (host: string) => `site/${host}.json`

/** The snapshot of a host; null for unknown hosts, closed ones and those that only redirect. At most two seconds old. */
export async function readSnapshot(
  hubs: R2Bucket,
  host: string,
  later?: BackgroundWork,
): Promise<Snapshot | null> {
  const hostObject = await readHost(hubs, host, later)
  return isSnapshot(hostObject) ? hostObject : null
}

/** Shortest interval, in milliseconds, between two reads of a host that bypass memory. */
const pastMemoryMs = 100

/** The current snapshot of a host, bypassing memory, for something that may be newer than the cached one. */
export async function readSnapshotAgain(hubs: R2Bucket, host: string): Promise<Snapshot | null> {
  hosts.expire(hostname(host), pastMemoryMs)
  return readSnapshot(hubs, host)
}

/**
 * The object of a host: its snapshot or redirect; null for unknown hosts and anything that is not a hostname
 * in lower case and punycode (IP addresses in brackets, wildcards, over-long names). At most two seconds old;
 * where storage does not answer in time, the one in memory with its date (`dataTime`), for 15 minutes. Throws
 * `StorageError` when there is none.
 */
export async function readHost(hubs: R2Bucket, host: string, later?: BackgroundWork): Promise<OfHost | null> {
  const name = hostname(host)
  if (!/^[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?$/.test(name)) return null
  const { value, readAt, isStale } = await hosts.read(name, () => loadHost(hubs, name), later)
  return isStale && isSnapshot(value) ? { ...value, dataTime: readAt } : value
}

async function loadHost(hubs: R2Bucket, name: string): Promise<OfHost | null> {
  const object = await hubs.get(key(name))
  return object ? object.json<OfHost>() : null
}

/**
 * Stores a snapshot, a redirect or that the host is closed, which every isolate reads within two seconds, unless a later one is stored
 * already: of concurrent writers the one that read the database last is right. Returns what was stored
 * before.
 */
export async function writeSnapshot(hubs: R2Bucket, host: string, snapshot: OfHost): Promise<OfHost | null> {
  const name = hostname(host)
  for (let tries = 0; tries < 5; tries += 1) {
    const old = await hubs.get(key(name))
    const before = old ? await old.json<OfHost>() : null
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

/** Deletes the object of a host; every isolate notices within two seconds. */
export async function removeSnapshot(hubs: R2Bucket, host: string): Promise<void> {
  const name = hostname(host)
  await hubs.delete(key(name))
  hosts.drop(name)
}
