import type { Context, Message, Settings, Site } from './context.ts'
import { settingsOf, type Env } from './settings.ts'
import { resolve } from './site/resolve.ts'
import { readSnapshot } from './site/snapshot.ts'
import { serveHub } from './site/static-hub.ts'
import { serveTiles } from './tiles/serve.ts'

/**
 * The one entry. The public path (stored hub pages, tiles, assets) ends above the dynamic imports: it loads
 * neither React nor the router, neither Hono nor the identity library.
 */
export default {
  async fetch(request, env, execution) {
    const settings = settingsOf(env)
    const url = new URL(request.url)
    const resolved = await resolve(url.host, settings, (host) => readSnapshot(env.HUBS, host))
    if (!resolved) return unknownHost()
    if ('redirect' in resolved) return Response.redirect(resolved.redirect, 302)

    const fixed = (await serveTiles(request, env.TILES)) ?? (await serveAsset(request, url, env))
    if (fixed) return fixed
    const kept = /^\/[ms]\//.test(url.pathname) ? await serveKept(request, env, settings) : null
    if (kept) return kept
    const isApi = url.pathname === '/v1' || url.pathname.startsWith('/v1/')
    if (resolved.snapshot && !isApi) return serveHub(request, resolved.snapshot, env.HUBS)

    const { openRequest } = await import('./request-context.ts')
    // A key may be in the body of a rewritten GET, so the request is read before it is known who asks.
    const asked = isApi ? await (await import('./api/asked.ts')).readAsked(request) : null
    const opened = await openRequest(request, env, resolved.site, asked?.key)
    const { refused, ctx } = opened
    let response: Response
    if (refused) response = (await import('./api/answer.ts')).refusal(refused, ctx)
    else if (asked) response = await (await import('./v1/serve.ts')).serveV1(asked, ctx)
    else if (url.pathname === '/outbox' && settings.environment !== 'production') response = await outbox(env)
    else response = await (await import('./live.ts')).renderLive(request, ctx)
    if (asked && response.status < 400) execution.waitUntil(count(env, ctx))
    execution.waitUntil(opened.close())
    return response
  },

  /** Messages only say that there is work: the outbox says what. A throw would push innocent neighbours away. */
  async queue(batch, env) {
    const places = new Set<string>()
    for (const { body } of batch.messages) if (body.kind === 'hub' && body.placeId) places.add(body.placeId)
    await publish(env, [...places])
    batch.ackAll()
  },

  /** The sweeper: a message that was lost is sent again while the outbox has open events. */
  async scheduled(event, env) {
    const { openSystem, wake } = await import('./request-context.ts')
    const { ctx, close } = openSystem(env)
    const { openEvents } = await import('./domain/outbox-reader.ts')
    if ((await openEvents(ctx)).length > 0) await wake(env)
    await deliver(env)
    if (isDaily(event.scheduledTime)) await daily(ctx)
    await close()
  },
} satisfies ExportedHandler<Env, Message>

/** Counts a request of a place; now and then what was counted is written. */
async function count(env: Env, { about, now, report }: Context) {
  if (about.placeId === null) return
  const usage = await import('./usage/count.ts')
  usage.countRequest(now(), about.placeId, about.dataTypeId, about.isExport ? 'export' : 'request')
  if (!usage.isFlushDue(now())) return
  const { openSystem } = await import('./request-context.ts')
  const { ctx, close } = openSystem(env)
  await usage.flushUsage(ctx.db).catch((error: unknown) => report(error, { during: 'flushUsage' }))
  await close()
}

/** Cron ticks every minute; what is due once a day is done at 03:07 UTC. */
function isDaily(time: number): boolean {
  const at = new Date(time)
  return at.getUTCHours() === 3 && at.getUTCMinutes() === 7
}

/** What is done once a day: what has run out goes, today's figures are written down, hosts are looked at again. */
async function daily(ctx: Context) {
  const { sweepIdentity } = await import('./identity/sweep.ts')
  const { forgetKept } = await import('./api/once.ts')
  const { sweepActivities } = await import('./domain/activities.ts')
  const { sweepFiles } = await import('./domain/filesSweep.ts')
  const { snapshotUsage } = await import('./domain/usageSnapshot.ts')
  const { recheckDomains } = await import('./domain/domainChecks.ts')
  const jobs: Record<string, () => Promise<unknown>> = {
    sweepIdentity: () => sweepIdentity(ctx.db),
    forgetKept: () => forgetKept(ctx),
    sweepActivities: () => sweepActivities(ctx),
    sweepFiles: () => sweepFiles(ctx),
    snapshotUsage: () => snapshotUsage(ctx),
    recheckDomains: () => recheckDomains(ctx),
  }
  // One that fails keeps none of the others from being done.
  for (const [during, job] of Object.entries(jobs)) {
    try {
      await job()
    } catch (error) {
      ctx.report(error, { during })
    }
  }
}

