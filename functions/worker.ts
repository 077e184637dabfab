import { at, databaseOf } from '#db/directory.ts'
import { answerAsked } from './edge/answers/ask.ts'
import { build } from './platform/build.ts'
import type { Made } from './edge/answers/entry.ts'
import { takeHits } from './edge/answers/hits.ts'
import type { Asked } from './engine/http/read-request.ts'
import type { Context, Message, Settings, Site } from './context.ts'
import { drained } from './api/drain.ts'
import { servePrepared } from './edge/files/serve.ts'
import { readMessage } from './jobs/messages.ts'
import { settingsOf, type Env } from './settings.ts'
import { serveBuildFile } from './edge/hub/build-files.ts'
import { resolve, sendOn, type Resolved } from './edge/hub/resolve.ts'
import { answerSearch, searchAsked } from './edge/search/search-api.ts'
import { readHost, readSnapshot, readSnapshotAgain } from './edge/hub/snapshot.ts'
import { secured, securityPath, securityText, strictTransport } from './edge/hub/transport.ts'
import { knownBucket, readingVerbs, StorageError } from '#functions/platform/storage.ts'
import { readBody } from './edge/hub/served.ts'
import { serveHub } from './edge/hub/static-hub.ts'
import { storageUnavailable } from './edge/hub/unavailable.ts'
import { hostname, placeHostnames } from './engine/address/urls.ts'
import { serveTiles } from './edge/tiles/serve.ts'

/**
 * The one entry. The public path (stored hub pages, tiles, assets, kept answers, prepared files) ends above the dynamic
 * imports: it loads neither React nor the router, neither Hono nor the identity library.
 */
export default {
  async fetch(request, env, execution) {
    const answered = answer(request, withKnownStorage(env), execution).catch((error: unknown) => {
      if (error instanceof StorageError) return secured(storageUnavailable(request), null)
      throw error
    })
    return drained(request, await answered)
  },

  /**
   * Messages only say that there is work: the outbox says what. Each is answered for by itself, since a throw would bring its
   * neighbours again as well: what failed comes again, what a newer code wrote waits for that, what nobody can read goes.
   */
  async queue(batch, env) {
    const { onMessages } = await import('./jobs/background.ts')
    const { reportIn } = await import('./api/request-context.ts')
    const read = batch.messages.map((message) => ({ message, said: readMessage(message.body) }))
    const known = read.flatMap(({ said }) => (said === null || said === 'later' ? [] : [said]))
    const failed = await onMessages(env, known)
    for (const { message, said } of read) {
      if (said === null)
        reportIn(env, new Error('A message says nothing known.'), { during: 'queue', message: message.id })
      if (said === 'later') message.retry({ delaySeconds: newerCodeSeconds })
      else if (said !== null && failed.has(said.kind)) message.retry()
      else message.ack()
    }
  },

  /** The sweeper: a message that was lost is sent again while the outbox has open events. */
  async scheduled(_event, env) {
    const { onMinute } = await import('./jobs/background.ts')
    await onMinute(env)
  },
} satisfies ExportedHandler<Env, Message>

/** How long a message of a newer code waits: a deployment takes about as long to be everywhere. */
const newerCodeSeconds = 60

/** The longest that reading something of the storage may take. */
const readMs = 10_000
const withKnown = new WeakMap<Env, Env>()

/** The environment with buckets whose reads that fail, or take too long, are known as failures of the storage. */
function withKnownStorage(env: Env): Env {
  const known = withKnown.get(env) ?? {
    ...env,
    FILES: knownBucket(env.FILES, readMs, readingVerbs),
    HUBS: knownBucket(env.HUBS, readMs, readingVerbs),
    TILES: knownBucket(env.TILES, readMs, readingVerbs),
  }
  withKnown.set(env, known)
  return known
}

