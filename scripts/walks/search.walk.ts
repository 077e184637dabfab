import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { ask, hubs } from './ask.ts'
import { findViolations } from './axe.ts'
import { openBrowser, openWindow, measureOverflow, type Browser } from './browser.ts'
import { looks } from './check-screen.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const { host } = hubs.usa
const buildUrl = (path: string) => `http://${host}:${inject('port')}${path}`

/** Requests a page of results; returns its status, the titles of its results in order, and its text. */
async function results(path: string) {
  const { status, text } = await ask(path, { host })
  const titles = [...text.matchAll(/class="result-title"[^>]*>([^<]*)</g)].map(([, title = '']) => title)
  return { status, titles, text }
}

describe('a page of results', () => {
  test('can be opened, narrowed and sorted without scripts', async () => {
    const { page, context } = await openWindow(browser, { hasScripts: false })
    await page.goto(buildUrl('/'))
    await page.locator('#hub-search').fill('airports')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/search\?search=airports$/)
    expect(await page.locator('.lede[role=status]').innerText()).toMatch(/^\d+ search results$/)
    await page.getByRole('link', { name: /^Indicator/ }).click()
    await page.waitForURL(/kind=indicator/)
    const tags = await page.locator('.results .tag').allInnerTexts()
    expect(new Set(tags.map((tag) => tag.toLowerCase()))).toEqual(new Set(['indicator']))
    await page.goto(buildUrl('/search?search=states'))
    await page.getByRole('link', { name: 'Name', exact: true }).click()
    await page.waitForURL(/sort=name/)
    const titles = await page.locator('.result-title').allInnerTexts()
    expect(titles.length).toBeGreaterThan(1)
    expect(titles).toEqual([...titles].sort(new Intl.Collator('en', { sensitivity: 'base' }).compare))
    await context.close()
  })

  test('lists a topic, sorted and narrowed, and redirects other spellings of the topic to it', async () => {
    const { page, context } = await openWindow(browser, { hasScripts: false })
    await page.goto(buildUrl('/topics'))
    await page.getByRole('link', { name: /^Transport/ }).click()
    await page.waitForURL(/\/topics\/transport$/)
    expect(await page.locator('.source-lines > li').count()).toBe(3)
    await page.getByRole('link', { name: 'Most records' }).click()
    await page.waitForURL(/kind=indicator&topic=Transport&sort=records$/)
    expect(await page.locator('.result-title').allInnerTexts()).toEqual([
      'Flights in early 2001',
      'Wildlife strikes by aircraft',
      'Airports of the United States',
    ])
    await context.close()
    const redirect = await ask('/topics/Transport', { host })
    expect([redirect.status, redirect.headers.location]).toEqual([308, buildUrl('/topics/transport')])
    const missing = await ask('/topics/transprt', { host })
    expect(missing.status).toBe(404)
    expect(missing.text).toContain('<a href="/topics/transport">Transport</a>')
  })

  test('finds words that only occur in a record, and leads to the records with it', async () => {
    const { page, context } = await openWindow(browser, { hasScripts: false })
    await page.goto(buildUrl('/search?search=texas'))
    const records = page.getByRole('link', { name: /^Records where .* is Texas$/ }).first()
    await records.click()
    await page.waitForURL(/\/data\?is\.\w+=/)
    const countText = await page.locator('.table-count').innerText()
    expect(Number(/([\d,]+)\D*$/.exec(countText)?.[1]?.replaceAll(',', ''))).toBeGreaterThan(5)
    await context.close()
  })

  test.each([
    ['stems', '/search?search=flight', 'Flights in early 2001'],
    ['typing errors', '/search?search=arports', 'Airports of the United States'],
    [
      'a language that its texts are not in',
      '/es/search?search=aeropuertos',
      'Airports of the United States',
    ],
    ['column names', '/search?search=operator', 'Wildlife strikes by aircraft'],
    ['the words of stories', '/search?search=birds', 'When birds and aircraft meet'],
    ['maps', '/search?search=map', 'Atlas of the United States'],
  ])('finds by %s', async (_how, path, title) => {
    expect((await results(path)).titles, path).toContain(title)
  })

  test('is where the former address leads', async () => {
    const { status, headers } = await ask('/es?search=a&kind=story', { host })
    expect([status, headers.location]).toEqual([308, buildUrl('/es/search?search=a&kind=story')])
  })

  test.each([
    ['ten thousand letters', 'a'.repeat(10_000)],
    ['a script', '<script>alert(1)</script>'],
    ['punctuation', '!?.,;'],
    ['marks of direction', '\u202eairports\u202c'],
    ['emoji', '🌧️👩‍👩‍👧‍👦'],
  ])('takes %s', async (_name, text) => {
    const query = encodeURIComponent(text)
    const { status, text: html } = await results(
      `/search?search=${query}&kind=x&period=99&page=-3&topic=${query}`,
    )
    expect(status).toBe(200)
    expect(html).not.toContain('<script>alert')
  })

  test.each(looks)(
    'has no WCAG 2.2 AA violation and does not scroll horizontally: %i px, %s',
    async (width, scheme) => {
      const { page, context } = await openWindow(browser, { width, scheme })
      for (const path of [
        '/search',
        '/search?search=texas&format=CSV',
        '/ar/search?search=arports',
        '/search?search=zzzz',
      ]) {
        await page.goto(buildUrl(path))
        expect([path, await findViolations(page)]).toEqual([path, []])
        expect([path, await measureOverflow(page)]).toEqual([path, 0])
      }
      await context.close()
    },
  )
})

test('the box suggests words while someone types, and shows results only on submit', async () => {
  const { page, context } = await openWindow(browser)
  await page.goto(buildUrl('/'))
  const box = page.locator('#hub-search')
  const panel = page.locator('[data-search-panel]')
  await box.focus()
  await page.waitForSelector('#hub-search[list]')
  await page.keyboard.press('Enter')
  expect(await panel.isVisible()).toBe(false)
  await page.keyboard.type('air')
  await expect.poll(() => page.locator('datalist option').count()).toBeGreaterThan(1)
  expect(await panel.isVisible()).toBe(false)
  await page.keyboard.type('ports')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.locator('[data-search-status]').innerText()).toMatch(/^\d+ search results$/)
  const titles = await page
    .locator('[data-search-list] a')
    .evaluateAll((all) => all.map((a) => a.firstChild?.textContent ?? ''))
  expect(titles).toEqual(
    [...titles].sort(new Intl.Collator('en', { sensitivity: 'base', numeric: true }).compare),
  )
  await page.keyboard.type('x')
  expect(await panel.isVisible()).toBe(false)
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Show all, with filters' }).click()
  await page.waitForURL(/\/search\?search=airports$/)
  await context.close()
})

test('a search whose requests fail says so, keeps the link to the results, and can be repeated', async () => {
  const { page, context } = await openWindow(browser)
  await page.goto(buildUrl('/'))
  await page.route(/\/v1\/places\//, (route) => route.abort())
  await page.locator('#hub-search').fill('airports')
  await page.waitForSelector('#hub-search[list]')
  await page.keyboard.press('Enter')
  const status = page.locator('[data-search-status]')
  // Each request is retried three times first, for about two seconds.
  await expect.poll(() => status.innerText(), { timeout: 15_000 }).toMatch(/^The search did not work\./)
  expect(await page.getByRole('link', { name: 'Show all, with filters' }).isVisible()).toBe(true)
  await page.unroute(/\/v1\/places\//)
  await status.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => status.innerText(), { timeout: 15_000 }).toMatch(/^\d+ search results$/)
  await context.close()
})
