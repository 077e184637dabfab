import { fileURLToPath } from 'node:url'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { extname, join, relative } from 'node:path'
import { Miniflare, type WorkerOptions } from 'miniflare'
import type { DbEnv } from '#db/connect.ts'
import { openEmbedded } from '#db/embedded/open.ts'
import { startProxy } from '#db/embedded/proxy.ts'
import { parseRates } from '#functions/platform/limits.ts'
import { lockFolder } from './data-lock.ts'
import { openServer } from './own-postgres/open.ts'
import { parseAddress } from './own-postgres/owner.ts'
import { listenerOn } from './process-facts.ts'
import { isSeeding, markSeeding } from './seed/seeding.ts'
import { CommandError } from './command-error.ts'

export { CommandError } from './command-error.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
export const dataFolder = join(root, '.data')

export interface LocalDatabase {
  /** Includes settings of the Worker that are specific to this database. */
  env: DbEnv & { QUESTION_STEPS?: string }
  /** Identifies the database among those that one folder may be used with. */
  name: string
  close(): Promise<void>
}

const embeddedName = 'embedded'

/**
 * Opens the database for local work: the one of `DATABASE_URL`, else the embedded one in `folder` (null: in
 * memory). It is migrated, and accessed through the same driver as production.
 */
export async function openDatabase(
  folder: string | null,
  url = process.env.DATABASE_URL,
): Promise<LocalDatabase> {
  const unlock = folder ? lockFolder(folder, relative(root, folder) || folder) : () => {}
  const database = await (url ? openOwn(url, folder ?? dataFolder) : openEmbeddedIn(folder)).catch(
    (error: unknown) => {
      unlock()
      throw error
    },
  )
  return {
    ...database,
    async close() {
      await database.close()
      unlock()
    },
  }
}

async function openOwn(address: string, folder: string): Promise<LocalDatabase> {
  const { host, pathname } = parseAddress(address)
  return { ...(await openServer(address, folder)), name: `${host}${pathname}` }
}

async function openEmbeddedIn(folder: string | null): Promise<LocalDatabase> {
  const files = folder && join(folder, 'db')
  // A start after a kill finds this mark while the demo is incomplete, and continues.
  if (folder && files && !existsSync(files)) markSeeding(folder, embeddedName)
  const database = await openEmbedded(files).catch((error: unknown) => {
    if (folder && files && isSeeding(folder, embeddedName)) {
      console.log('  The first start was killed while it wrote the database: it is made anew.')
      for (const part of [files, join(folder, 'r2')]) rmSync(part, { recursive: true, force: true })
      return openEmbedded(files)
    }
    throw new CommandError(
      `The database in ${relative(root, files ?? '')} could not be opened (${String(error)}).\n` +
        `It may come from another version. Move the folder away, or start with a new one: npm start -- --fresh`,
    )
  })
  const proxy = await startProxy({ pglite: database })
  return {
    env: {
      DATABASE_URL: 'postgres://app:app@db.local/commonplace',
      DB_PROXY: proxy.address,
      // The embedded database has a single session and no statement timeout: these limits keep an anonymous
      // visitor's question from blocking everyone for more than half a second.
      QUESTION_STEPS: 'anonymous=4,key=16,staff=400',
    },
    name: embeddedName,
    async close() {
      await proxy.close()
      await database.close()
    },
  }
}

interface LocalOptions {
  env: DbEnv
  port: number
  /** The folder of R2's files; null: in memory. */
  folder: string | null
  vars?: Record<string, string>
  /**
   * The source of a module that is put in front of the Worker, which it imports as `./index.js`. For
   * benchmarks.
   */
  before?: string
  /**
   * The folder of the Cache API's files, to be inspected; without it they are removed when the Worker ends.
   */
  cacheFolder?: string
  /**
   * How many isolates of the Worker share the buckets; the first one has the port and the queue. Default:
   * one.
   */
  isolates?: number
  /** Called with each line that the Worker logs. */
  log?: (line: string) => void
  /** The port at which its isolates can be inspected by the DevTools protocol. For benchmarks. */
  inspectorPort?: number
  /** The folder of the build; by default that of `npm run build`. */
  build?: string
}

/** Starts the built Worker in workerd, with its buckets and queue. */
export async function openWorker(options: LocalOptions) {
  const { port, folder, cacheFolder, log, inspectorPort, isolates = 1 } = options
  const own = workerOptions(options)
  // The platform gives messages of a queue to one consumer; another isolate is made to work by calling it
  // directly.
  const others = Array.from({ length: isolates - 1 }, (_, i) => ({
    ...{ ...own, name: isolateName(i + 1), queueConsumers: {}, assets: undefined },
  }))
  const miniflare = new Miniflare({
    ...(isolates === 1 ? own : { workers: [{ ...own, name: isolateName(0) }, ...others] as WorkerOptions[] }),
    port,
    host: '127.0.0.1',
    cf: false,
    ...(inspectorPort === undefined ? {} : { inspectorPort }),
    ...persistence(folder),
    ...(cacheFolder === undefined ? {} : { cachePersist: cacheFolder }),
    handleRuntimeStdio: (out: NodeJS.ReadableStream, err: NodeJS.ReadableStream) =>
      pipeLines([out, err], log),
  })
  await miniflare.ready
  const names = isolates === 1 ? [undefined] : Array.from({ length: isolates }, (_, i) => isolateName(i))
  const workers = (await Promise.all(names.map((name) => miniflare.getWorker(name)))) as unknown[] as [
    RunningWorker,
    ...RunningWorker[],
  ]
  return { miniflare, worker: workers[0], workers, close: () => miniflare.dispose() }
}