/** The answer to a request, with what every answer says. */
async function answer(request: Request, env: Env, execution: ExecutionContext): Promise<Response> {
  const settings = settingsOf(env)
  // A Host header may hold anything; one that makes no address names no host.
  if (!URL.canParse(request.url)) return secured(new Response('Bad Request', { status: 400 }), null)
  const url = new URL(request.url)
  const later = (work: Promise<unknown>) => execution.waitUntil(work)
  const resolved = await resolve(url.host, settings, (host) => readHost(env.HUBS, host, later))
  const response = await answerAt(resolved, request, { env, settings, execution, url, later })
  const since = resolved && 'site' in resolved ? resolved.snapshot?.since?.[hostname(url.host)] : undefined
  return secured(response, strictTransport(url.host, settings, since ?? null, Date.now()))
}

/** The answer of what a host means. */
async function answerAt(
  resolved: Resolved,
  request: Request,
  {
    env,
    settings,
    execution,
    url,
    later,
  }: {
    env: Env
    settings: Settings
    execution: ExecutionContext
    url: URL
    later(work: Promise<unknown>): void
  },
): Promise<Response> {
  if (!resolved) return unknownHost()
  if (url.pathname === securityPath) return securityText(settings, new Date())
  if ('redirect' in resolved) return sendOn(resolved, url)

  const { site } = resolved
  const placeId = site.mode === 'hub' ? site.placeId : null
  if (placeId !== null && url.pathname === whosePath) return whose(placeId)
  if (url.pathname === '/beacon' && resolved.snapshot)
    return (await import('./jobs/usage/hub-usage.ts')).answerBeacon(
      request,
      env,
      execution,
      resolved.snapshot,
    )
  const prepared = await servePrepared(request, { files: env.FILES, hubs: env.HUBS, placeId })
  if (prepared) return taken(request, prepared, placeId, env, execution)
  const isApi = url.pathname === '/v1' || url.pathname.startsWith('/v1/')
  if (isApi) {
    const searched = await serveSearched(request, env, settings, site, execution)
    if (searched) return searched
    const live = (asked: Asked, made: Made) => answerLive(asked, { env, execution, site, url }, made)
    const ports = { env, settings, site, execution, live, count: () => countHits(env) }
    return taken(request, await answerAsked(request, ports), placeId, env, execution)
  }
  if (url.pathname === '/oembed') return oembed(request, env, { settings, site, execution })
  // A hub has a robots.txt of its own.
  const isOfHub = resolved.snapshot !== null && url.pathname === '/robots.txt'
  const fixed =
    (await serveTiles(request, env.TILES)) ??
    (isOfHub ? null : await serveBuildFile(request, { assets: env.ASSETS, hubs: env.HUBS }))
  if (fixed) return fixed
  if (/^\/t\/(?:points|shapes)\//.test(url.pathname))
    return serveRecords(request, env, { settings, site, execution })
  const kept = /^\/[ms]\//.test(url.pathname) ? await serveKept(request, env, settings) : null
  if (kept) return kept
  if (resolved.snapshot)
    return serveHub(request, resolved.snapshot, env.HUBS, {
      inVain: inVain(request, placeId, env, execution),
      again: () => readSnapshotAgain(env.HUBS, url.host),
      later,
    })
  if (url.pathname === '/outbox' && settings.environment !== 'production') {
    const { isOutboxShown, showOutbox } = await import('./jobs/local-outbox.ts')
    if (isOutboxShown(env, settings)) return showOutbox(env)
  }
  return answerLive(request, { env, execution, site, url })
}

interface Asking {
  env: Env
  execution: ExecutionContext
  site: Site
  url: URL
}

/** Answers by the tree of endpoints, or (what is not of `/v1`) by the pages. Notes in `made` what the answer is made of. */
async function answerLive(
  asked: Asked | Request,
  { env, execution, site, url }: Asking,
  made?: Made,
): Promise<Response> {
  const { openRequest } = await import('./api/request-context.ts')
  const { request, key } = asked instanceof Request ? { request: asked, key: null } : asked
  const opened = await openRequest(request, env, site, key)
  const { refused, ctx } = opened
  ctx.basis = async (versions, isOfNow = false) => {
    if (!made) return
    Object.assign(made.basis, versions)
    made.isOfNow ||= isOfNow
  }
  let hasChanged = false
  const { wake } = ctx
  ctx.wake = (kind, delaySeconds) => {
    hasChanged = true
    wake(kind, delaySeconds)
  }
  let response: Response
  if (refused) {
    const { refusal } = await import('./api/answer.ts')
    const { maintenanceInstead } = await import('./edge/hub/maintenance.ts')
    response = refusal(refused, ctx)
    if (asked instanceof Request) response = maintenanceInstead(asked, response)
  } else if (asked instanceof Request)
    response = await (await import('./api/live.ts')).renderLive(request, ctx)
  else response = await (await import('./v1/serve.ts')).serveV1(asked, ctx)
  if (!(asked instanceof Request) && response.status < 400) execution.waitUntil(count(env, ctx))
  if (hasChanged && !ofRecords.test(url.pathname)) execution.waitUntil(tellAtOnce(env, ctx))
  execution.waitUntil(opened.close())
  return response
}

/** Writes of records: there may be many a second, and they change no one's visibility. */
const ofRecords = /^\/v1\/.*\/(?:data|wipe)(?:\/|$)/

/** What is public of a place acts at once: the queue, which tells it too, may be busy with the pages of another hub. */
async function tellAtOnce(env: Env, { about }: Context) {
  if (about.placeId === null) return
  const { openSystem } = await import('./api/request-context.ts')
  const { writeEdges } = await import('./jobs/publish/edge.ts')
  const { ctx, close } = openSystem(at(env, databaseOf(env, about.placeId)))
  await writeEdges(ctx, [about.placeId])
  await close()
}

/** Counts a request of a place; now and then what was counted is written. */
async function count(env: Env, { about, now }: Context) {
  if (about.placeId === null) return
  const usage = await import('./jobs/usage/count.ts')
  usage.countRequest(now(), about.placeId, about.dataTypeId, about.isExport ? 'export' : 'request')
  await flush(env, now())
}

/** Counts the kept answers that were given lately. */
async function countHits(env: Env) {
  const now = new Date()
  const usage = await import('./jobs/usage/count.ts')
  for (const { placeId, dataTypeId, count } of takeHits(now.getTime()))
    usage.countRequest(now, placeId, dataTypeId, 'request', count)
  await flush(env, now)
}

async function flush(env: Env, now: Date) {
  const usage = await import('./jobs/usage/count.ts')
  if (!usage.isFlushDue(now)) return
  const { openSystem } = await import('./api/request-context.ts')
  const { ctx, close } = openSystem(env)
  await usage.flushUsage(ctx.db).catch((error: unknown) => ctx.report(error, { during: 'flushUsage' }))
  const { flushUse } = await import('./domain/dataset/fieldUse.ts')
  await flushUse(ctx.db).catch((error: unknown) => ctx.report(error, { during: 'flushUse' }))
  await close()
}

/** A file of a source; `/e/…` and what is prepared or made below `/v1`. */
const fileOfSource =
  /^\/(?:e|v1\/(?:places\/[\w-]+\/)?sources)\/([\w-]{1,64})\/(?:[\d.]+\/)?(?:data\.\w+|export(?:\.\w+)?)$/

/** Counts a file that was taken from a hub: whole, or its beginning. Gives the answer as it is. */
function taken(
  request: Request,
  response: Response,
  placeId: string | null,
  env: Env,
  execution: ExecutionContext,
): Response {
  const isBegun =
    response.status === 200 ||
    (response.status === 206 && response.headers.get('content-range')?.startsWith('bytes 0-'))
  if (placeId === null || request.method !== 'GET' || !isBegun) return response
  const sourceId = fileOfSource.exec(new URL(request.url).pathname)?.[1]
  const note = async (id: string) =>
    (await import('./jobs/usage/hub-usage.ts')).noteDownload(env, placeId, id)
  if (sourceId !== undefined) execution.waitUntil(note(sourceId))
  return response
}

/** Counts words that were searched for in vain on a hub's host. */
function inVain(request: Request, placeId: string | null, env: Env, execution: ExecutionContext) {
  return (text: string) => {
    if (placeId === null) return
    const note = async () =>
      (await import('./jobs/usage/hub-usage.ts')).noteFruitless(request, env, placeId, text)
    execution.waitUntil(note())
  }
}

/** What sites ask that show pages of ours by their addresses: from what is stored, of insights as `/v1` answers. */
async function oembed(
  request: Request,
  env: Env,
  { settings, site, execution }: { settings: Settings; site: Site; execution: ExecutionContext },
): Promise<Response> {
  const { serveOembed } = await import('./edge/hub/serve-oembed.ts')
  return serveOembed(request, {
    hubs: env.HUBS,
    settings,
    find: (host) => readSnapshot(env.HUBS, host),
    async ask(path) {
      const url = new URL(path, site.origin)
      const live = (asked: Asked, made: Made) => answerLive(asked, { env, execution, site, url }, made)
      return answerAsked(new Request(url), {
        env,
        settings,
        site,
        execution,
        live,
        count: () => countHits(env),
      })
    },
  })
}

/** What the search box of a hub asks, from the index of the hub; null for other questions and places without one. */
async function serveSearched(
  request: Request,
  env: Env,
  settings: Settings,
  site: Site,
  execution: ExecutionContext,
): Promise<Response | null> {
  const asked = searchAsked(request)
  if (!asked || (site.mode === 'hub' && site.placeId !== asked.placeId)) return null
  const [host = ''] = placeHostnames({ id: asked.placeId, domains: [] }, settings)
  const snapshot = await readSnapshot(env.HUBS, host)
  if (!snapshot?.isHub) return null
  const told = inVain(request, site.mode === 'hub' ? site.placeId : null, env, execution)
  return answerSearch(request, asked, snapshot, env.HUBS, readBody, told)
}

/** Tiles of records: what is kept of them is answered without the database. */
async function serveRecords(
  request: Request,
  env: Env,
  { settings, site, execution }: { settings: Settings; site: Site; execution: ExecutionContext },
): Promise<Response> {
  const { serveRecordTiles } = await import('./edge/tiles/records.ts')
  return serveRecordTiles(request, {
    hubs: env.HUBS,
    // Of the types only those of browsers know the name.
    cache: typeof caches === 'undefined' ? null : (caches as unknown as { default: Cache }).default,
    origin: `${settings.scheme}://${settings.appHost}`,
    build,
    waitUntil: (work) => execution.waitUntil(work),
    async ask(question) {
      const { tileMaker } = await import('./v1/recordTile.ts')
      const { openVisit } = await import('./api/request-context.ts')
      const { limiterOf } = await import('./platform/limits.ts')
      const make = tileMaker(async () => {
        const { ctx, close } = openVisit(request, env, site)
        ctx.limits = limiterOf(env)
        return { ctx, close: async () => execution.waitUntil(close()) }
      })
      return make(question)
    },
  })
}

/** Files of media libraries and short links: by their addresses alone, without the database. */
async function serveKept(request: Request, env: Env, settings: Settings): Promise<Response | null> {
  const { serveMedia } = await import('./edge/media/serve.ts')
  const { followLink } = await import('./edge/media/follow-link.ts')
  const ports = {
    files: env.FILES,
    ...settings,
    now: () => new Date(),
    fetchImage: settings.environment === 'production' ? fetch.bind(globalThis) : null,
  }
  return (await serveMedia(request, ports)) ?? followLink(request, env.HUBS, settings)
}

/** Where a host says whose it is: how one learns that an address leads to us, and to the right hub. */
const whosePath = '/.well-known/hub-place'

function whose(placeId: string): Response {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }
  return new Response(placeId, { headers })
}

/** A host that is nobody's: a page of its own, never cached. */
function unknownHost(): Response {
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"><title>Nothing here</title>
<style>body{font:1.0625rem/1.6 system-ui,sans-serif;max-width:34rem;margin:20vh auto;padding:0 1.5rem}</style></head><body><h1>There is no hub at this address</h1>
<p>The address may be misspelt, or its organisation has moved.</p></body></html>`
  return new Response(body, {
    status: 404,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
    },
  })
}
