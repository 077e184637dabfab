import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { createRequester, linksIn, visitAll, type FetchResult } from './crawler.ts'
import { openHub, type Size } from './world.ts'
import { buildUnderOtherNames } from '../build.ts'
import { findFreePort, openWorker, queueMessage } from '../local.ts'
import { prepareSources, publishHubs } from '../publish-hub.ts'
import { readManifest } from '#functions/edge/hub/manifest.ts'
import type { BuildList } from '#functions/jobs/publish/builds/store-files.ts'
import type { TestContext } from '#db/worlds/world.ts'

type Figures = Record<string, number>

const day = 24 * 3_600_000
/** The limit in milliseconds for making all hubs again. */
const maxMs = 20 * 60_000

/**
 * Deploys a build with other file names over one that has made a hub, and crawls the hub: before anything is
 * made again, between the steps of making it again (killed once in the middle), after it, and after the old
 * files were removed. Returns the counts; figures are written where `npm run test:full -- faults` reads them.
 */
export async function proveDeployment(size: Size, log: (line: string) => void): Promise<Figures> {
  const { world, ids } = await openHub(size)
  const system = world.as('system')
  const folder = mkdtempSync(join(tmpdir(), 'commonplace-deployment-'))
  const port = await findFreePort()
  const deploy = (build?: string) => {
    const vars = { APP_HOST: `localhost:${port}`, PUBLIC_HOST: `localhost:${port}`, ENVIRONMENT: 'test' }
    return openWorker({
      env: world.database.env,
      port,
      folder,
      vars,
      log: quiet(log),
      ...(build ? { build } : {}),
    })
  }
  const first = JSON.parse(readFileSync('build/client/build.json', 'utf8')) as BuildList
  const second = buildUnderOtherNames(join(folder, 'build'))
  const figures: Figures = {}
  const count = async (when: string) => {
    const { addresses, files, brokenAddresses } = await crawlFiles(port)
    figures[`addresses, ${when}`] = addresses
    figures[`files that they name, ${when}`] = files
    figures[`broken, ${when}`] = brokenAddresses.length
    if (brokenAddresses.length > 0) log(`broken, ${when}:\n  ${brokenAddresses.slice(0, 20).join('\n  ')}`)
    return brokenAddresses.length
  }
  let worker = await deploy()
  try {
    await publishHubs(worker.worker, world.database.env, ['oakton'])
    // Pages with values of columns follow their profiles, which the queue makes whenever it has time.
    await prepareSources(worker.worker, ['open', ...ids])
    await publishHubs(worker.worker, world.database.env)
    // Cron stores the workspace's files in batches.
    for (let i = 0; i < 3; i += 1) await worker.worker.scheduled({ cron: '* * * * *' })
    await count('before')
    await worker.close()

    worker = await deploy(second.folder)
    await count('with nothing made again')
    figures['files of the earlier build that an open tab has not'] = (await missing(port, first.files)).length

    // Pending changes are published first; cron would do so within a minute.
    await publishHubs(worker.worker, world.database.env)
    const before = await makeBuild(system, worker, second.list.version)
    // Killed in the middle.
    void worker.worker.queue('jobs', [makeAgain()]).catch(() => {})
    const startMs = Date.now()
    while ((await makeBuild(system, worker, second.list.version)) === before && Date.now() - startMs < 60_000)
      await delay(250)
    await worker.close()
    worker = await deploy(second.folder)
    figures['pages made again before it was killed'] =
      (await makeBuild(system, worker, second.list.version)) - before
    let brokenCount = await count('with some made again')
    let steps = 0
    while (!(await isAt(system, second.list.version))) {
      if (Date.now() - startMs > maxMs) throw new Error('The hub was not made again in time.')
      const { outcome } = await worker.worker.queue('jobs', [makeAgain()])
      if (outcome !== 'ok') throw new Error('The hub could not be made again; the lines above say why.')
      steps += 1
      // The killed worker's lock lasts for another half a minute.
      if (!(await isAt(system, second.list.version))) await delay(2000)
      brokenCount += (
        await missing(
          port,
          first.files.filter((name) => name.startsWith('hub/')),
        )
      ).length
    }
    figures['messages until all were made again'] = steps
    figures['broken, while pages were made again'] = brokenCount
    figures['seconds until all were made again'] = Math.round((Date.now() - startMs) / 1000)
    await count('with all made again')
    // Once more, when nothing is left to be done.
    const numbers = await readManifestNumber(system)
    await worker.worker.queue('jobs', [makeAgain()])
    figures['manifests written by making it again once more'] = (await readManifestNumber(system)) - numbers

    await sweepEarlierBuild(system, worker, first.version)
    const old = first.files.filter((name) => !second.list.files.includes(name))
    figures['files of the earlier build'] = old.length
    figures['of them left after a week'] = old.length - (await missing(port, old)).length
    await count('with the old files gone')
    mkdirSync('.cache/proofs', { recursive: true })
    writeFileSync('.cache/proofs/deployment.json', JSON.stringify(figures))
    return figures
  } finally {
    await worker.close()
    await world.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

type WorkerHandle = Awaited<ReturnType<typeof openWorker>>
const makeAgain = () => queueMessage({ v: 1, kind: 'builds' })
const quiet = (log: (line: string) => void) => (line: string) => {
  if (!line.includes('rendered oakton')) log(line)
}

/**
 * Runs the daily work twice: first it notes that nothing refers to the earlier build, then, when that has
 * been so for more than a week, it removes its files.
 */
async function sweepEarlierBuild(system: TestContext, { worker, miniflare }: WorkerHandle, version: string) {
  const night = async () => {
    await sql`update daily_work set day = day - 1`.execute(system.db)
    await worker.scheduled({ cron: '* * * * *' })
  }
  await night()
  const hubs = await miniflare.getR2Bucket('HUBS')
  const key = `builds/of/${version}.json`
  const build = (await (await hubs.get(key))?.json()) as { unnamedSince?: string } | undefined
  if (build?.unnamedSince === undefined) throw new Error('The earlier build is still named.')
  const unnamedSince = new Date(Date.now() - 8 * day).toISOString()
  await hubs.put(key, JSON.stringify({ ...build, unnamedSince }))
  await night()
}

const readHub = (system: TestContext) =>
  system.db
    .selectFrom('hub')
    .select(['manifest', 'builds', 'buildsOf'])
    .where('placeId', '=', 'oakton')
    .executeTakeFirstOrThrow()
const readManifestNumber = async (system: TestContext) => (await readHub(system)).manifest

async function isAt(system: TestContext, version: string): Promise<boolean> {
  const { manifest, builds, buildsOf } = await readHub(system)
  return buildsOf === manifest && builds.length === 1 && builds[0] === version
}

/** Counts the served pages that are of a build. */
async function makeBuild(system: TestContext, { miniflare }: WorkerHandle, version: string): Promise<number> {
  const hubs = (await miniflare.getR2Bucket('HUBS')) as unknown as R2Bucket
  const manifest = await readManifest(hubs, 'oakton', await readManifestNumber(system))
  return Object.values(manifest?.pages ?? {}).filter(({ build }) => build === version).length
}

/** Returns the files that are not found. */
async function missing(port: number, names: string[]): Promise<string[]> {
  const visits = await visitAll(
    createRequester(port, 'oakton.localhost'),
    names.map((name) => `/${name}`),
  )
  return [...visits].filter(([, { status }]) => status !== 200).map(([path]) => path)
}

/**
 * Crawls all pages of the hub, in every language, all files that they refer to, and those that these refer
 * to.
 */
async function crawlFiles(port: number) {
  const host = `oakton.localhost:${port}`
  const ask = createRequester(port, 'oakton.localhost')
  const follow = (path: string, answer: FetchResult) => [
    ...linksIn(answer, path, host, '').filter((link) => !/^\/(?:v1|e|t|a|m|s)\/|\?/.test(link)),
    ...filesNamedIn(answer),
  ]
  const visits = await visitAll(ask, ['/', '/sitemap.xml', '/es', '/404-is-not-here'], follow)
  const files = [...visits].filter(([path]) => path.startsWith('/hub/'))
  const brokenVisits = [...visits].filter(
    ([path, { status }]) => status === 0 || status >= 500 || (status !== 200 && path.startsWith('/hub/')),
  )
  return {
    addresses: visits.size - files.length,
    files: files.length,
    brokenAddresses: brokenVisits.map(([path, { status }]) => `${status} ${path}`),
  }
}

/**
 * Extracts the names of hashed files from a page, a script or a style sheet: both static and dynamic imports.
 */
function filesNamedIn({ headers, body }: FetchResult): string[] {
  if (!/html|javascript|css/.test(String(headers['content-type'] ?? ''))) return []
  const names = body.toString().matchAll(/["'`(/]([\w.]+(?:-[\w.]+)*?-[\w-]{8}\.(?:js|css|woff2))\b/g)
  return [...names].map(([, name]) => `/hub/${name}`)
}
