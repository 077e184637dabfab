import { databases } from '#db/directory.ts'
import type { Context, Message, PageFailure, Site } from '#functions/context.ts'
import { deliverMail, postBy, findMailProvider } from '#functions/domain/identity/deliver-mail.ts'
import { isAnyOld } from '#functions/domain/hub/builds/hub-builds.ts'
import { isAnyToPublish } from '#functions/domain/outbox/outbox-reader.ts'
import { forEachDatabase, mirrorEverywhere, type OpenDatabase } from './every-database.ts'
import {
  openSystem,
  openVisit,
  prerenderAgent,
  reportIn,
  sendToQueue,
} from '#functions/api/request-context.ts'
import { getSettings, type Env } from '#functions/settings.ts'
import { storePageFiles, type BuildStores } from './publish/builds/store-files.ts'
import { localePath } from '#functions/engine/address/locales.ts'
import { isText } from '#functions/edge/hub/manifest.ts'
import type { PageRendering } from './publish/prerender.ts'
import type { VisitPath } from './publish/make-hub.ts'

/**
 * Handles a batch of queue messages: publishing, files of sources, observers, importers and pages of older builds. Every
 * part is idempotent. Returns the kinds of messages with a failed part, so that the queue delivers those again; failures
 * are reported.
 */
export async function onMessages(env: Env, messages: Message[]): Promise<Set<Message['kind']>> {
  const places = new Set<string>()
  for (const { kind, placeId } of messages) if (kind === 'hub' && placeId) places.add(placeId)
  const exports = messages.flatMap(({ sources }) => sources ?? [])
  const failedKinds = new Set<Message['kind']>()
  /** Runs one part of the work if the batch has a message of one of these kinds. */
  const part = async (kinds: Message['kind'][], work: () => Promise<void>) => {
    if (!messages.some(({ kind }) => kinds.includes(kind))) return
    await work().catch((error: unknown) => {
      for (const kind of kinds) failedKinds.add(kind)
      reportIn(env, error, { during: 'onMessages', kinds: kinds.join(' ') })
    })
  }
  // In parallel: each part has its own progress column in the outbox, so a page that cannot be rendered delays neither alerts nor files.
  await Promise.all([
    part(['outbox', 'hub'], () => publish(env, [...places])),
    part(['outbox', 'hub'], () => askForFiles(env)),
    part(['outbox', 'observers'], () => watch(env)),
    part(['exports'], async () => {
      if (exports.length > 0) await prepare(env, [...new Set(exports)])
    }),
    part(['jobs'], () => work(env)),
    part(['builds'], () => makeAgain(env)),
  ])
  return failedKinds
}

