import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ViteDevServer } from 'vite'
import { build } from '../build.ts'
import { openDevServer } from '../dev-server.ts'
import { findFreePort, openDatabase, openWorker, type LocalDatabase } from '../local.ts'
import { isFullRun, writeMeasurements } from '#functions/v1/testing/figures.testing.ts'
import { findViolations } from './axe.ts'
import { waitForHydration, openBrowser, openWindow, measureOverflow, type Browser } from './browser.ts'

/** The folder of screenshots. */
const pictures = '.cache/gallery'

/**
 * A development server transforms each module on its first request, which takes minutes while other work
 * runs.
 */
const timeout = 600_000

let database: LocalDatabase
let worker: Awaited<ReturnType<typeof openWorker>>
let buildFolder: string
let development: string
let vite: ViteDevServer
let browser: Browser
let photographed = 0

beforeAll(async () => {
  if (!isFullRun) return
  await build(console.log)
  database = await openDatabase(null)
  const port = await findFreePort()
  buildFolder = `http://localhost:${port}`
  const vars = { APP_HOST: `localhost:${port}` }
  worker = await openWorker({ env: database.env, port, folder: null, vars })
  const ownPort = await findFreePort()
  development = `http://localhost:${ownPort}`
  vite = await openDevServer(worker.miniflare, ownPort)
  browser = await openBrowser()
  mkdirSync(pictures, { recursive: true })
  // Loads the page once until it is hydrated: this transforms every module, so the page does not reload for
  // one later. Opened by the browser directly, because `openWindow` reports when its test fails.
  const page = await browser.newPage()
  page.setDefaultTimeout(timeout)
  await page.goto(`${development}/gallery`)
  await page.getByRole('heading', { level: 1, name: 'Gallery' }).waitFor()
  await waitForHydration(page)
  await page.close()
}, 2 * timeout)
afterAll(async () => {
  await browser?.close()
  await vite?.close()
  await worker?.close()
  await database?.close()
})

test.skipIf(!isFullRun)('the build contains no gallery, neither at its address nor in any file', async () => {
  expect((await fetch(`${buildFolder}/gallery`)).status).toBe(404)
  const files = (readdirSync('build', { recursive: true }) as string[]).filter((name) =>
    /\.(js|json)$/.test(name),
  )
  expect(files.length).toBeGreaterThan(50)
  const texts = files.map((name) => [name, readFileSync(join('build', name), 'utf8')] as const)
  // Proves that the search finds what is in the build: a screen beside the gallery.
  expect(texts.some(([, text]) => text.includes('routes/explore'))).toBe(true)
  expect(texts.filter(([, text]) => text.includes('routes/gallery')).map(([name]) => name)).toEqual([])
  const words = 'The components that several rooms share, in their states.'
  expect(texts.filter(([, text]) => text.includes(words)).map(([name]) => name)).toEqual([])
})

test.skipIf(!isFullRun).each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 320],
  ['dark', 320],
] as const)('every component works in the %s theme at %i px', async (scheme, width) => {
  const { page, context, foreign, complaints } = await openWindow(browser, { scheme, width })
  page.setDefaultTimeout(60_000)
  const shot = async (name: string) =>
    void (await page.screenshot({ path: `${pictures}/${scheme}-${width}${name}.png`, fullPage: name === '' }))
  await page.goto(`${development}/gallery`)
  await page.getByRole('heading', { level: 1, name: 'Gallery' }).waitFor()
  await waitForHydration(page)
  await page.evaluate(() => document.fonts.ready)
  expect(await measureOverflow(page)).toBe(0)
  expect(await findViolations(page)).toEqual([])
  // Drawings are laid out when they come into view, so the viewport is set to the whole page.
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width, height })
  await shot('')
  await page.setViewportSize({ width, height: 900 })

  await page.getByRole('button', { name: 'Delete…' }).click()
  await page.getByRole('alertdialog').waitFor()
  expect(await findViolations(page)).toEqual([])
  await shot('-dialog')
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })

  // React mounts twice in development: a message shown before the toast container exists disappears with the
  // first mount.
  await page.getByRole('button', { name: 'Show a success' }).click()
  await page.locator('.Toastify').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Show a success' }).click()
  await page.getByText('The collection is saved.').waitFor()
  await page.getByRole('button', { name: 'Show a failure' }).click()
  const failure = page.getByText('That did not work. Try again.')
  await failure.waitFor()
  await shot('-toasts')
  // A message stays while the pointer is over it: checking the page takes longer than the three seconds of
  // others.
  await failure.hover()
  expect(await findViolations(page)).toEqual([])
  expect(await failure.count()).toBe(1)
  expect(foreign).toEqual([])
  expect(complaints).toEqual([])
  photographed += 1
  writeMeasurements('gallery', { photographed })
  await context.close()
})