/** The Worker, called directly instead of through its port. */
export interface RunningWorker {
  queue(
    name: string,
    messages: { id: string; timestamp: Date; attempts: number; body: unknown }[],
  ): Promise<{ outcome: string }>
  scheduled(event: { cron: string }): Promise<{ outcome: string }>
}

/** A message of a queue, as the platform delivers it for the first time. */
export const queueMessage = (body: object) => ({
  ...{ id: crypto.randomUUID(), timestamp: new Date(), attempts: 1 },
  body,
})

/** The name of an isolate where there are several. */
export const isolateName = (i: number) => `isolate-${i + 1}`

const persistence = (folder: string | null) => (folder ? { r2Persist: join(folder, 'r2') } : {})

function pipeLines(streams: NodeJS.ReadableStream[], log: ((line: string) => void) | undefined) {
  for (const stream of streams) {
    let rest = ''
    stream.on('data', (chunk: Buffer) => {
      const lines = (rest + chunk.toString()).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line.trim()) log?.(line)
    })
  }
}

/** The module type of each kind of file in the build, as in wrangler.toml. */
const moduleTypes: Record<string, string> = { '.js': 'ESModule', '.wasm': 'CompiledWasm', '.woff': 'Data' }

/** The bindings of the local Worker, named as in wrangler.toml. */
function workerOptions({
  env,
  port,
  vars = {},
  before,
  build = join(root, 'build'),
}: LocalOptions): WorkerOptions {
  const folder = join(build, 'server')
  const files = (readdirSync(folder, { recursive: true }) as string[]).filter((name) =>
    Object.hasOwn(moduleTypes, extname(name)),
  )
  // The first module is the entry.
  files.sort((a, b) => Number(b === 'index.js') - Number(a === 'index.js') || a.localeCompare(b))
  return {
    modulesRoot: folder,
    modules: [
      ...(before === undefined
        ? []
        : [{ type: 'ESModule' as const, path: join(folder, 'before.js'), contents: before }]),
      ...files.map((name) => ({
        type: moduleTypes[extname(name)],
        path: join(folder, name),
        contents: name.endsWith('.js')
          ? readFileSync(join(folder, name), 'utf8')
          : readFileSync(join(folder, name)),
      })),
    ],
    compatibilityDate: '2026-04-01',
    compatibilityFlags: ['nodejs_compat'],
    r2Buckets: ['FILES', 'TILES', 'HUBS'],
    ...limiters(vars.RATE_LIMITS),
    queueProducers: { QUEUE: 'events', JOBS: 'jobs' },
    queueConsumers: Object.fromEntries(
      ['events', 'jobs'].map((name) => [name, { maxBatchSize: 20, maxBatchTimeout: 1 }]),
    ),
    bindings: {
      ENVIRONMENT: 'development',
      APP_HOST: `localhost:${port}`,
      PUBLIC_HOST: `localhost:${port}`,
      SCHEME: 'http',
      AUTH_SECRET: localAuthSecret,
      MAIL_FROM: 'Commonplace <hello@localhost>',
      SECOND_FACTOR: 'optional',
      ORGANIZATIONS: 'anyone',
      SUPPORT_URL: 'https://support.commonplace.example',
      ...env,
      ...vars,
    },
    assets: {
      directory: join(build, 'client'),
      binding: 'ASSETS',
      routerConfig: { has_user_worker: true, invoke_user_worker_ahead_of_assets: true },
    },
  } as WorkerOptions
}

/** The secret of the local Worker, which the seed encrypts with as well. */
export const localAuthSecret = 'only-for-this-machine-0123456789abcdef'

/** Rate limiters like the platform's, with the given numbers. Without numbers nothing is limited. */
function limiters(text: string | undefined): Pick<WorkerOptions, never> {
  if (!text) return {}
  const limits = Object.entries(parseRates(text)).map(([name, limit]) => [
    `RATE_${name.toUpperCase()}`,
    { simple: { limit, period: 60 } },
  ])
  return { ratelimits: Object.fromEntries(limits) as object }
}

/** Returns a free port. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

/** Throws an error that names the process using the port and what to do, when the port is taken. */
export async function checkPort(port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const server = createServer()
    server.once('error', ({ code }: NodeJS.ErrnoException) => {
      const other = `choose another port: PORT=${port < 1024 ? 8787 : port + 1} npm start`
      if (code === 'EACCES')
        return reject(new CommandError(`This user may not listen on port ${port}: ${other}`))
      const holder = listenerOn(port)
      reject(
        new CommandError(
          holder
            ? `Port ${port} is in use by process ${holder.pid} (${holder.command}). Stop it (kill ${holder.pid}), or ${other}`
            : `Port ${port} is in use by a process of another user. Stop it, or ${other}`,
        ),
      )
    })
    server.listen(port, '127.0.0.1', () => server.close(() => resolve()))
  })
}
