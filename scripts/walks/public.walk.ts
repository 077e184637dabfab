import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { ask, hubPaths, hubs, waitForFileSizes } from './ask.ts'
import { findViolations } from './axe.ts'
import { checkDrawings } from './drawings.ts'
import { openBrowser, openWindow, measureOverflow, type Browser } from './browser.ts'
import { allLanguages, locales } from '#functions/shapes/locale.ts'
import { localePath } from '#functions/engine/address/locales.ts'
import { isCrossSection, isFullRun, writeMeasurements } from '#functions/v1/testing/figures.testing.ts'
import { sourceInPath } from '#functions/shapes/hub-picture.ts'

let browser: Browser
const figures: Record<string, number> = {}
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(async () => {
  writeMeasurements('public', figures)
  await browser.close()
})

const isSource = (path: string) => sourceInPath(path) !== null
const isStory = (path: string) => path.startsWith('/pages/storytelling/')

test('without scripts every page of a source has its title, picture, table and files, and every story its figures', async () => {
  const { page, context } = await openWindow(browser, { hasScripts: false })
  const figuresOfHub = { sources: 0, stories: 0, files: 0, drawings: 0 }
  for (const { host } of Object.values(hubs)) {
    for (const path of await hubPaths(host)) {
      if (!isSource(path) && !isStory(path)) continue
      await page.goto(`http://${host}:${inject('port')}${path}`)
      expect((await page.locator('h1').innerText()).length, path).toBeGreaterThan(2)
      expect(
        await page.locator('figure :is(svg[role="img"], .figure-sentence)').count(),
        path,
      ).toBeGreaterThan(0)
      figuresOfHub.drawings += await checkDrawings(page, host)
      if (isStory(path)) {
        figuresOfHub.stories += 1
        continue
      }
      figuresOfHub.sources += 1
      expect(await page.locator('figure svg[role="img"]').count(), path).toBeGreaterThan(0)
      expect(await page.locator('section table tbody tr').count(), path).toBeGreaterThan(0)
      const files = await page
        .locator('.downloads a')
        .evaluateAll((links) => links.map((a) => a.getAttribute('href')))
      expect(files.length, path).toBeGreaterThanOrEqual(4)
      for (const file of files) {
        const { status, body } = await ask(file ?? '', { host })
        expect([file, status]).toEqual([file, 200])
        expect(body.length, file ?? '').toBeGreaterThan(50)
        figuresOfHub.files += 1
      }
    }
    await waitForFileSizes(host)
  }
  for (const [what, count] of Object.entries(figuresOfHub)) figures[`${what} read without scripts`] = count
  expect(figuresOfHub.sources).toBeGreaterThan(3)
  expect(figuresOfHub.stories).toBeGreaterThan(1)
  expect(figuresOfHub.drawings).toBeGreaterThan(figuresOfHub.sources + figuresOfHub.stories)
  await context.close()
})

const widths = isFullRun ? [320, 768, 1280] : [320, 1280]
const schemes = ['light', 'dark'] as const
const checkedLocales = isFullRun ? locales : locales.filter(({ code }) => code === 'en' || code === 'ar')
/**
 * In the small run each width is checked in one theme, and in other languages only the pages that differ
 * most; in a cross-section every other page in one of the two.
 */
const isLooked = (width: number, scheme: string, code: string, path: string, nth: number) =>
  isFullRun ||
  ((width === 320) === (scheme === 'dark') &&
    (code === 'en' || path === '/' || isSource(path)) &&
    (!isCrossSection || (width === 320) === (nth % 2 === 0)))

test('no public page violates WCAG 2.2 AA or scrolls horizontally, in either theme, at each width', async () => {
  const faults: string[] = []
  let pageCount = 0
  const paths = await Promise.all(
    Object.values(hubs).map(async ({ host }) => ({
      host,
      paths: [...(await hubPaths(host)), '/search?search=a', '/nowhere'],
    })),
  )
  // Two windows, one per theme: while one renders, the other is checked.
  const checkPages = async (width: number, scheme: 'light' | 'dark') => {
    const { page, context } = await openWindow(browser, { width, scheme })
    for (const { host, paths: all } of paths)
      for (const [i, path] of all.entries())
        for (const [j, { code }] of checkedLocales.entries()) {
          if (!isLooked(width, scheme, code, path, i + j)) continue
          const [plain = '', query] = path.split('?')
          const address = localePath(code, plain, allLanguages) + (query ? `?${query}` : '')
          await page.goto(`http://${host}:${inject('port')}${address}`)
          const where = `${host}${address} ${scheme} ${width}`
          for (const violation of await findViolations(page)) faults.push(`${where}: ${violation}`)
          if ((await measureOverflow(page)) > 0) faults.push(`${where}: scrolls sideways`)
          pageCount += 1
        }
    await context.close()
  }
  await Promise.all(
    schemes.map(async (scheme) => {
      for (const width of widths) await checkPages(width, scheme)
    }),
  )
  figures['public pages looked at'] = pageCount
  figures['violations of WCAG 2.2 AA or sideways scrolls'] = faults.length
  expect(faults).toEqual([])
}, 1_800_000)