/** The cron job, once a minute: resends lost queue messages, sends queued emails, and starts the daily clean-up. */
export async function onMinute(env: Env): Promise<void> {
  await mirrorEverywhere(env)
  const isCurrent = await maintainBuild(env)
  await maintainStorage(env)
  const { claimDay } = await import('#functions/domain/internals/daily-work.ts')
  await forEachDatabase(env, async ({ ctx, whole, env: own, isHere }) => {
    if (await isAnyToPublish(ctx)) await sendToQueue(env)
    const { maintainJobs } = await import('#functions/domain/importer/job/sweep.ts')
    const { isAnyMoveDue } = await import('#functions/domain/data-type/work.ts')
    const { areRegionsDue } = await import('#functions/domain/boundary/region-work.ts')
    const { areTilesDue } = await import('#functions/domain/boundary/set-tiles.ts')
    const { areArchivesDue, sweepArchives } = await import('#functions/domain/archive/work.ts')
    const { queueChangedSets } = await import('#functions/domain/boundary/built-in-editions.ts')
    await queueChangedSets(ctx).catch((error: unknown) => ctx.report(error, { during: 'queueChangedSets' }))
    if (
      (await maintainJobs(ctx)) ||
      (await isAnyMoveDue(whole)) ||
      (await areRegionsDue(ctx)) ||
      (await areTilesDue(ctx)) ||
      (await areArchivesDue(ctx))
    )
      await sendToQueue(env, { v: 1, kind: 'jobs' })
    if (isCurrent && (await isAnyOld(ctx, getSettings(env).build ?? '')))
      await sendToQueue(env, { v: 1, kind: 'builds' })
    const { isAnyToObserve } = await import('#functions/domain/observer/observe.ts')
    if (await isAnyToObserve(ctx)) await sendToQueue(env, { v: 1, kind: 'observers' })
    const { emailErrorReportDigest } = await import('#functions/domain/error-report/digest.ts')
    await emailErrorReportDigest(ctx).catch((error: unknown) =>
      ctx.report(error, { during: 'emailErrorReportDigest' }),
    )
    const { emailRequestDigest } = await import('#functions/domain/place-request/digest.ts')
    await emailRequestDigest(ctx).catch((error: unknown) =>
      ctx.report(error, { during: 'emailRequestDigest' }),
    )
    await deliver(own)
    const { maintainFiles } = await import('#functions/domain/file/files-sweep.ts')
    await maintainFiles(whole).catch((error: unknown) => ctx.report(error, { during: 'maintainFiles' }))
    await sweepArchives(whole).catch((error: unknown) => ctx.report(error, { during: 'sweepArchives' }))
    if (await claimDay(ctx, 'house')) await daily({ ctx, whole, isHere, isOnly: databases(env).length === 1 })
    // Claimed separately from the clean-up, so that a database without profiles gets them in its first minute.
    if (await claimDay(ctx, 'profiles')) {
      const { maintainProfiles } = await import('#functions/domain/records/profile/profile-sources.ts')
      await maintainProfiles(ctx).catch((error: unknown) => ctx.report(error, { during: 'maintainProfiles' }))
    }
    // Last, because it waits for answers of other servers (DNS, certificates).
    const { maintainHosts } = await import('#functions/domain/hostname/domain-hosting.ts')
    await maintainHosts(ctx)
  })
}

async function publish(env: Env, places: string[]) {
  const { publishOutbox } = await import('./publish/publish.ts')
  const log = (line: string) => console.log(`prerender: ${line}`)
  await forEachDatabase(env, async ({ ctx, env: own, isHere }) => {
    await publishOutbox(ctx, visitor(env), log, places.filter(isHere), isHere)
    await deliver(own)
  })
}

/**
 * Queues one message for each place whose sources have stale files: files take minutes, and no place should wait for
 * those of another.
 */
async function askForFiles(env: Env) {
  const { queueStaleExports } = await import('#functions/domain/dataset/export-prepare.ts')
  await forEachDatabase(env, ({ ctx }) =>
    queueStaleExports(ctx, (sources) => env.QUEUE.send({ v: 1, kind: 'exports', sources })),
  )
}

/**
 * Profiles the columns of changed sources, prepares their export files, and the fallback that is served while the
 * database is unavailable. The daily clean-up makes up for a lost message.
 */
async function prepare(env: Env, sourceIds: string[]) {
  const { profileSources } = await import('#functions/domain/records/profile/profile-sources.ts')
  const { prepareSources } = await import('#functions/domain/dataset/export-prepare.ts')
  // Profiles first: they take seconds, files take minutes.
  await forEachDatabase(env, ({ ctx }) => profileSources(ctx, sourceIds))
  await forEachDatabase(env, ({ ctx }) => prepareSources(ctx, sourceIds))
  const { prepareFallback: prepareStanding } = await import('./publish/prepare-fallback.ts')
  await prepareStanding(env, sourceIds)
}

/**
 * Works on moves of sources to other data types, runs of importers, regions of records and tiles of boundary sets. The cron job makes up
 * for a lost message within a minute.
 */
