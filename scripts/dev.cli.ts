import { endChildrenWithUs, exitWithParent } from './children.ts'
import { checkPort, findFreePort, CommandError } from './local.ts'
import { openDevServer } from './dev-server.ts'
import { start } from './start.ts'

// The built Worker provides the buckets and renders the hubs; Vite runs the same entry from the sources, with
// hot reload.
endChildrenWithUs()
let shutDown = async () => process.exit(1)
exitWithParent(() => void shutDown())
const port = Number(process.env.PORT ?? 8787)
try {
  await checkPort(port)
  const running = await start({ port: await findFreePort(), log: console.log })
  const vite = await openDevServer(running.miniflare, port)
  console.log(`\nDevelopment server with hot reload: http://localhost:${port}\nStop with Ctrl+C.`)
  shutDown = async () => {
    await vite.close()
    await running.close()
    return process.exit(0)
  }
  process.on('SIGINT', () => void shutDown())
  process.on('SIGTERM', () => void shutDown())
} catch (error) {
  console.error(error instanceof CommandError ? error.message : error)
  process.exit(1)
}
