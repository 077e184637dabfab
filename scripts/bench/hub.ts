import { city } from '#db/worlds/city.ts'
import { openWorld } from '#db/worlds/world.ts'
import { pageKey, pageName, readManifest, type Manifest } from '#functions/edge/hub/manifest.ts'
import { readSnapshot, type Snapshot } from '#functions/edge/hub/snapshot.ts'
import { createRequester } from '../crawl/crawler.ts'
import { findFreePort, openWorker } from '../local.ts'
import { publishHubs } from '../publish-hub.ts'
import { aimAt, compareSpeeds, type Aim } from './load.ts'
import { makeReportLine, type Line } from './measure.ts'
import { hubCounts, type Scale } from './scale.ts'

/**
 * The entry in front of the built Worker. `/bare/memory` answers a stored body from a variable, `/bare/store`
 * reads the named objects from R2 and answers the last: the least that a Worker must do. `/fill` stores
 * copies of objects.
 */
const before = `
  import worker from './index.js'
  const type = { 'content-type': 'text/html; charset=utf-8' }
  const kept = new Map()
  export default { ...worker, async fetch(request, env, execution) {
    const { hostname, pathname, searchParams } = new URL(request.url)
    if (hostname !== '127.0.0.1') return worker.fetch(request, env, execution)
    const keys = searchParams.getAll('key')
    if (pathname === '/bare/memory') {
      const [key] = keys
      if (!kept.has(key)) kept.set(key, await (await env.HUBS.get(key)).text())
      return new Response(kept.get(key), { headers: type })
    }
    if (pathname === '/bare/store') {
      const last = keys.pop()
      for (const key of keys) await (await env.HUBS.get(key)).json()
      return new Response((await env.HUBS.get(last)).body, { headers: type })
    }
    if (pathname === '/fill') {
      const { from, to, objects } = await request.json()
      for (let i = from; i < to; i += 1)
        await Promise.all(objects.map(([key, text]) => env.HUBS.put(key.replaceAll('§', i), text.replaceAll('§', i))))
      return new Response('filled')
    }
    return worker.fetch(request, env, execution)
  } }`

type Objects = [key: string, text: string][]
const least = 0.8
/** More text than the isolate's cache holds, which is 16 million characters of pages. */
const moreThanKept = 24_000_000
/**
 * The isolate caches 50 manifests. With fewer hubs than these all would be cached, and reading R2 would be no
 * fair peer.
 */
const moreThanManifests = 100

/** The published hub of the small world, from which the copies are made. */
interface Original {
  manifest: Manifest
  home: string
  snapshot: Snapshot
}

/** Starts a built Worker with hubs in its R2. */
async function openHub(env: Parameters<typeof openWorker>[0]['env']) {
  const port = await findFreePort()
  const origin = `http://127.0.0.1:${port}`
  const vars = { APP_HOST: `127.0.0.1:${port}`, PUBLIC_HOST: `localhost:${port}` }
  const { worker, miniflare, close } = await openWorker({ env, port, folder: null, vars, before })
  const fill = async (objects: Objects, from: number, to: number) => {
    for (let i = from; i < to; i += 100) {
      const body = JSON.stringify({ from: i, to: Math.min(to, i + 100), objects })
      const { status } = await fetch(`${origin}/fill`, { method: 'POST', body })
      if (status !== 200) throw new Error(`The hubs from ${i} on were not stored: ${status}.`)
    }
  }
  return {
    origin,
    port,
    env,
    worker,
    bucket: (await miniflare.getR2Bucket('HUBS')) as unknown as R2Bucket,
    fill,
    close,
  }
}

type BenchHub = Awaited<ReturnType<typeof openHub>>

/** Publishes the hub of the small world and reads its objects from R2. */
async function publishHub({ worker, env, bucket }: BenchHub): Promise<Original> {
  await publishHubs(worker, env, ['oakton'])
  const snapshot = await readSnapshot(bucket, 'oakton.localhost')
  const manifest = snapshot && (await readManifest(bucket, 'oakton', snapshot.manifest))
  const hash = manifest?.pages[homeName]?.hash ?? ''
  const home = await (await bucket.get(pageKey('oakton', hash)))?.text()
  if (!manifest || !home) throw new Error('The hub was not published.')
  return { manifest, home, snapshot }
}

const homeName = pageName('en', '/')

/** The objects of another hub with `§` in place of its number: copies of the original under other names. */
function copies({ manifest, home, snapshot }: Original): Objects {
  const placeId = 'hub-§'
  const hash = manifest.pages[homeName]?.hash ?? ''
  return [
    [
      `site/${placeId}.localhost.json`,
      JSON.stringify({ ...snapshot, placeId, canonicalHost: `${placeId}.localhost`, manifest: 1 }),
    ],
    [`hubs/${placeId}/manifests/1.json`, JSON.stringify({ ...manifest, placeId, number: 1 })],
    [pageKey(placeId, hash), home],
  ]
}

