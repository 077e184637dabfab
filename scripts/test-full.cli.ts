import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from './build.ts'
import { brotliBytes, bundles } from './figures.ts'
import { freePort } from './local.ts'

/**
 * Prints the figures that the project promises, one suite after the other; name a suite to run it alone:
 * `npm run test:full -- start`. Ends with a status of 1 when a promise is not kept.
 */
const promises: { figure: string; measured: number; most: number; unit: string }[] = []
const promise = (figure: string, measured: number, most: number, unit: string) => {
  promises.push({ figure, measured, most, unit })
  console.log(`${measured <= most ? '✓' : '✗'} ${figure}: ${measured.toFixed(1)} ${unit} (at most ${most})`)
}

const suites: Record<string, () => Promise<void>> = {
  /** How large what the Worker loads is. */
  async bundles() {
    await build(console.log)
    const [path, ...later] = bundles()
    if (!path) return
    promise('public path of the Worker, gzip', path.gzip / 1000, 120, 'kB')
    promise(
      'chunks of it that hold React',
      path.files.filter((file) => /react|remix|server-build/.test(file)).length,
      0,
      'files',
    )
    for (const { name, bytes, gzip } of later)
      console.log(`  ${name}: ${(bytes / 1000).toFixed(0)} kB, gzip ${(gzip / 1000).toFixed(0)} kB`)
  },

  /** How long a first and a second start take, from the command to a page. */
  async start() {
    const folder = mkdtempSync(join(tmpdir(), 'commonplace-'))
    const port = await freePort()
    promise('first start to the first page', await startOnce(folder, port), 180, 's')
    promise('second start to the first page', await startOnce(folder, port), 15, 's')
    rmSync(folder, { recursive: true, force: true })
  },

  /** How much a reader's phone loads. */
  async pages() {
    const folder = mkdtempSync(join(tmpdir(), 'commonplace-'))
    const port = await freePort()
    await startOnce(folder, port, async () => {
      const largest = { path: '', bytes: 0 }
      for (const [host, paths] of Object.entries(await readable(port))) {
        for (const path of paths) {
          const html = await get(port, host, path)
          const css = await get(port, host, /<link rel="stylesheet" href="([^"]+)"/.exec(html)?.[1] ?? '/')
          const bytes = brotliBytes(html, css)
          if (bytes > largest.bytes) Object.assign(largest, { path: `${host}${path}`, bytes })
        }
      }
      promise(
        `largest hub page with its style sheet, brotli (${largest.path})`,
        largest.bytes / 1000,
        45,
        'kB',
      )
    })
    rmSync(folder, { recursive: true, force: true })
  },
}

/** Starts the product in a process of its own; gives the seconds until its first page. Stops it after `whileUp`. */
async function startOnce(folder: string, port: number, whileUp?: () => Promise<void>): Promise<number> {
  const began = performance.now()
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
  const seconds = (performance.now() - began) / 1000
  child.removeAllListeners('exit')
  await whileUp?.()
  child.kill('SIGTERM')
  await new Promise((resolve) => child.on('exit', resolve))
  return seconds
}

async function readable(port: number): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const host of ['data.seattle.localhost', 'usa.localhost']) {
    const paths = new Set(['/', '/datastories', '/domains', '/map', '/about'])
    for (const path of [...paths]) {
      const html = await get(port, host, path)
      for (const [, href] of html.matchAll(/href="(\/(?:domains|pages)\/[^"#?]*)"/g)) paths.add(href ?? '/')
    }
    found[host] = [...paths]
  }
  return found
}

function get(port: number, host: string, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, headers: { host: `${host}:${port}` } }
    const sent = request(options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve(Buffer.concat(chunks).toString()))
    })
    sent.on('error', reject)
    sent.end()
  })
}

const [only] = process.argv.slice(2)
for (const [name, suite] of Object.entries(suites)) {
  if (only && only !== name) continue
  console.log(`\n── ${name}`)
  await suite()
}
const broken = promises.filter(({ measured, most }) => measured > most)
console.log(`\n${promises.length - broken.length} promises kept, ${broken.length} not`)
process.exit(broken.length === 0 ? 0 : 1)
