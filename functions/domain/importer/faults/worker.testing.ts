import { fileURLToPath } from 'node:url'
import { readdirSync, readFileSync } from 'node:fs'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'
import type { DbEnv } from '#db/connect.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

/** A worker in the production runtime that handles queue messages: `processJobs`. */
export interface RealWorker {
  /** Sends a message; resolves when it has been worked on. Rejects when the worker dies of it. */
  message(): Promise<void>
  /** Kills its process as a failing machine would: SIGKILL, at any moment. */
  kill(): void
  close(): Promise<void>
}

/** The bundle of that worker; built once. `fetch` of the product is redirected to a local server. */
export async function bundle(): Promise<string> {
  const buildResult = await build({
    stdin: {
      contents: `import { openSystem } from './functions/api/request-context.ts'
        import { fetchPorts } from './functions/domain/importer/ports.ts'
        import { processJobs } from './functions/domain/importer/job/work.ts'
        export default { async fetch(request, env) {
          const { ctx, close } = openSystem(env)
          const ports = {
            ...fetchPorts(ctx),
            fetch: (url, init) => {
              const { pathname, search } = new URL(url)
              return fetch('http://127.0.0.1:' + env.REMOTE_PORT + pathname + search, init)
            },
            resolve: async () => ['93.184.216.34'],
          }
          const steps = await processJobs(ctx, ports)
          await close()
          return Response.json({ steps })
        } }`,
      resolveDir: root,
    },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['node:*', 'cloudflare:*', '*.wasm', '*.woff', 'virtual:*'],
    loader: { '.css': 'empty' },
    write: false,
    logLevel: 'error',
  })
  return buildResult.outputFiles[0]?.text ?? ''
}

/** Starts it in a separate process, with its bucket in `folder`, which the next one reuses. */
export async function startWorker(
  code: string,
  options: { env: DbEnv; remotePort: number; folder: string },
): Promise<RealWorker> {
  const before = workerdsOfOurs()
  const miniflare = new Miniflare({
    modules: [{ type: 'ESModule', path: 'index.js', contents: code }],
    compatibilityDate: '2026-04-01',
    compatibilityFlags: ['nodejs_compat'],
    r2Buckets: ['FILES', 'TILES', 'HUBS'],
    r2Persist: options.folder,
    queueProducers: { QUEUE: 'events' },
    bindings: {
      ...options.env,
      ENVIRONMENT: 'test',
      APP_HOST: 'localhost:8787',
      PUBLIC_HOST: 'localhost:8787',
      SCHEME: 'http',
      AUTH_SECRET: 'a secret that only tests know, long enough',
      MAIL_FROM: 'hub@example.com',
      SUPPORT_URL: 'https://support.test',
      REMOTE_PORT: String(options.remotePort),
    },
  })
  const at = await miniflare.ready
  const [pid] = workerdsOfOurs().filter((each) => !before.includes(each))
  if (pid === undefined) throw new Error('The process of the worker was not found.')
  return {
    async message() {
      const response = await fetch(at, { method: 'POST' })
      if (!response.ok) throw new Error(await response.text())
      await response.body?.cancel()
    },
    kill: () => process.kill(pid, 'SIGKILL'),
    close: () => miniflare.dispose(),
  }
}

/** The processes of workerd that this one has started. */
export function workerdsOfOurs(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const [, name = '', rest = ''] =
          /^\d+ \((.*)\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
        const parent = Number(rest.split(' ')[1])
        return name.startsWith('workerd') && parent === process.pid ? [Number(pid)] : []
      } catch {
        return []
      }
    })
}
