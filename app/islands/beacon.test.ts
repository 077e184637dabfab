import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { build } from 'esbuild'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import * as v from 'valibot'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Beacon, maxBeaconBytes } from '#functions/shapes/beacon.ts'
import { findChromium } from '#scripts/chromium.ts'
import { brotliBytes } from '#scripts/figures.ts'

/** The scripts of a hub page by URL, as served to browsers. */
const scripts = new Map<string, string>()
let alone = ''
const beacons: { body: string; headers: Record<string, unknown> }[] = []
const requests: string[] = []

let server: Server
let browser: Browser
let origin = ''

const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Hub</title>
<script src="/hub.js" type="module"></script></head><body><h1>A hub</h1><p>With a paragraph of text.</p>
<button onclick="const until = performance.now() + 60; while (performance.now() < until);">Slow</button></body></html>`

beforeAll(async () => {
  const options = { bundle: true, minify: true, target: 'es2022', format: 'esm', write: false } as const
  const [hub, one] = await Promise.all([
    build({
      ...options,
      entryPoints: ['app/islands/hub.ts'],
      splitting: true,
      outdir: '/',
      loader: { '.css': 'empty' },
    }),
    build({ ...options, entryPoints: ['app/islands/beacon.ts'] }),
  ])
  for (const { path, text } of hub.outputFiles) scripts.set(path, text)
  alone = one.outputFiles[0]?.text ?? ''
  server = createServer((request, response) => {
    const path = request.url ?? ''
    requests.push(`${request.method} ${path}`)
    if (path === '/beacon') {
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => beacons.push({ body, headers: request.headers }))
      response.writeHead(204).end()
      return
    }
    const script = scripts.get(path)
    response.setHeader('content-type', script === undefined ? 'text/html' : 'text/javascript')
    response.setHeader('content-security-policy', "default-src 'self'; script-src 'self' 'unsafe-inline'")
    response.end(script ?? page)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  // Automated browsers are not counted; this one hides that it is one.
  const args = ['--no-sandbox', '--disable-blink-features=AutomationControlled']
  browser = await chromium.launch({ executablePath: findChromium(), args })
})
afterAll(async () => {
  await browser.close()
  server.close()
})
beforeEach(() => {
  beacons.length = 0
  requests.length = 0
})

/** Opens a page as a reader would, and waits until its beacon observes. */
async function open(context: BrowserContext, path: string, referer?: string) {
  const tab = await context.newPage()
  await tab.goto(origin + path, referer ? { referer } : {})
  await waitForBeacon(tab)
  return tab
}
/** Waits until the beacon of a page has run; after the request it may still be loading. */
async function waitForBeacon(tab: Page) {
  const path = () => requests.find((line) => line.includes('/beacon-'))?.replace('GET ', '')
  await expect.poll(path).toBeDefined()
  // As a string, since Vitest would transform an `import`.
  await tab.evaluate(`import(${JSON.stringify(path())}).then(() => {})`)
}
const settled = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('is at most 1.5 kB', () => {
  const bytes = brotliBytes(alone)
  console.log(`beacon.ts: ${bytes} B brotli`)
  expect(bytes).toBeLessThanOrEqual(1500)
})

test('sends once, when the page is left, a valid body: path, referring host, speed', async () => {
  const context = await browser.newContext()
  const tab = await open(context, '/domains?search=secret#there', 'https://news.example/story?id=7')
  await tab.getByRole('button').click()
  await settled(300)
  expect(beacons).toEqual([])
  requests.length = 0
  await tab.evaluate(() => (location.href = '/es'))
  await expect.poll(() => beacons.length).toBe(1)
  await waitForBeacon(tab)
  requests.length = 0
  await tab.reload()
  await expect.poll(() => beacons.length).toBe(2)
  await waitForBeacon(tab)
  await tab.goto('about:blank')
  await expect.poll(() => beacons.length).toBe(3)
  const [first, second, third] = beacons.map(({ body }) => v.parse(Beacon, JSON.parse(body)))
  expect(first).toMatchObject({ path: '/domains', from: 'news.example', device: 'desktop', cls: 0 })
  expect(first?.lcp).toBeGreaterThan(0)
  expect(first?.ttfb).toBeGreaterThanOrEqual(0)
  expect(first?.inp).toBeGreaterThanOrEqual(40)
  expect([second?.path, second?.from]).toEqual(['/es', undefined])
  // Reloading the same page is not another visit.
  expect([third?.path, third?.from]).toEqual(['/es', undefined])
  for (const { body, headers } of beacons) {
    expect(body.length).toBeLessThan(maxBeaconBytes)
    expect(body).not.toMatch(/secret|there|story/)
    expect(headers.cookie).toBeUndefined()
    expect(headers['sec-fetch-site']).toBe('same-origin')
  }
  expect(await context.cookies()).toEqual([])
  const tabAgain = await context.newPage()
  await tabAgain.goto(origin)
  expect(await tabAgain.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0])
  await context.close()
})

test('a direct visit has an empty referring host', async () => {
  const context = await browser.newContext({
    viewport: { width: 390, height: 800 },
    screen: { width: 390, height: 800 },
  })
  const tab = await open(context, '/')
  await tab.goto('about:blank')
  await expect.poll(() => beacons.length).toBe(1)
  expect(JSON.parse(beacons[0]?.body ?? '')).toMatchObject({ path: '/', from: '', device: 'phone' })
  await context.close()
})

test('is not loaded for readers with tracking protection, nor for automated browsers', async () => {
  for (const [name, value] of [
    ['globalPrivacyControl', true],
    ['doNotTrack', '1'],
    ['webdriver', true],
  ]) {
    const context = await browser.newContext()
    const script = `Object.defineProperty(Navigator.prototype, '${String(name)}', { get: () => ${JSON.stringify(value)} })`
    await context.addInitScript(script)
    const tab = await context.newPage()
    await tab.goto(origin)
    await settled(600)
    await tab.goto('about:blank')
    await settled(200)
    expect(requests.filter((line) => line.includes('beacon'))).toEqual([])
    await context.close()
  }
})
