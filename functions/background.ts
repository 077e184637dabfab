import type { Context, Message, Site } from './context.ts'
import { deliverMail, providerOf } from './domain/mail.ts'
import { openEvents } from './domain/outbox-reader.ts'
import { everywhere, mirrorEverywhere } from './every-database.ts'
import { openSystem, openVisit, prerenderAgent, wake } from './request-context.ts'
import { settingsOf, type Env } from './settings.ts'
import { localePath } from './site/locales.ts'
import { isText } from './site/manifest.ts'
import type { Rendered } from './site/prerender.ts'
import type { Visit } from './site/make-hub.ts'

/**
 * What is done when no one waits for an answer: after messages of the queue and each minute. Every part may be done again
 * without harm.
 */
export async function onMessages(env: Env, messages: Message[]): Promise<void> {
  const places = new Set<string>()
  for (const { kind, placeId } of messages) if (kind === 'hub' && placeId) places.add(placeId)
  const exports = messages.flatMap(({ sources }) => sources ?? [])
  const has = (...kinds: Message['kind'][]) => messages.some(({ kind }) => kinds.includes(kind))
  try {
    if (has('outbox', 'hub')) await publish(env, [...places])
  } finally {
    // Alerts wait for no page that cannot be made.
    if (has('outbox', 'observers')) await watch(env)
  }
  if (exports.length > 0) await prepare(env, [...new Set(exports)])
  if (has('jobs')) await work(env)
}

/** Each minute: work whose message was lost is woken again, letters are sent, once a day the house is tidied. */
export async function onMinute(env: Env, at: Date): Promise<void> {
  await mirrorEverywhere(env)
  await everywhere(env, async ({ ctx, env: own }) => {
    if ((await openEvents(ctx)).length > 0) await wake(env)
    const { tendJobs } = await import('./domain/importers/job/sweep.ts')
    const { isAnyMoveDue } = await import('./domain/dataType/work.ts')
    if ((await tendJobs(ctx)) || (await isAnyMoveDue(ctx))) await wake(env, { v: 1, kind: 'jobs' })
    const { isAnyToObserve } = await import('./domain/observing/observe.ts')
    if (await isAnyToObserve(ctx)) await wake(env, { v: 1, kind: 'observers' })
    await deliver(own)
    if (isDaily(at)) await daily(ctx)
    // Last: it waits for others.
    const { tendHosts } = await import('./domain/domainHosting.ts')
    await tendHosts(ctx)
  })
}

async function publish(env: Env, places: string[]) {
  const { publishOutbox } = await import('./site/publish.ts')
  const log = (line: string) => console.log(`prerender: ${line}`)
  await everywhere(env, async ({ ctx, env: own, isHere }) => {
    const events = await publishOutbox(ctx, visitor(env), log, places.filter(isHere), isHere)
    await deliver(own)
    const { staleSources } = await import('./domain/dataset/exportPrepare.ts')
    const stale = await staleSources(ctx, events)
    // By messages of their own: files take long, and no page waits for them.
    for (let i = 0; i < stale.length; i += 10)
      await env.QUEUE.send({ v: 1, kind: 'exports', sources: stale.slice(i, i + 10) })
  })
}

/**
 * Makes the files of sources that have changed, and what is given of them when the database does not answer. A message
 * that is lost is made up for once a day.
 */
async function prepare(env: Env, sourceIds: string[]) {
  const { prepareSources } = await import('./domain/dataset/exportPrepare.ts')
  await everywhere(env, ({ ctx }) => prepareSources(ctx, sourceIds))
  const { prepareStanding } = await import('./standing.ts')
  await prepareStanding(env, sourceIds)
}

/** Works on moves of sources to other data types and on runs of importers. A message that is lost is made up for within a minute. */
async function work(env: Env) {
  const { workMoves } = await import('./domain/dataType/work.ts')
  const { workJobs } = await import('./domain/importers/job/work.ts')
  await everywhere(env, async ({ ctx }) => {
    try {
      await workMoves(ctx)
    } finally {
      await workJobs(ctx)
    }
  })
}

