import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { brotliBytes, bundles } from '../figures.ts'
import { ask, hubPaths, hubs } from './ask.ts'
import { checkDrawings } from './drawings.ts'
import { findViolations } from './axe.ts'
import { openBrowser, openWindow, type Browser } from './browser.ts'

const story = '/pages/storytelling/seattle-rain/preview'
let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const address = (host: string, path: string) => `http://${host}:${inject('port')}${path}`

test('the Worker reads at most 60 kB before it answers a stored page, without React', () => {
  const [before] = bundles()
  expect(before?.gzip).toBeLessThanOrEqual(60_000)
  expect(before?.files.filter((file) => /react|remix|server-build/.test(file))).toEqual([])
})

describe('without scripts', () => {
  test('every page of both hubs is readable, and none scrolls horizontally at 320 px', async () => {
    const { page, foreign, context } = await openWindow(browser, { width: 320, hasScripts: false })
    for (const { host } of Object.values(hubs)) {
      for (const path of await hubPaths(host)) {
        await page.goto(address(host, path))
        expect(await page.locator('h1').count(), path).toBe(1)
        expect((await page.locator('h1').innerText()).length, path).toBeGreaterThan(2)
        const wide = await page
          .locator('html')
          .evaluate((html) => Math.max(0, html.scrollWidth - html.clientWidth))
        expect(wide, path).toBe(0)
      }
    }
    expect(foreign).toEqual([])
    await context.close()
  })

  test('a story has its texts, its charts as pictures, and their tables and files', async () => {
    const { page, context } = await openWindow(browser, { hasScripts: false })
    await page.goto(address(hubs.seattle.host, story))
    expect(await page.locator('figure svg[role="img"]').count()).toBeGreaterThanOrEqual(5)
    expect(await checkDrawings(page, hubs.seattle.host)).toBeGreaterThanOrEqual(5)
    await page.locator('figure').getByRole('radio', { name: 'Table' }).first().check()
    expect(await page.locator('figure table').first().isVisible()).toBe(true)
    const file = await page.locator('a.figure-csv').first().getAttribute('href')
    expect((await ask(file ?? '', { host: hubs.seattle.host })).text).toMatch(/^month,precipitation\r\n1,/)
    await context.close()
  })
})

describe('with scripts', () => {
  test('drawings appear after the first paint, in the colours of the theme, in every language', async () => {
    for (const scheme of ['light', 'dark'] as const) {
      const { page, complaints, context } = await openWindow(browser, { scheme })
      for (const path of ['/', '/ar', story]) {
        await page.goto(address(hubs.seattle.host, path), { waitUntil: 'networkidle' })
        expect(await checkDrawings(page, hubs.seattle.host), path).toBeGreaterThan(0)
      }
      const file = page.locator('figure use[href]').first()
      const ink = await file.evaluate((use) => getComputedStyle(use).getPropertyValue('--chart-text'))
      expect(ink).toMatch(scheme === 'light' ? /^#26252e$/ : /^#ecebef$/)
      expect(complaints).toEqual([])
      await context.close()
    }
  })

  test('a chart becomes live when a reader touches it, and nothing loads before', async () => {
    const { page, foreign, complaints, context } = await openWindow(browser)
    const scripts: string[] = []
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname)
    })
    await page.goto(address(hubs.seattle.host, story), { waitUntil: 'networkidle' })
    const before = [...scripts]
    const bodies = await Promise.all(before.map((path) => ask(path, { host: hubs.seattle.host })))
    const bytes = brotliBytes(...bodies.map(({ body }) => body))
    console.log(`${before.length} scripts before a reader touches anything: ${bytes} bytes brotli`)
    expect(bytes).toBeLessThanOrEqual(8_000)
    const figure = page.locator('figure[data-chart]').first()
    await figure.scrollIntoViewIfNeeded()
    await figure.locator('[data-explore]').click()
    await figure.locator('.figure-live svg.chart-drawing').first().waitFor()
    expect(scripts.length).toBeGreaterThan(before.length)
    expect(complaints).toEqual([])
    expect(foreign).toEqual([])
    await context.close()
  })

  test('a map becomes live when a reader touches it', async () => {
    const { page, foreign, complaints, context } = await openWindow(browser)
    await page.goto(address(hubs.usa.host, '/map'), { waitUntil: 'networkidle' })
    const figure = page.locator('figure[data-map]').first()
    await figure.locator('[data-explore]').click()
    await figure.locator('canvas.maplibregl-canvas').waitFor()
    expect(complaints).toEqual([])
    expect(foreign).toEqual([])
    await context.close()
  })

  test('the theme is remembered and set before the page is painted', async () => {
    const { page, context } = await openWindow(browser)
    await page.goto(address(hubs.usa.host, '/'), { waitUntil: 'networkidle' })
    await page.locator('[data-theme-toggle]').first().click()
    await page.waitForFunction(() => localStorage.getItem('theme') === 'dark-theme')
    await page.goto(address(hubs.usa.host, '/about'))
    const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const [red = 255] = (/\d+/.exec(background) ?? []).map(Number)
    expect(red).toBeLessThan(80)
    await context.close()
  })
})

test('a signed-out visitor opens what Explore lists: on its hub, or in a panel without scripts', async () => {
  const { page, context, complaints } = await openWindow(browser, { width: 320, hasScripts: false })
  page.setDefaultTimeout(10_000)
  const explore = address('localhost', '/explore')
  await page.goto(explore)
  expect(await page.getByRole('link', { name: 'Deaths by natural disasters' }).count()).toBe(0)
  const onHub = await page.getByRole('link', { name: 'Daily weather' }).first().getAttribute('href')
  expect(new URL(onHub ?? '', explore).host).toBe(new URL(address(hubs.seattle.host, '/')).host)
  // The observatory has no hub.
  await page.getByRole('link', { name: 'Earthquakes of one week' }).click()
  await page.waitForURL(`${explore}?source=world-earthquakes`)
  const panel = page.getByRole('region', { name: 'Earthquakes of one week' })
  expect(await panel.getByText('World Observatory').count()).toBe(1)
  expect(await panel.locator('tbody tr').count()).toBe(10)
  expect(await panel.getByText(/^The first 10 of [\d,]+ records$/).count()).toBe(1)
  expect(await panel.getByRole('link', { name: 'Open on its hub' }).count()).toBe(0)
  // Without scripts axe never ends.
  const withScripts = await openWindow(browser, { width: 320 })
  await withScripts.page.goto(page.url())
  expect(await findViolations(withScripts.page)).toEqual([])
  await withScripts.context.close()
  const file = await panel.getByRole('link', { name: /CSV/ }).first().getAttribute('href')
  const csv = await ask(file ?? '')
  expect([csv.status, csv.text.split('\n').length > 100]).toEqual([200, true])
  await panel.getByRole('link', { name: 'Close' }).click()
  await page.waitForURL(explore)
  expect(await page.getByRole('region', { name: 'Earthquakes of one week' }).count()).toBe(0)
  // What is not public is as what is not there.
  await page.goto(`${explore}?source=world-disasters`)
  await page.getByText('This source is not here').waitFor()
  expect(await page.getByText('Deaths by natural disasters').count()).toBe(0)
  expect([...complaints, ...withScripts.complaints]).toEqual([])
  await context.close()
})
