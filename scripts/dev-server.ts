import { createServer, type ViteDevServer } from 'vite'
import type { openWorker } from './local.ts'
import { bindWorker } from './worker-dev.ts'

/**
 * Serves the Worker from its sources, with hot reload, at a port of this machine. It uses the buckets, queues
 * and database of the built Worker that runs beside it.
 */
export async function openDevServer(
  miniflare: Awaited<ReturnType<typeof openWorker>>['miniflare'],
  port: number,
): Promise<ViteDevServer> {
  const env = await miniflare.getBindings<Record<string, unknown>>()
  const host = `localhost:${port}`
  const { default: ws } = await import('ws')
  Object.assign(globalThis, {
    WebSocket: globalThis.WebSocket ?? ws,
    caches: await miniflare.getCaches(),
  })
  bindWorker({
    env: { ...env, APP_HOST: host, PUBLIC_HOST: host },
    context: {
      waitUntil: (promise: Promise<unknown>) => void promise.catch(console.error),
      passThroughOnException() {},
    },
  })
  // A build in this process sets it to 'production', a test to 'test'.
  process.env.NODE_ENV = 'development'
  process.env.PORT = String(port)
  const vite = await createServer({ configFile: 'vite.config.ts' })
  return vite.listen()
}
