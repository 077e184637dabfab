import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { embedCode } from '#functions/shapes/embed.ts'
import { ask, hubs } from './ask.ts'
import { findViolations } from './axe.ts'
import { openBrowser, openWindow, measureOverflow, type Browser, type Page } from './browser.ts'
import { looks } from './check-screen.ts'

const story = '/pages/storytelling/seattle-rain/preview'
/**
 * A story with bars by state, which can be shown as a map, and a map of states, which can be shown as bars.
 */
const statesPath = '/pages/storytelling/usa-wildlife/preview'
const within = { timeout: 20_000 }
let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const address = (path: string, host: string = hubs.seattle.host) => `http://${host}:${inject('port')}${path}`
const stateAddress = (hash = '') => address(statesPath + hash, hubs.usa.host)
/** The figure of a page that offers a map, or bars, besides its own picture. */
const withOther = (page: Page, view: 'map' | 'chart') =>
  page.locator(`figure:has(img.figure-other[src*="view=${view}"])`).first()

/** Waits until a picture is loaded with its natural width. */
const waitForImage = (figure: ReturnType<typeof withOther>) =>
  expect
    .poll(
      () => figure.locator('.figure-other').evaluate((one) => (one as HTMLImageElement).naturalWidth),
      within,
    )
    .toBeGreaterThan(100)

/** Opens a figure whose answer has more than two points in time, so that its range can be restricted. */
async function openFigure(page: Page, path = story) {
  await page.goto(address(path), { waitUntil: 'networkidle' })
  for (const figure of await page.locator('figure[data-chart][data-answer-href]').all()) {
    await figure.scrollIntoViewIfNeeded()
    await figure.locator('[data-explore]').click()
    await figure.locator('.figure-live svg.chart-drawing').waitFor(within)
    await figure.locator('.figure-share').waitFor(within)
    if ((await figure.getByLabel('From').count()) > 0) return figure
  }
  throw new Error('No figure of the story has a range of time.')
}

describe('without scripts', () => {
  test('picture and table of one answer are alternatives, and files are links', async () => {
    const { page, context } = await openWindow(browser, { hasScripts: false })
    await page.goto(address(story))
    const figure = page.locator('figure:has([data-view])').first()
    expect([
      await figure.locator('.figure-plot').isVisible(),
      await figure.locator('table').isVisible(),
    ]).toEqual([true, false])
    await figure.getByRole('radio', { name: 'Table' }).check()
    expect([
      await figure.locator('.figure-plot').isVisible(),
      await figure.locator('table').isVisible(),
    ]).toEqual([false, true])
    const picture = await ask((await figure.locator('.figure-svg').getAttribute('href')) ?? '', {
      host: hubs.seattle.host,
    })
    expect(picture.headers['content-type']).toContain('image/svg+xml')
    expect(picture.text).toContain('<title id="title">')
    await context.close()
  })
})

