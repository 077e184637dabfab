import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { CommandError } from './local.ts'

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** The same browser without support for windows: it renders the same pages in half the processor time. */
const headless = '/usr/bin/chromium-headless-shell'

/**
 * Returns the browser for the walks of `npm test`: the headless-only one where it is installed, else that of
 * `findChromium`.
 */
export function findHeadless(): string {
  return !process.env.CHROMIUM && existsSync(headless) ? headless : findChromium()
}

/**
 * Returns the browser for the tests; installs Debian's package where possible. Throws an error that says how
 * to get one.
 */
export function findChromium(): string {
  const configured = process.env.CHROMIUM
  if (configured && existsSync(configured)) return configured
  const path = places.find((path) => existsSync(path))
  if (path) return path
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Chromium for the browser tests …')
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit' })
    spawnSync('apt-get', ['install', '-y', '-qq', 'chromium'], { stdio: ['ignore', 'ignore', 'inherit'] })
    if (existsSync('/usr/bin/chromium')) return '/usr/bin/chromium'
  }
  throw new CommandError(
    'The browser tests need Chromium or Chrome. Install it, or name it: CHROMIUM=/path/to/chromium npm test',
  )
}
