import { connect } from '#db/connect.ts'
import { withHomeDatabase, databases, UnknownDatabaseError } from '#db/directory.ts'
import { toIdentity } from '#functions/domain/access/identity.ts'
import { cookiesNamed } from '#functions/domain/identity/cookie.ts'
import { anonymous, system, type Actor, type Context, type Message, type Site } from '#functions/context.ts'
import { sendMail } from '#functions/domain/email/email-outbox.ts'
import { Failure } from '#functions/errors.ts'
import { chooseHosts } from '#functions/platform/hosts/index.ts'
import { createLimiter } from '#functions/platform/limits.ts'
import { logLine } from '#functions/platform/redact.ts'
import { findRequestPlace } from './request-place.ts'
import { getSettings, type Env } from '#functions/settings.ts'
import { fileName } from '#functions/engine/address/file-names.ts'
import { personalAccount, placeCookie } from '#functions/shapes/place-cookie.ts'

/** The user agent that renders the stored pages; not counted as a visitor. */
export const prerenderAgent = 'Commonplace-Prerender/1'

export interface OpenedRequest {
  ctx: Context
  /** Why the client's key was rejected; null where it was not. */
  rejection: unknown
  /** Files the answer refers to, by name; only the prerender stores them. */
  attachments: Map<string, { type: string; body: string }>
  /** Closes what the request opened. Call once, after the response is complete. */
  close(): Promise<void>
}

/**
 * The Context of a visitor's request: the actor from its cookie or key (`key`: the one in the query string, or null),
 * the active place, the site of the host; on the database of the place of the request. Failure `unavailable` where that
 * database is not configured.
 */
export async function openRequest(
  request: Request,
  env: Env,
  site: Site,
  key: string | null = null,
): Promise<OpenedRequest> {
  // Hub hosts have no session.
  if (site.mode === 'hub') return limit(env, locate(env, site, anonymous, request))
  const { identifyActor } = await import('#functions/domain/identity/actor.ts')
  const responseHeaders = new Headers()
  const writes: Promise<unknown>[] = []
  const awaitOnClose = (work: Promise<unknown>) => void writes.push(work.catch(() => {}))
  try {
    const reading = { settings: getSettings(env), responseHeaders, later: awaitOnClose }
    // The actor is not known yet, so the product itself does the look-up.
    const actorIn = (database: Env) =>
      identifyActor(request.headers, key, connect(database, toIdentity(system)).db, reading)
    const actor = await actorIn(env).catch((reason: unknown) => actorElsewhere(env, actorIn, reason))
    const active = limit(env, locate(env, site, actor, request, responseHeaders))
    const close = async () => void (await Promise.all([...writes, active.close()]))
    return { ...active, close }
  } catch (reason) {
    return limit(env, { ...open(env, site, anonymous, request), rejection: reason })
  }
}

/** A source's write key is stored in the database of its source. An unknown key is rejected as in the home database. */
async function actorElsewhere(
  env: Env,
  actorIn: (there: Env) => Promise<Actor>,
  refusal: unknown,
): Promise<Actor> {
  const { ExpiredKeyFailure } = await import('#functions/domain/identity/actor.ts')
  for (const name of databases(env).slice(1)) {
    const actor = await actorIn(withHomeDatabase(env, name)).catch((reason: unknown) => {
      if (reason instanceof ExpiredKeyFailure) throw reason
      return null
    })
    if (actor) return actor
  }
  throw refusal
}

/** Opens the database of the request's place; falls back to home with a Failure where that one is not configured. */
function locate(
  env: Env,
  site: Site,
  actor: Actor,
  request: Request,
  responseHeaders?: Headers,
): OpenedRequest {
  const working = actor.source?.placeId ?? activePlace(request, actor)
  try {
    return open(env, site, actor, request, responseHeaders, findRequestPlace(request, site, working))
  } catch (error) {
    if (!(error instanceof UnknownDatabaseError)) throw error
    const failure = new Failure('unavailable', { message: error.message, cause: error })
    return { ...open(env, site, actor, request, responseHeaders), rejection: failure }
  }
}

/** Rate limits apply to clients, never to requests of the product itself. */
function limit(env: Env, openedRequest: OpenedRequest): OpenedRequest {
  openedRequest.ctx.limits = createLimiter(env)
  return openedRequest
}

/**
 * The Context of an anonymous visit of the product itself, which stores the page. Visits of the same page in several
 * languages share their queries and dependencies.
 */
export function openVisit(
  request: Request,
  env: Env,
  site: Site,
  shared: Partial<Pick<Context, 'memo' | 'depends' | 'failures'>> = {},
): OpenedRequest {
  const openedRequest = open(env, site, anonymous, request, undefined, findRequestPlace(request, site, null))
  Object.assign(openedRequest.ctx, shared)
  return openedRequest
}