describe('the other visualization of an answer', () => {
  test.each(['map', 'chart'] as const)(
    'is a %s without scripts, with its table and its files',
    async (view) => {
      const { page, context } = await openWindow(browser, { hasScripts: false })
      await page.goto(stateAddress())
      const figure = withOther(page, view)
      await figure.getByRole('radio', { name: view === 'map' ? 'Map' : 'Chart' }).check()
      await waitForImage(figure)
      expect([
        await figure.locator('.figure-plot').isVisible(),
        await figure.locator('.figure-other').isVisible(),
        await figure.locator('table').isVisible(),
      ]).toEqual([false, true, true])
      const href = (await figure.locator('.figure-png').getAttribute('href')) ?? ''
      const picture = await ask(`${href}?view=${view}&width=400`, { host: hubs.usa.host })
      expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/png'])
      await context.close()
    },
  )

  test('is part of the address and the files, follows the theme, and is reachable by keyboard', async () => {
    const { page, complaints, context } = await openWindow(browser)
    const searches: string[] = []
    page.on('request', (request) => searches.push(new URL(request.url()).search))
    await page.goto(stateAddress(), { waitUntil: 'networkidle' })
    expect(searches.filter((search) => search.includes('view='))).toEqual([])
    const figure = withOther(page, 'map')
    await figure.getByRole('radio', { name: 'Chart' }).focus()
    await page.keyboard.press('ArrowRight')
    await waitForImage(figure)
    expect(new URL(page.url()).hash).toMatch(/^#figure=[^&]+&view=map$/)
    expect(await figure.locator('.figure-svg').getAttribute('href')).toMatch(/\.svg\?view=map$/)
    const image = figure.locator('.figure-other')
    expect(await image.getAttribute('src')).toContain('theme=light')
    // Each region can be read in the table below the map.
    expect(await figure.getByRole('row').count()).toBeGreaterThan(5)
    await page.locator('[data-theme-toggle]').first().click()
    await expect.poll(() => image.getAttribute('src'), within).toContain('theme=dark')
    await page.reload({ waitUntil: 'networkidle' })
    expect(await withOther(page, 'map').getByRole('radio', { name: 'Map' }).isChecked()).toBe(true)
    expect(complaints).toEqual([])
    await context.close()
  })

  test.each(looks)('has no WCAG violation that axe finds, at %i px, %s', async (width, scheme) => {
    const { page, complaints, context } = await openWindow(browser, { width, scheme })
    await page.goto(stateAddress(), { waitUntil: 'networkidle' })
    for (const view of ['map', 'chart'] as const) {
      const figure = withOther(page, view)
      await figure.getByRole('radio', { name: view === 'map' ? 'Map' : 'Chart' }).check()
      await waitForImage(figure)
    }
    expect(await findViolations(page)).toEqual([])
    expect(await measureOverflow(page)).toBe(0)
    expect(complaints).toEqual([])
    await context.close()
  })
})

describe('with scripts', () => {
  test('values are browsed by mouse and by keys, and announced like those of a slider', async () => {
    const { page, complaints, context } = await openWindow(browser)
    const figure = await openFigure(page)
    const chart = figure.getByRole('slider')
    const count = Number(await chart.getAttribute('aria-valuemax'))
    expect(count).toBeGreaterThan(2)
    await chart.focus()
    await page.keyboard.press('Home')
    const values = [await chart.getAttribute('aria-valuetext')]
    for (let at = 1; at < count; at += 1) {
      await page.keyboard.press('ArrowRight')
      values.push(await chart.getAttribute('aria-valuetext'))
    }
    expect(new Set(values).size).toBe(count)
    const tip = figure.locator('.chart-tip')
    expect(await tip.textContent()).toBe(values.at(-1))
    const ground = await tip.evaluate((box) => getComputedStyle(box).backgroundColor)
    expect(ground).not.toMatch(/transparent|, 0\)$/)
    await page.keyboard.press('Escape')
    expect(await tip.isVisible()).toBe(false)
    const box = (await chart.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 1.8)
    await expect.poll(() => tip.isVisible()).toBe(true)
    expect(values).toContain(await tip.textContent())
    expect(complaints).toEqual([])
    await context.close()
  })

  test('a time range is the same in picture, table, CSV, caption and address, and is restored from the address', async () => {
    const { page, complaints, context } = await openWindow(browser)
    const figure = await openFigure(page)
    const sentence = await figure.locator('.figure-sentence').textContent()
    const all = Number(await figure.getByRole('slider').getAttribute('aria-valuemax'))
    const from = figure.getByLabel('From')
    const keys = await from
      .locator('option')
      .evaluateAll((list) => list.map((one) => (one as HTMLOptionElement).value))
    await from.selectOption(keys[1] ?? '')
    await expect
      .poll(async () => Number(await figure.getByRole('slider').getAttribute('aria-valuemax')))
      .toBeLessThan(all)
    const largestStep = Number(await figure.getByRole('slider').getAttribute('aria-valuemax'))
    expect(await figure.locator('.figure-shown').textContent()).toMatch(
      /^Shown: .+ to .+\. The picture, the table/,
    )
    expect(await figure.locator('.figure-sentence').textContent()).toBe(sentence)
    await figure.getByRole('radio', { name: 'Table' }).check()
    const rows = await figure.locator('table:visible tbody tr').count()
    const saving = page.waitForEvent('download')
    await figure.locator('.figure-csv').click()
    const lines = readFileSync(await (await saving).path(), 'utf8')
      .trimEnd()
      .split('\r\n')
    expect(lines).toHaveLength(rows + 1)
    expect(largestStep % rows).toBe(0)
    for (const kind of ['svg', 'png'] as const) {
      const file = page.waitForEvent('download')
      await figure.locator(`.figure-${kind}`).click()
      const bytes = readFileSync(await (await file).path())
      if (kind === 'svg') expect(bytes.toString()).toContain('Shown: ')
      else expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    }
    await figure.locator('.figure-share summary').click()
    expect(await figure.getByRole('textbox', { name: 'How to cite' }).inputValue()).toMatch(
      /Shown: .*#figure=.*\(accessed /,
    )
    expect(new URL(page.url()).hash).toMatch(/^#figure=[^&]+&view=table&from=/)

    await page.reload({ waitUntil: 'networkidle' })
    const again = page.locator(`figure[data-figure="${await figure.getAttribute('data-figure')}"]`)
    await again
      .locator('.figure-shown')
      .filter({ hasText: /^Shown/ })
      .waitFor(within)
    expect(await again.locator('table:visible tbody tr').count()).toBe(rows)
    await again.getByRole('button', { name: 'Show everything again' }).click()
    await expect.poll(() => new URL(page.url()).hash).toMatch(/^#figure=[^&]+&view=table$/)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('a state that does not fit the data is explained', async () => {
    const { page, complaints, context } = await openWindow(browser)
    await page.goto(address(story), { waitUntil: 'networkidle' })
    const figure = page.locator('figure[data-chart][data-answer-href]').first()
    const name = await figure.getAttribute('data-figure')
    await page.goto(address(`${story}#figure=${name}&from=1850-01-01&series=${'x'.repeat(500)}`))
    await page.reload({ waitUntil: 'networkidle' })
    await figure.locator('.figure-shown').filter({ hasText: 'These data do not have' }).waitFor(within)
    expect(await figure.getByRole('slider').count()).toBe(1)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('an unknown figure, view or part in the address is explained, and everything is shown', async () => {
    const { page, complaints, context } = await openWindow(browser)
    await page.goto(address(`${story}#figure=gone&view=map`), { waitUntil: 'networkidle' })
    const line = page.locator('.figure-misfit')
    await line.filter({ hasText: 'does not have the figure' }).waitFor(within)
    const figure = page.locator('figure[data-chart][data-answer-href]').first()
    const name = await figure.getAttribute('data-figure')
    await page.evaluate((hash) => (location.hash = hash), `#figure=${name}&view=map`)
    await line.filter({ hasText: 'These data do not have what the address asks for (map)' }).waitFor(within)
    expect(await figure.getByRole('radio', { name: 'Chart' }).isChecked()).toBe(true)
    expect(await figure.locator('.figure-plot').isVisible()).toBe(true)
    await page.evaluate(() => (location.hash = ''))
    await expect.poll(() => line.count()).toBe(0)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('values can be browsed by touch on a phone', async () => {
    const context = await browser.newContext({ viewport: { width: 320, height: 900 }, hasTouch: true })
    const page = await context.newPage()
    const figure = await openFigure(page)
    const box = (await figure.getByRole('slider').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2)
    await expect.poll(() => figure.locator('.chart-tip').isVisible()).toBe(true)
    expect(await measureOverflow(page)).toBe(0)
    await context.close()
  })

  test.each(looks)('has no WCAG violation that axe finds, at %i px, %s', async (width, scheme) => {
    const { page, complaints, context } = await openWindow(browser, { width, scheme })
    const figure = await openFigure(page)
    for (const details of await figure.locator('details').all())
      await details.locator('summary').first().click()
    const keys = await figure
      .getByLabel('From')
      .locator('option')
      .evaluateAll((list) => list.map((one) => (one as HTMLOptionElement).value))
    await figure.getByLabel('From').selectOption(keys[1] ?? '')
    await figure
      .locator('.figure-shown')
      .filter({ hasText: /^Shown/ })
      .waitFor(within)
    expect(await findViolations(page)).toEqual([])
    expect(await measureOverflow(page)).toBe(0)
    await figure.getByRole('radio', { name: 'Table' }).check()
    expect(await findViolations(page), 'the table').toEqual([])
    expect(complaints).toEqual([])
    await context.close()
  })
})

/** The embedded frame of a source, and of a figure of a story. */
const frames = ['/domains/daily-weather/source/seattle-weather', '/pages/seattle-rain/']

test('a drawing in the frame of another site is whole, however narrow the column', async () => {
  const drawing = address('/v1/places/usa/insights/us-airports-by-state', hubs.usa.host)
  const { page, context } = await openWindow(browser, { width: 320 })
  const readSize = async (width: number) => {
    await page.setContent(`<div style="width:${width}px">${embedCode(drawing, 'Airports')}</div>`)
    const box = await page.frameLocator('iframe').locator('svg[role="img"]').boundingBox()
    return [box?.width, box?.height]
  }
  expect([await readSize(300), await readSize(900)]).toEqual([
    [300, 180],
    [800, 480],
  ])
  await context.close()
})

test.each(frames)('a frame of %s shows the state of its address, and reports its height', async (of) => {
  const { page, context } = await openWindow(browser)
  await page.goto(address(story))
  const own = page.locator(`figure[data-embed^="/embed${of}"]`).first()
  const path = of.endsWith('/') ? ((await own.getAttribute('data-embed')) ?? '') : `/embed${of}`
  expect(path).toMatch(/^\/embed\/.+[^/]$/)
  const picture = await ask(`${path}.png?width=300`, { host: hubs.seattle.host })
  expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/png'])
  await page.goto(address(path), { waitUntil: 'networkidle' })
  const name = await page.locator('figure').getAttribute('data-figure')
  // A page of another host, as embedding pages have it: a page without an address may not embed frames from
  // this machine.
  await page.goto(`http://localhost:${inject('port')}/v1/status`)
  await page.evaluate(
    (src) => {
      addEventListener('message', ({ data }) => {
        if (data?.source === 'commonplace' && data.type === 'height')
          document.body.dataset.height = String(data.height)
      })
      const frame = document.createElement('iframe')
      Object.assign(frame, { src, width: '600', height: '100' })
      document.body.appendChild(frame)
    },
    address(`${path}#figure=${name}&view=table`),
  )
  await page.frameLocator('iframe').locator('table tbody tr').first().waitFor(within)
  const readReportedHeight = () => page.evaluate(() => Number(document.body.dataset.height))
  await expect.poll(readReportedHeight, within).toBeGreaterThan(100)
  await context.close()
})
