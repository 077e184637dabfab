import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from './build.ts'
import { searchSuite } from './crawl/search.ts'
import { crawlSuite } from './crawl/suite.ts'
import { apiSuites } from './figures-api.ts'
import { isKept, storeFigures, readStoredFigures, type PromisedFigure } from './stored-figures.ts'
import type { FigureReporter } from './figures-proof.ts'
import { beaconBytes, brotliBytes, bundles } from './figures.ts'
import { findFreePort } from './local.ts'
import { truthSuite } from './truth/suite.ts'

/**
 * Measures and prints the figures that the project promises, one suite after the other; with a name only that
 * suite: `npm run test:full -- start`. With `--resume` suites that were already run on the same sources are
 * skipped. Exits with status 1 when a promise is broken.
 */
let promises: PromisedFigure[] = []
function print(promised: PromisedFigure) {
  const { figure, measured, bound, is, unit } = promised
  const value = Number.isInteger(measured) ? measured : measured.toFixed(1)
  console.log(`${isKept(promised) ? '✓' : '✗'} ${figure}: ${value} ${unit} (at ${is} ${bound})`)
}
const add = (promised: PromisedFigure) => {
  promises.push(promised)
  print(promised)
}
const promise = (figure: string, measured: number, bound: number, unit: string) =>
  add({ figure, measured, bound, is: 'most', unit })
const reporter: FigureReporter = {
  most: promise,
  least: (figure, measured, bound, unit) => add({ figure, measured, bound, is: 'least', unit }),
  log: (line) => console.log(line),
}

const suites: Record<string, (options: Record<string, string>) => Promise<void>> = {
  /** The size of what the Worker loads. */
  async bundles() {
    await build(console.log)
    const [path, ...later] = bundles()
    if (!path) return
    promise('public path of the Worker, gzip', path.gzip / 1000, 60, 'kB')
    promise(
      'chunks of it that hold React',
      path.files.filter((file) => /react|remix|server-build/.test(file)).length,
      0,
      'files',
    )
    promise('beacon of hub pages, brotli', beaconBytes() / 1000, 1.5, 'kB')
    for (const { name, bytes, gzip } of later)
      console.log(`  ${name}: ${(bytes / 1000).toFixed(0)} kB, gzip ${(gzip / 1000).toFixed(0)} kB`)
  },

  /** The duration of a first and a second start, from the command to a page. */
  async start() {
    const folder = mkdtempSync(join(tmpdir(), 'commonplace-'))
    const port = await findFreePort()
    promise('first start to the first page', await startOnce(folder, port), 180, 's')
    promise('second start to the first page', await startOnce(folder, port), 15, 's')
    rmSync(folder, { recursive: true, force: true })
  },

  /** The amount of data that a reader's phone loads. */
  async pages() {
    const folder = mkdtempSync(join(tmpdir(), 'commonplace-'))
    const port = await findFreePort()
    await startOnce(folder, port, async () => {
      const largest = { path: '', bytes: 0 }
      for (const [host, paths] of Object.entries(await readable(port))) {
        for (const path of paths) {
          const bytes = brotliBytes(await get(port, host, path))
          if (bytes > largest.bytes) Object.assign(largest, { path: `${host}${path}`, bytes })
        }
      }
      promise(`largest hub page with its styles, brotli (${largest.path})`, largest.bytes / 1000, 45, 'kB')
    })
    rmSync(folder, { recursive: true, force: true })
  },

  /**
   * All units on the embedded database; `npm test` runs only some of them there when a Postgres is set. A
   * selection: `--only functions/domain/dataset`.
   */
  async embedded({ only = '' }) {
    const env = { ...process.env }
    delete env.TEST_POSTGRES_URL
    const files = only ? [only] : []
    const { status } = spawnSync('npx', ['--no-install', 'vitest', '--run', ...files], {
      stdio: 'inherit',
      env,
    })
    promise('units on the embedded database: runs that failed', status === 0 ? 0 : 1, 0, 'runs')
  },

  /** The tests that `npm test` leaves out, and those whole of which it runs a cross-section. */
  async extended() {
    const { status } = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/test.cli.ts', 'extended'], {
      stdio: 'inherit',
    })
    promise('extended tests: runs that failed', status === 0 ? 0 : 1, 0, 'runs')
  },

  /** The size of a hub's search index, and the speed of a search. */
  search: () => searchSuite(reporter),

  /** A hub whose database is unreachable, and bots that search it. */
  crawl: (options) => crawlSuite(reporter, options),

  /**
   * Figures and sentences compared with the files they come from: `-- truth --seed 7 --figures 500`, `--
   * truth --part demo`.
   */
  truth: (options) => truthSuite(reporter, options),

  ...Object.fromEntries(
    Object.entries(apiSuites).map(([name, suite]) => [
      name,
      (options: Record<string, string>) => suite(reporter, options),
    ]),
  ),
}

