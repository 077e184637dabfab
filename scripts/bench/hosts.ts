import { takeTurns, makeReportLine, type Line } from './measure.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { settings } from '#db/worlds/world.ts'
import { resolve } from '#functions/edge/hub/resolve.ts'
import { readHost, writeSnapshot } from '#functions/edge/hub/snapshot.ts'

const hubs = 10_000
/** Look-ups timed together: a single one is shorter than the clock's resolution. */
const atOnce = 1000

/** Fills a bucket with so many hubs, each with a host of its own and its `www.` host. */
async function fillBucket(count: number) {
  const bucket = memoryBucket()
  for (let i = 0; i < count; i++) {
    const host = `hub-${i}.example`
    const snapshot = { placeId: `hub-${i}`, isHub: true, canonicalHost: host, manifest: 1, sources: {} }
    await writeSnapshot(bucket, host, snapshot)
    await writeSnapshot(bucket, `www.${host}`, { redirect: host })
  }
  return bucket
}

/** Resolves the hosts in turns; throws when one resolves to the wrong place. */
async function resolveEach(bucket: R2Bucket, hosts: readonly string[]) {
  for (let i = 0; i < atOnce; i++) {
    const host = hosts[i % hosts.length] ?? ''
    const address = await resolve(host, settings, (name) => readHost(bucket, name))
    if (!address || !('site' in address)) throw new Error(`${host} is not known.`)
  }
}

/**
 * Resolves a host to its place, with one hub and with 10,000: the same host again and again, which the
 * isolate caches for two seconds, and 10,000 hosts in turns, which are never cached. The bucket is in memory:
 * the look-up is measured, not the network behind it. Limits: a millisecond, and at most twice as long with
 * 10,000 hubs as with one.
 */
export async function benchHosts(): Promise<Line[]> {
  const [one, many] = [await fillBucket(1), await fillBucket(hubs)]
  const all = Array.from({ length: hubs }, (_, i) => `hub-${i}.example`)
  let turn = 0
  const pickNextHosts = () => all.slice((turn = (turn + atOnce) % hubs), turn + atOnce)
  const times = await takeTurns([
    { name: 'one', run: () => resolveEach(one, ['hub-0.example']) },
    { name: 'warm', run: () => resolveEach(many, ['hub-7777.example']) },
    { name: 'turns', run: () => resolveEach(many, pickNextHosts()) },
  ])
  const getTimePerHost = (name: string) => (times.get(name) ?? NaN) / atOnce
  const about = { area: 'hosts', rows: null, unit: 'ms' as const }
  const limit = { peer: 'the limit of 1 ms', theirs: 1, most: 1 }
  return [
    makeReportLine({
      ...about,
      work: 'host to place, warm, 10,000 hubs',
      ours: getTimePerHost('warm'),
      ...limit,
    }),
    makeReportLine({ ...about, work: '10,000 hosts in turns', ours: getTimePerHost('turns'), ...limit }),
    makeReportLine({
      ...about,
      work: 'host to place, warm, 10,000 hubs',
      ours: getTimePerHost('warm'),
      peer: 'the same with 1 hub',
      theirs: getTimePerHost('one'),
      most: 2,
    }),
  ]
}