async function publish(env: Env, places: string[]) {
  const { openSystem } = await import('./request-context.ts')
  const { publishOutbox } = await import('./site/publish.ts')
  const { ctx, close } = openSystem(env)
  const log = (line: string) => console.log(`prerender: ${line}`)
  await publishOutbox(ctx, visitor(env), log, places)
  await deliver(env)
  await close()
}

/** Sends the letters that wait, where a provider is configured. */
async function deliver(env: Env) {
  const { deliverMail, providerOf } = await import('./domain/mail.ts')
  const provider = providerOf(env, settingsOf(env).mailFrom)
  if (!provider) return
  const { openSystem } = await import('./request-context.ts')
  const { ctx, close } = openSystem(env)
  await deliverMail(ctx.db, provider, ctx.fetch)
  await close()
}

/** The letters that would have been sent: only where no letter leaves the machine. */
async function outbox(env: Env): Promise<Response> {
  const { newestMail, outboxPage } = await import('./domain/mail.ts')
  const { openSystem } = await import('./request-context.ts')
  const { ctx, close } = openSystem(env)
  const body = outboxPage(await newestMail(ctx.db))
  await close()
  return new Response(body, {
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  })
}

/** Visits a hub page as the anonymous public would, through the same routes and loaders as any live page. */
function visitor(env: Env) {
  const { scheme } = settingsOf(env)
  return async ({ placeId, canonicalHost }: { placeId: string; canonicalHost: string }, path: string) => {
    const origin = `${scheme}://${canonicalHost}`
    const site: Site = { mode: 'hub', host: canonicalHost, origin, placeId, canonicalHost }
    const { openVisit, prerenderAgent } = await import('./request-context.ts')
    const request = new Request(`${origin}${path}`, { headers: { 'user-agent': prerenderAgent } })
    const { ctx, attachments, close } = openVisit(request, env, site)
    const { renderLive } = await import('./live.ts')
    const response = await renderLive(request, ctx)
    const body = await response.text()
    await close()
    const files = [...attachments].map(([name, file]) => ({ name, ...file }))
    const type = response.headers.get('content-type') ?? 'text/html; charset=utf-8'
    return { status: response.status, type, body, tags: [...ctx.depends], files }
  }
}

/** Files of media libraries and short links: by their addresses alone, without the database. */
async function serveKept(request: Request, env: Env, settings: Settings): Promise<Response | null> {
  const { serveMedia } = await import('./media/serve.ts')
  const { followLink } = await import('./media/short-link.ts')
  const ports = {
    files: env.FILES,
    secret: settings.authSecret,
    now: () => new Date(),
    fetchImage: settings.environment === 'production' ? fetch.bind(globalThis) : null,
  }
  return (await serveMedia(request, ports)) ?? followLink(request, env.HUBS, settings)
}

const assetPath = /^\/(?:assets|hub|fonts)\/|^\/(?:favicon\.(?:ico|svg)|robots\.txt|[a-z-]+\.webmanifest)$/

async function serveAsset(request: Request, url: URL, env: Env): Promise<Response | null> {
  if (!assetPath.test(url.pathname)) return null
  const found = await env.ASSETS.fetch(request)
  if (found.status === 404)
    return new Response('Not Found', { status: 404, headers: { 'cache-control': 'no-store' } })
  const response = new Response(found.body, found)
  response.headers.set('x-content-type-options', 'nosniff')
  const isHashed = url.pathname.startsWith('/assets/') || url.pathname.startsWith('/hub/')
  response.headers.set(
    'cache-control',
    isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
  )
  return response
}

/** A host that is nobody's: a page of its own, never cached. */
function unknownHost(): Response {
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Nothing here</title></head><body><h1>There is no hub at this address</h1>
<p>The address may be misspelt, or its organisation has moved.</p></body></html>`
  return new Response(body, {
    status: 404,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  })
}