/** The paths at which the bare Worker reads the same objects. */
const buildBarePath = (route: string, keys: string[], n: number) =>
  `/bare/${route}?${keys.map((key) => `key=${encodeURIComponent(key.replaceAll('§', String(n)))}`).join('&')}`

const createRange = (count: number) => Array.from({ length: count }, (_, i) => i)

/**
 * The requests for the home pages of so many hubs, and those for the same objects read by the bare Worker.
 */
function homes({ origin, port }: BenchHub, objects: Objects, count: number): [bare: Aim, ours: Aim] {
  const keys = objects.map(([key]) => key)
  return [
    { origin, targets: createRange(count).map((n) => ({ path: buildBarePath('store', keys, n) })) },
    { origin, targets: createRange(count).map((n) => ({ path: '/', host: `hub-${n}.localhost:${port}` })) },
  ]
}

/**
 * Measures stored pages of hubs through the built Worker: from the isolate's cache, from R2, and with up to
 * 10,000 hubs in R2, each against a Worker that only reads the same bytes from the same store.
 */
export async function benchHub({ rows }: Scale): Promise<Line[]> {
  const world = await openWorld(city)
  const lines: Line[] = []
  const add = (
    work: string,
    peer: string,
    [theirs = NaN, ours = NaN]: number[],
    goal = true,
    note?: string,
  ) =>
    lines.push(
      makeReportLine({
        ...{ area: 'hub page', work, rows: null, ours, peer, theirs, unit: 'req/s' },
        ...(goal && { least }),
        ...(note && { note }),
      }),
    )
  const few = await openHub(world.database.env)
  const many = await openHub(world.database.env)
  try {
    const original = await publishHub(few)
    const objects = copies(original)
    const pageObject = objects[2]?.[0] ?? ''
    await few.fill(objects, 0, 1)
    const home: Aim = { origin: few.origin, targets: [{ path: '/', host: `hub-0.localhost:${few.port}` }] }
    const first = await createRequester(few.port, 'hub-0.localhost')('/')
    if (first.body.toString() !== original.home) throw new Error('The copy of the hub is not served.')
    const bare = aimAt(few.origin + buildBarePath('memory', [pageObject], 0))
    const size = `${Math.round(original.home.length / 1000)} kB`
    add(
      `a stored page from memory (${size})`,
      'a Worker answering from memory',
      await compareSpeeds([bare, home]),
    )

    const { aims, pages } = await coldPages(few, original)
    const note = `${pages} pages in turns`
    add('a stored page from R2', 'a Worker reading it from R2', await compareSpeeds(aims), true, note)

    let storedCount = 0
    for (const count of hubCounts(rows)) {
      await many.fill(objects, storedCount, count)
      storedCount = count
      const hubCount = `${count.toLocaleString('en')} ${count === 1 ? 'hub' : 'hubs'}`
      const sameHub: Aim = {
        origin: many.origin,
        targets: [{ path: '/', host: `hub-0.localhost:${many.port}` }],
      }
      add(`one home, ${hubCount} stored`, 'the same with 1 hub', await compareSpeeds([home, sameHub], 3))
      if (count < moreThanManifests) continue
      const manyHubs = await compareSpeeds(homes(many, objects, count), 3)
      add(`homes of ${hubCount} in turns`, 'a Worker reading the same three objects from R2', manyHubs)
    }
  } finally {
    await few.close()
    await many.close()
    await world.close()
  }
  return lines
}

/** Measures a hub with more pages than an isolate caches, so that each is read from R2. */
async function coldPages(on: BenchHub, { manifest, home, snapshot }: Original) {
  const pages = Math.ceil(moreThanKept / home.length)
  const placeId = 'cold'
  const host = `${placeId}.localhost`
  const about = manifest.pages[homeName]
  if (!about) throw new Error('There is no home.')
  const all = createRange(pages).map((n) => [pageName('en', `/${n}`), { ...about, hash: `page-${n}` }])
  const cold: Objects = [
    [`site/${host}.json`, JSON.stringify({ ...snapshot, placeId, canonicalHost: host, manifest: 1 })],
    [
      `hubs/${placeId}/manifests/1.json`,
      JSON.stringify({ placeId, number: 1, pages: Object.fromEntries(all) }),
    ],
  ]
  await on.fill(cold, 0, 1)
  const key = pageKey(placeId, 'page-§')
  await on.fill([[key, home]], 0, pages)
  const { origin, port } = on
  const aims: Aim[] = [
    { origin, targets: createRange(pages).map((n) => ({ path: buildBarePath('store', [key], n) })) },
    { origin, targets: createRange(pages).map((n) => ({ path: `/${n}`, host: `${host}:${port}` })) },
  ]
  return { aims, pages }
}