async function work(env: Env) {
  const { processMoves } = await import('#functions/domain/data-type/work.ts')
  const { processRegions } = await import('#functions/domain/boundary/region-work.ts')
  const { processTiles } = await import('#functions/domain/boundary/set-tiles.ts')
  const { processJobs } = await import('#functions/domain/importer/job/work.ts')
  const { processArchives } = await import('#functions/domain/archive/work.ts')
  await forEachDatabase(env, async ({ ctx, whole }) => {
    try {
      await processMoves(whole)
    } finally {
      await processJobs(ctx)
    }
    await processRegions(ctx)
    await processTiles(ctx)
    await processArchives(ctx)
  })
}

/** Files of the build that are copied to the bucket in one minute: each takes two of the subrequests that a Worker invocation may make. */
const maxKept = 150
/** How long one message renders pages of older builds; the cron job sends the next one a minute later. */
const againMs = 45_000

/** The buckets with the files of the running build; null in development, where nothing was built. */
function buildPorts(env: Env): BuildStores | null {
  const { build } = getSettings(env)
  return build === undefined
    ? null
    : { version: build, assets: env.ASSETS, hubs: env.HUBS, now: () => new Date() }
}

/**
 * Copies files of this build to the bucket, some each minute, and returns whether hubs have to be rendered again by it:
 * that is how a deployment is detected, however it was made.
 */
async function maintainBuild(env: Env): Promise<boolean> {
  const ports = buildPorts(env)
  if (!ports) return false
  const { storeAllFiles } = await import('./publish/builds/store-files.ts')
  const { isCurrentBuild } = await import('#functions/platform/current-build.ts')
  const { ctx, close } = openSystem(env)
  await storeAllFiles(ports, maxKept).catch((error: unknown) =>
    ctx.report(error, { during: 'storeAllFiles', build: ports.version }),
  )
  const isCurrent = await isCurrentBuild(env.HUBS, ports.version, ports.now()).catch((error: unknown) => {
    ctx.report(error, { during: 'isCurrentBuild', build: ports.version })
    return false
  })
  await close()
  return isCurrent
}

/**
 * Deletes the files of builds that no page of any database refers to. Deletes nothing when one of the databases does not
 * answer.
 */
async function forgetBuilds(env: Env) {
  const ports = buildPorts(env)
  if (!ports) return
  const { readServedBuilds: servedBuilds, sweepBuilds } = await import('./publish/builds/sweep.ts')
  const servedHosts = new Set<string>()
  try {
    await forEachDatabase(env, async ({ ctx }) => {
      for (const build of await servedBuilds(ctx)) servedHosts.add(build)
    })
    await sweepBuilds(ports, servedHosts)
  } catch (error) {
    const { ctx, close } = openSystem(env)
    ctx.report(error, { during: 'forgetBuilds', build: ports.version })
    await close()
  }
}

/** Deletes uploads without a row in any database. Deletes nothing when one of the databases does not answer. */
async function checkStorage(env: Env) {
  const { checkFiles } = await import('#functions/domain/file/storage/files.ts')
  const { checkImports } = await import('#functions/domain/file/storage/imports.ts')
  const { ctx, close } = openSystem(env)
  const askAll = async <Result>(question: (context: Context) => Promise<Result>) => {
    const answers: Result[] = []
    await forEachDatabase(env, async ({ whole }) => void answers.push(await question(whole)))
    return answers
  }
  const storage = { files: ctx.files, home: ctx, askAll }
  for (const check of [checkFiles, checkImports])
    await check(storage).catch((error: unknown) => ctx.report(error, { during: check.name }))
  await close()
}