/**
 * Starts the product in a process of its own, and stops it after `whileUp`; returns the seconds until its
 * first page.
 */
async function startOnce(folder: string, port: number, whileUp?: () => Promise<void>): Promise<number> {
  const startMs = performance.now()
  const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/start.cli.ts'], {
    env: { ...process.env, PORT: String(port), DATA_FOLDER: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes('Commonplace is ready')) resolve()
    })
    child.on('exit', (code) => reject(new Error(`The start failed (${code}).`)))
  })
  await get(port, 'usa.localhost', '/')
  const seconds = (performance.now() - startMs) / 1000
  child.removeAllListeners('exit')
  await whileUp?.()
  child.kill('SIGTERM')
  await new Promise((resolve) => child.on('exit', resolve))
  return seconds
}

async function readable(port: number): Promise<Record<string, string[]>> {
  const problems: Record<string, string[]> = {}
  for (const host of ['data.seattle.localhost', 'usa.localhost']) {
    const paths = new Set(['/', '/datastories', '/domains', '/map', '/about'])
    for (const path of [...paths]) {
      const html = await get(port, host, path)
      for (const [, href] of html.matchAll(/href="(\/(?:domains|pages)\/[^"#?]*)"/g)) paths.add(href ?? '/')
    }
    problems[host] = [...paths]
  }
  return problems
}

function get(port: number, host: string, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, headers: { host: `${host}:${port}` } }
    const httpRequest = request(options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve(Buffer.concat(chunks).toString()))
    })
    httpRequest.on('error', reject)
    httpRequest.end()
  })
}

const words = process.argv.slice(2)
if (words.includes('--help')) {
  console.log('npm run test:full [-- <suite> [options of the suite]] [--resume]')
  console.log(`Without a suite all run, which takes hours. Suites: ${Object.keys(suites).join(', ')}.`)
  process.exit(0)
}
const isResuming = words.includes('--resume')
const options = Object.fromEntries(
  words.flatMap((word, i) => (word.startsWith('--') ? [[word.slice(2), words[i + 1] ?? '']] : [])),
)
const only = words.find((word, i) => !word.startsWith('--') && !(words[i - 1] ?? '').startsWith('--'))
if (only && !Object.hasOwn(suites, only)) {
  console.error(`There is no suite "${only}". There are: ${Object.keys(suites).join(', ')}.`)
  process.exit(2)
}
const all: PromisedFigure[] = []
for (const [name, suite] of Object.entries(suites)) {
  if (only && only !== name) continue
  console.log(`\n── ${name}`)
  const before = isResuming ? readStoredFigures(name) : null
  promises = []
  if (before) before.forEach(add)
  else {
    await suite(options)
    storeFigures(name, promises)
  }
  all.push(...promises)
}
const missed = all.filter((promised) => !isKept(promised))
console.log(`\n${all.length - missed.length} promises kept, ${missed.length} not`)
process.exit(missed.length === 0 ? 0 : 1)
