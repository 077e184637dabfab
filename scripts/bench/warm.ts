import { findFreePort, openWorker } from '../local.ts'
import { publishHubs } from '../publish-hub.ts'
import { aimAt, compareSpeeds } from './load.ts'
import { makeReportLine, type Line } from './measure.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld } from '#db/worlds/world.ts'
import { largeFrom } from '#functions/edge/answers/tiers.ts'
import { ingest } from '#functions/domain/records/ingest.ts'

/**
 * The entry in front of the built Worker: `/hello` answers at once; `/bare/cache` and `/bare/store` only read
 * the named body. `NO_CACHE`: the Cache API is always empty, as in a data centre without earlier requests.
 */
const before = `
  import worker from './index.js'
  const type = { 'content-type': 'application/json' }
  const own = { match: async () => undefined, put: async () => {} }
  let cache
  export default { ...worker, async fetch(request, env, execution) {
    if (!cache) {
      cache = caches.default
      if (env.NO_CACHE) Object.defineProperty(caches, 'default', { value: own })
    }
    const { pathname, search } = new URL(request.url)
    if (pathname === '/hello') return new Response('{"hello":"world"}', { headers: type })
    if (pathname === '/bare/cache') {
      const found = await cache.match('https://bare.test/' + search)
      return new Response(found.body, { headers: type })
    }
    if (pathname === '/bare/store') return new Response((await env.HUBS.get(search.slice(1))).body, { headers: type })
    if (pathname === '/keep') {
      const kept = new Response(request.body, { headers: { 'cache-control': 'public, max-age=3600' } })
      await cache.put('https://bare.test/' + search, kept)
      return new Response('kept')
    }
    return worker.fetch(request, env, execution)
  } }`

const records = 1500
const analytics =
  '/v1/places/oakton/sources/open/analytics?aggregations[0][alias]=n&aggregations[0][value][function]=count'
const page = '/v1/places/oakton/sources/open/data?limit=20'
const large = '/v1/places/oakton/sources/open/data?limit=1000'

/** Starts a Worker of its own on a small world. Returns its address. */
async function openWith(world: Awaited<ReturnType<typeof openWorld>>, vars: Record<string, string>) {
  const port = await findFreePort()
  const env = world.database.env
  const all = { APP_HOST: `127.0.0.1:${port}`, ...vars }
  const { worker, miniflare, close } = await openWorker({ env, port, folder: null, vars: all, before })
  await publishHubs(worker, env, ['oakton'])
  return { origin: `http://127.0.0.1:${port}`, miniflare, close }
}

async function readCacheState(url: string): Promise<string> {
  const response = await fetch(url)
  await response.arrayBuffer()
  return response.headers.get('server-timing') ?? ''
}

async function expectFrom(url: string, from: string) {
  const cacheState = await readCacheState(url)
  if (!cacheState.includes(`hit-${from}`))
    throw new Error(`${url} was not answered from ${from} but: ${cacheState}`)
}

/**
 * Measures repeated public answers: from the isolate's memory against a route of the same Worker that answers
 * at once; from the Cache API and from R2 against a Worker that only reads the same bytes there.
 */
export async function benchWarm(): Promise<Line[]> {
  const world = await openWorld(city)
  const long = 'x'.repeat(300)
  await ingest(
    world.as('system'),
    'open',
    Array.from({ length: records }, (_, i) => ({ type: `${long}${i}`, minutes: i })),
  )
  const lines: Line[] = []
  const add = (work: string, peer: string, [theirs = NaN, ours = NaN]: number[]) =>
    lines.push(
      makeReportLine({
        area: 'public analytics, warm',
        work,
        rows: null,
        ours,
        peer,
        theirs,
        unit: 'req/s',
        least: 0.8,
      }),
    )

  const hot = await openWith(world, {})
  for (const [work, path] of [
    ['an analytics answer from memory', analytics],
    ['a page of 20 records from memory', page],
  ] as const) {
    await readCacheState(`${hot.origin}${path}`)
    await expectFrom(`${hot.origin}${path}`, 'memory')
    add(
      work,
      'hello route',
      await compareSpeeds([aimAt(`${hot.origin}/hello`), aimAt(`${hot.origin}${path}`)]),
    )
  }
  await hot.close()

  const warm = await openWith(world, { ANSWER_MEMORY: '0' })
  const bytes = await (await fetch(`${warm.origin}${page}`)).arrayBuffer()
  await fetch(`${warm.origin}/keep?a`, { method: 'POST', body: bytes })
  await expectFrom(`${warm.origin}${page}`, 'cache')
  const bare = `${warm.origin}/bare/cache?a`
  add(
    'that page from the Cache API',
    'the bare read',
    await compareSpeeds([aimAt(bare), aimAt(`${warm.origin}${page}`)]),
  )
  await warm.close()

  const cold = await openWith(world, { ANSWER_MEMORY: '0', NO_CACHE: '1' })
  const size = (await (await fetch(`${cold.origin}${large}`)).arrayBuffer()).byteLength
  if (size < largeFrom) throw new Error(`${size} bytes are no large answer.`)
  await expectFrom(`${cold.origin}${large}`, 'store')
  const hubs = await cold.miniflare.getR2Bucket('HUBS')
  const [object] = (await hubs.list({ prefix: 'answers/' })).objects
  const storeUrl = `${cold.origin}/bare/store?${object?.key ?? ''}`
  add(
    `from R2 (${Math.round(size / 1000)} kB)`,
    'the bare read',
    await compareSpeeds([aimAt(storeUrl), aimAt(`${cold.origin}${large}`)]),
  )
  await cold.close()
  await world.close()
  return lines
}