/** Renders pages of other builds again for a limited time, which the databases share. */
async function makeAgain(env: Env) {
  const ports = buildPorts(env)
  if (!ports) return
  const { isCurrentBuild } = await import('#functions/platform/current-build.ts')
  if (!(await isCurrentBuild(env.HUBS, ports.version, ports.now()))) return
  const { renderAgain } = await import('./publish/builds/render-again.ts')
  const log = (line: string) => console.log(`build ${ports.version}: ${line}`)
  const share = againMs / databases(env).length
  await forEachDatabase(env, ({ ctx, isHere }) =>
    renderAgain(ctx, visitor(env), { build: ports.version, log, ms: share, isHere }),
  )
}

/** Evaluates observers, calls webhooks, queues emails. The cron job makes up for a lost message within a minute. */
async function watch(env: Env) {
  const { observe } = await import('#functions/domain/observer/observe.ts')
  await forEachDatabase(env, async ({ ctx, env: own }) => {
    await observe(ctx)
    await deliver(own)
  })
}

/** Sends the waiting emails, where a provider is configured. */
async function deliver(env: Env) {
  const provider = findMailProvider(env, getSettings(env).mailFrom)
  if (!provider) return
  const { ctx, close } = openSystem(env)
  await deliverMail(ctx, postBy(provider, ctx.fetch))
  await close()
}

/**
 * Visits a hub page as an anonymous reader, through the same routes and loaders as any live page, in each of some
 * languages. The visits share their queries, so that the page has the same state in each; `memo` has the answers of
 * other pages.
 */
function visitor(env: Env): VisitPath {
  const { scheme, build } = getSettings(env)
  const ports = buildPorts(env)
  let keepingFiles: Promise<void> | undefined
  return async ({ placeId, canonicalHost }, path, locales, languages, memo) => {
    // Every stored page is rendered here, so its scripts and styles must be in the bucket before it is.
    if (ports) await (keepingFiles ??= storePageFiles(ports))
    const origin = `${scheme}://${canonicalHost}`
    const shared = { memo, depends: new Set<string>(), failures: [] as PageFailure[] }
    const { renderLive } = await import('#functions/api/live.ts')
    const renderings: Omit<PageRendering, 'tags'>[] = []
    for (const locale of locales) {
      const hub = { placeId, canonicalHost, locale, languages }
      const site: Site = { mode: 'hub', host: canonicalHost, origin, ...hub }
      const request = new Request(origin + localePath(locale, path, languages), {
        headers: { 'user-agent': prerenderAgent },
      })
      const { ctx, attachments, close } = openVisit(request, env, site, shared)
      const response = await renderLive(request, ctx)
      const type = response.headers.get('content-type') ?? 'text/html; charset=utf-8'
      const body = isText(type) ? await response.text() : new Uint8Array(await response.arrayBuffer())
      await close()
      const files = [...attachments].map(([name, file]) => ({ name, ...file }))
      renderings.push({ locale, status: response.status, type, body, files })
    }
    return renderings.map((page) => ({
      ...page,
      tags: [...shared.depends],
      failures: shared.failures,
      ...(build === undefined ? {} : { build }),
    }))
  }
}

/** Once a day: sweeps the buckets, which all databases share. */
async function maintainStorage(env: Env) {
  const { claimDay } = await import('#functions/domain/internals/daily-work.ts')
  const { ctx, close } = openSystem(env)
  const isDue = await claimDay(ctx, 'storage').catch((error: unknown) => {
    ctx.report(error, { during: 'claimDay' })
    return false
  })
  await close()
  if (!isDue) return
  await forgetBuilds(env)
  await checkStorage(env)
}

