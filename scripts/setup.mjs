// Plain JavaScript that runs before anything is installed: checks Node, installs missing packages, and starts
// the command.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Commonplace needs Node 20.19 or newer; this is ${process.version}. Install a newer Node and run this again.`,
  )
  process.exit(1)
}

const root = new URL('..', import.meta.url)
process.chdir(fileURLToPath(root))
const stamp = new URL('node_modules/.installed', root)
const lock = createHash('sha256')
  .update(readFileSync(new URL('package-lock.json', root)))
  .digest('hex')
const isInstalled = existsSync(stamp) && readFileSync(stamp, 'utf8') === lock
if (!isInstalled) {
  console.log('Installing the dependencies (about a minute the first time) …')
  const installed = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (installed.status !== 0) {
    console.error('The dependencies could not be installed. Look at the lines above, then run this again.')
    process.exit(installed.status ?? 1)
  }
  mkdirSync(new URL('node_modules/', root), { recursive: true })
  writeFileSync(stamp, lock)
}

const [name = 'start', ...rest] = process.argv.slice(2)
// Only installs, for scripts that have other work to do meanwhile.
if (name === 'install') process.exit(0)
const script = { start: 'start', dev: 'dev', test: 'test', 'test:full': 'test-full', bench: 'bench' }[name]
// By the IPC channel the child notices when this process is gone, even when it was killed.
const child = spawn(process.execPath, ['--import', 'tsx', `scripts/${script}.cli.ts`, ...rest], {
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
})
// Ctrl+C reaches both processes; the child decides when it has shut down.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('exit', (status) => process.exit(status ?? 1))
