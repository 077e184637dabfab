import { drainBody } from './api/drain.ts'
import type { Message } from './context.ts'
import { resolve, sendOn } from './edge/hub/resolve.ts'
import { readHost } from './edge/hub/snapshot.ts'
import { secureResponse, securityPath, securityText, strictTransport } from './edge/hub/transport.ts'
import { answerByRoute, type EdgeRequest } from './edge/routes.ts'
import { hostname } from './engine/address/urls.ts'
import { readMessage } from './jobs/messages.ts'
import { answerLive } from './live/answer.ts'
import { portsFor } from './live/ports.ts'
import { wrapBucket, readingVerbs, StorageError } from './platform/storage.ts'
import { getSettings, type Env } from './settings.ts'

/**
 * The one entry. What is answered without a database (`edge/routes.ts`) ends above the dynamic imports: it loads neither React nor
 * the router, neither Hono nor the identity library.
 */
export default {
  async fetch(request, env, execution) {
    const response = answer(request, withKnownStorage(env), execution).catch(async (error: unknown) => {
      if (!(error instanceof StorageError)) throw error
      const { storageUnavailable } = await import('./edge/hub/unavailable.ts')
      return secureResponse(storageUnavailable(request), null)
    })
    return drainBody(request, await response)
  },

  /**
   * Messages only say that there is work: the outbox says what. Each is answered for by itself, since a throw would bring its
   * neighbours again as well: what failed comes again, what a newer code wrote waits for that, what nobody can read goes.
   */
  async queue(batch, env) {
    const { onMessages } = await import('./jobs/background.ts')
    const { reportIn } = await import('./api/request-context.ts')
    const parsed = batch.messages.map((message) => ({ message, said: readMessage(message.body) }))
    const readable = parsed.flatMap(({ said: content }) =>
      content === null || content === 'later' ? [] : [content],
    )
    const failedKinds = await onMessages(env, readable)
    for (const { message, said: result } of parsed) {
      if (result === null)
        reportIn(env, new Error('A message says nothing known.'), { during: 'queue', message: message.id })
      if (result === 'later') message.retry({ delaySeconds: newerCodeSeconds })
      else if (result !== null && failedKinds.has(result.kind)) message.retry()
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
  const bindings = withKnown.get(env) ?? {
    ...env,
    FILES: wrapBucket(env.FILES, readMs, readingVerbs),
    HUBS: wrapBucket(env.HUBS, readMs, readingVerbs),
    TILES: wrapBucket(env.TILES, readMs, readingVerbs),
  }
  withKnown.set(env, bindings)
  return bindings
}

/** The answer to a request, with what every answer says. */
async function answer(request: Request, env: Env, execution: ExecutionContext): Promise<Response> {
  const settings = getSettings(env)
  // A Host header may hold anything; one that makes no address names no host.
  if (!URL.canParse(request.url)) return secureResponse(new Response('Bad Request', { status: 400 }), null)
  const url = new URL(request.url)
  const resolved = await resolve(url.host, settings, (host) =>
    readHost(env.HUBS, host, (work) => execution.waitUntil(work)),
  )
  const since = resolved && 'site' in resolved ? resolved.snapshot?.since?.[hostname(url.host)] : undefined
  const secure = (response: Response) =>
    secureResponse(response, strictTransport(url.host, settings, since ?? null, Date.now()))
  if (!resolved) return secure((await import('./edge/hub/unknown-host.ts')).serveUnknownHost(url))
  if (url.pathname === securityPath) return secure(securityText(settings, new Date()))
  if ('redirect' in resolved) return secure(sendOn(resolved, url))
  if ('closed' in resolved)
    return secure((await import('./edge/hub/closed-host.ts')).serveClosedHost(request, resolved))
  const { site, snapshot } = resolved
  const placeId = site.mode === 'hub' ? site.placeId : null
  const edgeRequest = { request, url, env, settings, site, placeId, snapshot, execution }
  return secure(await answerSite(edgeRequest))
}

/** By a route of the edge, else by the database. */
async function answerSite(edgeRequest: EdgeRequest): Promise<Response> {
  const { request, url, env, settings, site, placeId, execution } = edgeRequest
  const match = await answerByRoute(edgeRequest, portsFor(edgeRequest))
  if (match) {
    const { downloaded, response } = match
    if (downloaded !== null && placeId !== null) {
      const recordFileDownload = async () =>
        (await import('./jobs/usage/hub-usage.ts')).recordDownload(env, placeId, downloaded)
      execution.waitUntil(recordFileDownload())
    }
    return response
  }
  if (url.pathname === '/outbox' && settings.environment !== 'production') {
    const { isOutboxShown, showOutbox } = await import('./jobs/local-outbox.ts')
    if (isOutboxShown(env, settings)) return showOutbox(env)
  }
  return answerLive(request, { env, execution, site })
}
