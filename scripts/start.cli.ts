import { endChildrenWithUs, exitWithParent } from './children.ts'
import { CommandError } from './local.ts'
import { start } from './start.ts'

endChildrenWithUs()
let shutDown = async () => process.exit(1)
exitWithParent(() => void shutDown())
const port = Number(process.env.PORT ?? 8787)
try {
  const folder = process.env.DATA_FOLDER
  const running = await start({
    port,
    ...(folder ? { folder } : {}),
    fresh: process.argv.includes('--fresh'),
    log: console.log,
  })
  const { demo, url } = running
  console.log(`\nCommonplace is ready.\n\n  Workspace   ${url}`)
  for (const place of demo.places) {
    const addresses = place.hosts.map((host) => `http://${host}:${port}`).join('   ')
    console.log(`  ${place.id.padEnd(11)} ${place.isHub ? addresses : '(not a hub)'}`)
  }
  console.log(`  Mail        ${url}/outbox\n  API         ${url}/v1\n\n  Accounts (password, role):`)
  for (const account of demo.accounts) {
    console.log(`  ${account.email.padEnd(32)} ${account.password.padEnd(22)} ${account.role}`)
  }
  console.log('\nStop with Ctrl+C.')
  shutDown = async () => {
    await running.close()
    return process.exit(0)
  }
  process.on('SIGINT', () => void shutDown())
  process.on('SIGTERM', () => void shutDown())
} catch (error) {
  console.error(error instanceof CommandError ? error.message : error)
  process.exit(1)
}