/** The daily clean-up of one database: deletes expired rows, writes the day's usage figures, checks custom domains again. */
async function daily({ ctx, whole, isHere, isOnly }: Omit<OpenDatabase, 'env'> & { isOnly: boolean }) {
  const { sweepIdentity } = await import('#functions/domain/identity/sweep.ts')
  const { notifyOfExpiringKeys } = await import('#functions/domain/identity/key-notices.ts')
  const { renewLatePages, emailLateDataDigest } = await import('#functions/domain/source/late-digest.ts')
  const { forgetKept } = await import('#functions/api/idempotency.ts')
  const { sweepActivities } = await import('#functions/domain/activity/activities.ts')
  const { sweepFiles } = await import('#functions/domain/file/files-sweep.ts')
  const { removeOldBytes } = await import('#functions/domain/archive/work.ts')
  const { snapshotUsage } = await import('#functions/domain/usage/usage-snapshot.ts')
  const { sweepErrorReports } = await import('#functions/domain/error-report/sweep.ts')
  const { sweepPlaceRequests } = await import('#functions/domain/place-request/sweep.ts')
  const { maintainHubUsage } = await import('#functions/domain/usage/maintain-hub-usage.ts')
  const { recheckDomains } = await import('#functions/domain/hostname/domain-checks.ts')
  const { recheckMailDomains } = await import('#functions/domain/identity/sso/mail-domains.ts')
  const { maintainIndexes } = await import('#functions/domain/dataset/indexes.ts')
  const { sweepJobs } = await import('#functions/domain/importer/job/sweep.ts')
  const { deleteAbandoned } = await import('#functions/domain/importer/delete-abandoned.ts')
  const { maintainExports } = await import('#functions/domain/dataset/export-prepare.ts')
  const { forgetImages } = await import('#functions/domain/records/forget.ts')
  const { endClosed, markClosed } = await import('#functions/domain/internals/purge-closed.ts')
  const { purgeDeleted } = await import('#functions/domain/internals/purge.ts')
  const { sweepFallbacks, sweepStore } = await import('#functions/edge/answers/sweep.ts')
  const { sweepHubs } = await import('./publish/sweep.ts')
  const { findLost } = await import('./publish/lost.ts')
  const { sweepTiles } = await import('#functions/domain/boundary/set-tiles.ts')
  const { reportUnreadableSecrets } = await import('#functions/domain/secrets/report-unreadable.ts')
  const jobs: Record<string, () => Promise<unknown>> = {
    sweepStore: () => sweepStore(ctx.hubs, ctx.now()),
    sweepStanding: () => sweepFallbacks(ctx.hubs),
    sweepHubs: () => sweepHubs(ctx, undefined, isHere),
    findLost: () => findLost(ctx),
    sweepTiles: () => sweepTiles(whole, isHere),
    sweepIdentity: () => sweepIdentity(ctx.db),
    notifyOfExpiringKeys: () => notifyOfExpiringKeys(ctx),
    emailLateDataDigest: () => emailLateDataDigest(ctx),
    renewLatePages: () => renewLatePages(ctx),
    forgetKept: () => forgetKept(ctx),
    sweepActivities: () => sweepActivities(ctx),
    sweepErrorReports: () => sweepErrorReports(ctx),
    sweepPlaceRequests: () => sweepPlaceRequests(ctx),
    sweepFiles: () => sweepFiles(ctx),
    removeOldArchives: () => removeOldBytes(ctx),
    sweepJobs: () => sweepJobs(whole, isOnly),
    deleteAbandoned: () => deleteAbandoned(ctx),
    forgetImages: () => forgetImages(ctx),
    markClosed: () => markClosed(whole),
    purgeDeleted: () => purgeDeleted(whole),
    endClosed: () => endClosed(whole),
    snapshotUsage: () => snapshotUsage(ctx),
    maintainHubUsage: () => maintainHubUsage(ctx),
    recheckDomains: () => recheckDomains(ctx),
    recheckMailDomains: () => recheckMailDomains(ctx),
    maintainIndexes: () => maintainIndexes(ctx),
    maintainExports: () => maintainExports(ctx),
    reportUnreadableSecrets: () => reportUnreadableSecrets(ctx),
  }
  // A task that fails does not stop the others.
  for (const [during, job] of Object.entries(jobs)) {
    try {
      await job()
    } catch (error) {
      ctx.report(error, { during })
    }
  }
}