/**
 * The Context of queue and cron jobs on one database: `at(env, name)`, home by default. `seesClosed`: rows of closed
 * places are visible, for jobs that delete leftovers or copy everything.
 */
export function openSystem(env: Env, seesClosed = false): OpenedRequest {
  const { appHost, scheme } = getSettings(env)
  const site: Site = { mode: 'main', host: appHost, origin: `${scheme}://${appHost}` }
  const openedRequest = open(env, site, system, new Request(`${site.origin}/`))
  if (!seesClosed) return openedRequest
  const connection = connect(env, { ...toIdentity(system), closed: true })
  const { db, transaction, accounts } = connection
  const close = async () => void (await Promise.all([openedRequest.close(), connection.end()]))
  return { ...openedRequest, ctx: Object.assign(openedRequest.ctx, { db, transaction, accounts }), close }
}

/** Logs an error: as a line of JSON in production, without secrets; not at all in tests. */
export function reportIn(env: Env, error: unknown, about: Record<string, unknown> = {}): void {
  const { environment } = getSettings(env)
  if (environment === 'production') console.error(logLine({ ...about, error: String(error) }))
  else if (environment === 'development') console.error(about, error)
}

function open(
  env: Env,
  site: Site,
  actor: Actor,
  request: Request,
  responseHeaders = new Headers(),
  placeId: string | null = null,
): OpenedRequest {
  const settings = getSettings(env)
  const connection = connect(env, toIdentity(actor), placeId)
  const attachments: OpenedRequest['attachments'] = new Map()
  const messages: Promise<void>[] = []
  const ctx: Context = {
    db: connection.db,
    transaction: connection.transaction,
    accounts: connection.accounts,
    actor,
    site,
    placeId: site.mode === 'hub' ? site.placeId : activePlace(request, actor),
    now: () => new Date(),
    files: env.FILES,
    tiles: env.TILES,
    hubs: env.HUBS,
    hosts: chooseHosts(settings),
    // A lost message does no harm: the sweeper finds what is left in the outbox.
    wake: (kind = 'outbox', delaySeconds) =>
      void messages.push(sendToQueue(env, { v: 1, kind }, delaySeconds).catch(() => {})),
    sendMail: (mail) => sendMail(ctx, env, mail),
    fetch: (input, init) => fetch(input, init),
    report: (error, about) => reportIn(env, error, about),
    track: tracker(settings.environment, request.headers),
    depends: new Set(),
    basis: async () => {},
    limits: null,
    attachments,
    async attach(type, body, of) {
      const name = await fileName(type, body, of)
      attachments.set(name, { type, body })
      return `/f/${name}`
    },
    request: {
      id: crypto.randomUUID(),
      headers: request.headers,
      ip: request.headers.get('cf-connecting-ip'),
    },
    responseHeaders,
    responded: { status: null },
    about: { placeId: null, dataTypeId: null, isExport: false },
    settings,
  }
  // Aborts queries that are still running when the request has ended.
  const close = async () => {
    await Promise.all(messages)
    await connection.end()
  }
  return { ctx, rejection: null, attachments, close }
}

/** "Analytics off in development, testing and for the prerender agent": else a line of the log for each event. */
export function tracker(
  environment: Context['settings']['environment'],
  headers: Headers,
  write: (line: string) => void = (line) => console.log(line),
): Context['track'] {
  const isOn = environment === 'production' && headers.get('user-agent') !== prerenderAgent
  return (event, about) => {
    if (isOn) write(logLine({ event, ...about }))
  }
}

/**
 * Sends a message to a queue, `outbox` by default, with an optional delay in seconds. Slow work has queues of its own,
 * so that it does not delay updates of hubs: importer runs, and pages of another build.
 */
export async function sendToQueue(
  env: Env,
  message: Message = { v: 1, kind: 'outbox' },
  delaySeconds = 0,
): Promise<void> {
  const queue = message.kind === 'jobs' || message.kind === 'builds' ? env.JOBS : env.QUEUE
  if (delaySeconds > 0) await queue.send(message, { delaySeconds: Math.ceil(delaySeconds) })
  else await queue.send(message)
}

/** "Active place: stored id, else first place; "personal-account" means no place." */
function activePlace(request: Request, actor: Actor): string | null {
  const [placeId] = cookiesNamed(request.headers, placeCookie)
  if (placeId === personalAccount) return null
  const ownPlaceIds = actor.memberships.map((membership) => membership.placeId)
  const seesAll = actor.user?.role === 'super_admin' || actor.user?.role === 'support'
  if (placeId && /^[a-z0-9-]{1,63}$/.test(placeId) && (seesAll || ownPlaceIds.includes(placeId)))
    return placeId
  return ownPlaceIds[0] ?? null
}
