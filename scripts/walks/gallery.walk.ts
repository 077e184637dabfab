import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ViteDevServer } from 'vite'
import { build } from '../build.ts'
import { openDevServer } from '../dev-server.ts'
import { freePort, openDatabase, openWorker, type LocalDatabase } from '../local.ts'
import { isFull, keepFigures } from '#functions/v1/testing/figures.testing.ts'
import { violations } from './axe.ts'
import { listening, openBrowser, openWindow, overflow, type Browser } from './browser.ts'

/** Where the pictures of a walk are put, to be looked at. */
const pictures = '.cache/gallery'

/** A development server makes each module when a page asks for it, which takes minutes where others work beside it. */
const timeout = 600_000

let database: LocalDatabase
let worker: Awaited<ReturnType<typeof openWorker>>
let buildFolder: string
let development: string
let vite: ViteDevServer
let browser: Browser
let photographed = 0

beforeAll(async () => {
  if (!isFull) return
  await build(console.log)
  database = await openDatabase(null)
  const port = await freePort()
  buildFolder = `http://localhost:${port}`
  const vars = { APP_HOST: `localhost:${port}` }
  worker = await openWorker({ env: database.env, port, folder: null, vars })
  const ownPort = await freePort()
  development = `http://localhost:${ownPort}`
  vite = await openDevServer(worker.miniflare, ownPort)
  browser = await openBrowser()
  mkdirSync(pictures, { recursive: true })
  // Asked for once before anyone looks at it, until React listens: every module is made then, and the page is not loaded anew for one.
  // By the browser itself, since an `openWindow` says what it saw when its test fails.
  const page = await browser.newPage()
  page.setDefaultTimeout(timeout)
  await page.goto(`${development}/gallery`)
  await page.getByRole('heading', { level: 1, name: 'Gallery' }).waitFor()
  await listening(page)
  await page.close()
}, 2 * timeout)
afterAll(async () => {
  await browser?.close()
  await vite?.close()
  await worker?.close()
  await database?.close()
})

test.skipIf(!isFull)('the build has no gallery: neither at its address nor in any file', async () => {
  expect((await fetch(`${buildFolder}/gallery`)).status).toBe(404)
  const files = (readdirSync('build', { recursive: true }) as string[]).filter((name) =>
    /\.(js|json)$/.test(name),
  )
  expect(files.length).toBeGreaterThan(50)
  const texts = files.map((name) => [name, readFileSync(join('build', name), 'utf8')] as const)
  // What is in the build is found in it: a screen beside the gallery.
  expect(texts.some(([, text]) => text.includes('routes/explore'))).toBe(true)
  expect(texts.filter(([, text]) => text.includes('routes/gallery')).map(([name]) => name)).toEqual([])
  const words = 'The components that several rooms share, in their states.'
  expect(texts.filter(([, text]) => text.includes(words)).map(([name]) => name)).toEqual([])
})

test.skipIf(!isFull).each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 320],
  ['dark', 320],
] as const)('every component stands the %s theme at %i px', async (scheme, width) => {
  const { page, context, foreign, complaints } = await openWindow(browser, { scheme, width })
  page.setDefaultTimeout(60_000)
  const shot = async (name: string) =>
    void (await page.screenshot({ path: `${pictures}/${scheme}-${width}${name}.png`, fullPage: name === '' }))
  await page.goto(`${development}/gallery`)
  await page.getByRole('heading', { level: 1, name: 'Gallery' }).waitFor()
  await listening(page)
  await page.evaluate(() => document.fonts.ready)
  expect(await overflow(page)).toBe(0)
  expect(await violations(page)).toEqual([])
  // A drawing is laid out when it comes into view: the whole page is one.
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width, height })
  await shot('')
  await page.setViewportSize({ width, height: 900 })

  await page.getByRole('button', { name: 'Delete…' }).click()
  await page.getByRole('alertdialog').waitFor()
  expect(await violations(page)).toEqual([])
  await shot('-dialog')
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })

  // React mounts twice in development: what is said before the place of messages is there goes with its first mount.
  await page.getByRole('button', { name: 'Show a success' }).click()
  await page.locator('.Toastify').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Show a success' }).click()
  await page.getByText('The collection is saved.').waitFor()
  await page.getByRole('button', { name: 'Show a failure' }).click()
  const failure = page.getByText('That did not work. Try again.')
  await failure.waitFor()
  await shot('-toasts')
  // A message stays while the pointer is on it: the look at the page takes longer than the three seconds of the others.
  await failure.hover()
  expect(await violations(page)).toEqual([])
  expect(await failure.count()).toBe(1)
  expect(foreign).toEqual([])
  expect(complaints).toEqual([])
  photographed += 1
  keepFigures('gallery', { photographed })
  await context.close()
})
