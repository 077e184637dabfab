import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { ask, hubs } from './ask.ts'
import { violations } from './axe.ts'
import { openBrowser, openWindow, overflow, type Browser, type Page } from './browser.ts'

const story = '/pages/storytelling/seattle-rain/preview'
const within = { timeout: 20_000 }
let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const address = (path: string) => `http://${hubs.seattle.host}:${inject('port')}${path}`

/** A figure whose answer has more than two times, which can therefore be cut. */
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
  test('picture and table of one answer are a choice, and files are links', async () => {
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

describe('with scripts', () => {
  test('the values are gone through by mouse and by keys, and read aloud as those of a slider', async () => {
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

  test('a range of time is the same in picture, table, CSV, line and address, and comes again with the address', async () => {
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
    const shown = Number(await figure.getByRole('slider').getAttribute('aria-valuemax'))
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
    expect(shown % rows).toBe(0)
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

  test('a state that does not fit the data is said in words', async () => {
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

  test('a finger finds the values too, on a phone', async () => {
    const context = await browser.newContext({ viewport: { width: 320, height: 900 }, hasTouch: true })
    const page = await context.newPage()
    const figure = await openFigure(page)
    const box = (await figure.getByRole('slider').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2)
    await expect.poll(() => figure.locator('.chart-tip').isVisible()).toBe(true)
    expect(await overflow(page)).toBe(0)
    await context.close()
  })

  test.each([320, 768, 1280])(
    'nothing of it breaks the rules of WCAG that a machine sees, at %i px',
    async (width) => {
      for (const scheme of ['light', 'dark'] as const) {
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
        expect(await violations(page), `${width} ${scheme}`).toEqual([])
        expect(await overflow(page)).toBe(0)
        await figure.getByRole('radio', { name: 'Table' }).check()
        expect(await violations(page), `${width} ${scheme} table`).toEqual([])
        expect(complaints).toEqual([])
        await context.close()
      }
    },
  )
})

test('a frame shows the state of its address, and tells the page around it how high it is', async () => {
  const { page, context } = await openWindow(browser)
  const source = '/domains/daily-weather/source/seattle-weather'
  await page.goto(address(`/embed${source}`), { waitUntil: 'networkidle' })
  const name = await page.locator('figure').getAttribute('data-figure')
  // A page of another host, as frames have it: one without an address may not frame what is on this machine.
  await page.goto(`http://localhost:${inject('port')}/v1/status`)
  const heights = await page.evaluate(
    (src) =>
      new Promise<number[]>((resolve) => {
        const list: number[] = []
        addEventListener('message', ({ data }) => {
          if (data?.source === 'commonplace' && data.type === 'height') list.push(data.height)
        })
        const frame = document.createElement('iframe')
        Object.assign(frame, { src, width: '600', height: '100' })
        document.body.appendChild(frame)
        setTimeout(() => resolve(list), 6000)
      }),
    address(`/embed${source}#figure=${name}&view=table`),
  )
  expect(heights.at(-1)).toBeGreaterThan(100)
  const frame = page.frames()[1]
  expect(await frame?.locator('table tbody tr').count()).toBeGreaterThan(0)
  await context.close()
})