/** Looks at observers, calls webhooks, writes letters. A message that is lost is made up for within a minute. */
async function watch(env: Env) {
  const { observe } = await import('./domain/observing/observe.ts')
  await everywhere(env, async ({ ctx, env: own }) => {
    await observe(ctx)
    await deliver(own)
  })
}

/** Sends the letters that wait, where a provider is configured. */
async function deliver(env: Env) {
  const provider = providerOf(env, settingsOf(env).mailFrom)
  if (!provider) return
  const { ctx, close } = openSystem(env)
  await deliverMail(ctx.db, provider, ctx.fetch)
  await close()
}

/**
 * Visits a hub page as the anonymous public would, through the same routes and loaders as any live page, in each of some
 * languages. The visits ask the database once for all of them, and so the page is of the same moment in each;
 * `asked` is what other pages have asked.
 */
function visitor(env: Env): Visit {
  const { scheme } = settingsOf(env)
  return async ({ placeId, canonicalHost }, path, languages, asked) => {
    const origin = `${scheme}://${canonicalHost}`
    const shared = { asked, depends: new Set<string>() }
    const { renderLive } = await import('./live.ts')
    const made: Omit<Rendered, 'tags'>[] = []
    for (const locale of languages) {
      const site: Site = { mode: 'hub', host: canonicalHost, origin, placeId, canonicalHost, locale }
      const request = new Request(origin + localePath(locale, path), {
        headers: { 'user-agent': prerenderAgent },
      })
      const { ctx, attachments, close } = openVisit(request, env, site, shared)
      const response = await renderLive(request, ctx)
      const type = response.headers.get('content-type') ?? 'text/html; charset=utf-8'
      const body = isText(type) ? await response.text() : new Uint8Array(await response.arrayBuffer())
      await close()
      const files = [...attachments].map(([name, file]) => ({ name, ...file }))
      made.push({ locale, status: response.status, type, body, files })
    }
    return made.map((page) => ({ ...page, tags: [...shared.depends] }))
  }
}

/** What is due once a day is done at 03:07 UTC. */
function isDaily(at: Date): boolean {
  return at.getUTCHours() === 3 && at.getUTCMinutes() === 7
}

/** What is done once a day: what has run out goes, today's figures are written down, hosts are looked at again. */
async function daily(ctx: Context) {
  const { sweepIdentity } = await import('./identity/sweep.ts')
  const { forgetKept } = await import('./api/once.ts')
  const { sweepActivities } = await import('./domain/activities.ts')
  const { sweepFiles } = await import('./domain/filesSweep.ts')
  const { snapshotUsage } = await import('./domain/usageSnapshot.ts')
  const { tendHubUsage } = await import('./domain/usageHubTend.ts')
  const { recheckDomains } = await import('./domain/domainChecks.ts')
  const { tendIndexes } = await import('./domain/indexes.ts')
  const { sweepJobs } = await import('./domain/importers/job/sweep.ts')
  const { tendExports } = await import('./domain/dataset/exportPrepare.ts')
  const { forgetImages } = await import('./domain/records/forget.ts')
  const { sweepStanding, sweepStore } = await import('./answers/sweep.ts')
  const { sweepHubs } = await import('./site/sweep.ts')
  const jobs: Record<string, () => Promise<unknown>> = {
    sweepStore: () => sweepStore(ctx.hubs, ctx.now()),
    sweepStanding: () => sweepStanding(ctx.hubs),
    sweepHubs: () => sweepHubs(ctx),
    sweepIdentity: () => sweepIdentity(ctx.db),
    forgetKept: () => forgetKept(ctx),
    sweepActivities: () => sweepActivities(ctx),
    sweepFiles: () => sweepFiles(ctx),
    sweepJobs: () => sweepJobs(ctx),
    forgetImages: () => forgetImages(ctx),
    snapshotUsage: () => snapshotUsage(ctx),
    tendHubUsage: () => tendHubUsage(ctx),
    recheckDomains: () => recheckDomains(ctx),
    tendIndexes: () => tendIndexes(ctx),
    tendExports: () => tendExports(ctx),
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
