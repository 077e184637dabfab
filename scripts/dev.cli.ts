import { createServer } from 'vite'
import { endChildrenWithUs, leaveWithParent } from './children.ts'
import { checkPort, freePort, Stop } from './local.ts'
import { start } from './start.ts'
import { bindWorker } from './worker-dev.ts'

// The built Worker keeps the buckets and renders the hubs; Vite runs the same entry from the sources, with hot reload.
endChildrenWithUs()
let leave = async () => process.exit(1)
leaveWithParent(() => void leave())
const port = Number(process.env.PORT ?? 8787)
try {
  await checkPort(port)
  const running = await start({ port: await freePort(), log: console.log })
  const env = await running.miniflare.getBindings<Record<string, unknown>>()
  const host = `localhost:${port}`
  const { default: ws } = await import('ws')
  Object.assign(globalThis, {
    WebSocket: globalThis.WebSocket ?? ws,
    caches: await running.miniflare.getCaches(),
  })
  bindWorker({
    env: { ...env, APP_HOST: host, PUBLIC_HOST: host },
    context: {
      waitUntil: (promise: Promise<unknown>) => void promise.catch(console.error),
      passThroughOnException() {},
    },
  })
  // The build that `start` may have made leaves 'production' behind.
  process.env.NODE_ENV = 'development'
  process.env.PORT = String(port)
  const vite = await createServer({ configFile: 'vite.config.ts' })
  await vite.listen()
  console.log(`\nDevelopment server with hot reload: http://${host}\nStop with Ctrl+C.`)
  leave = async () => {
    await vite.close()
    await running.close()
    return process.exit(0)
  }
  process.on('SIGINT', () => void leave())
  process.on('SIGTERM', () => void leave())
} catch (error) {
  console.error(error instanceof Stop ? error.message : error)
  process.exit(1)
}
