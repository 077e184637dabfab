import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { ask, hubs } from './ask.ts'
import { findViolations } from './axe.ts'
import { openBrowser, openWindow, measureOverflow, type Browser, type Page } from './browser.ts'
import { unescapeHtml } from './unescape-html.ts'
import { formatBytes } from '#functions/shapes/format-bytes.ts'
import { pickCrossSection } from '#functions/v1/testing/figures.testing.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const airports = '/domains/airport/source/us-airports/data'
const flightRecords = '/domains/flight/source/us-flights/data'
const strikes = '/domains/wildlife-strike/source/us-wildlife-strikes/data'

/** Reads a page of a table: the number of records, the shown ids, and the address of the API. */
function readTable(html: string) {
  const count = /<p class="table-count"[^>]*>([^<]*)<\/p>/.exec(html)?.[1] ?? ''
  const ids = [...html.matchAll(/<th scope="row"[^>]*><a [^>]*href="[^"]*\/data\/([^"?]+)/g)].map(
    ([, id = '']) => decodeURIComponent(unescapeHtml(id)),
  )
  const request = unescapeHtml(/curl &#39;(.*?)&#39;/.exec(html)?.[1] ?? '')
  return { total: Number(/([\d,]+)\D*$/.exec(count)?.[1]?.replaceAll(',', '')), ids, request }
}

/** Opens a page with a table, and waits for the code that updates it in place: until then its form opens pages. */
async function openTable(page: Page, path: string) {
  await page.goto(`http://${hubs.usa.host}:${inject('port')}${path}`, { waitUntil: 'networkidle' })
  await page.waitForFunction(() =>
    performance
      .getEntriesByType('resource')
      .some((entry) => /\/table-[\w-]+\.js$/.test(entry.name) && entry.duration > 0),
  )
}

describe('a table of records', () => {
  test.each([
    airports,
    `${airports}?is.state=AK&is.state=TX`,
    `${airports}?q=international&is.state=CA`,
    `${airports}?has.name=o%27hare`,
    `${airports}?sort=-name&columns=name,state`,
    `${flightRecords}?from.delay=60&to.delay=90.5`,
    `${flightRecords}?from.departure=2001-02-28&to.departure=2001-03-01&is.origin=ORD`,
    `${flightRecords}?to.delay=-20&sort=distance`,
    `${strikes}?from.day=1995-12-31&to.day=1996-01-01`,
    `${strikes}?q=US+AIRWAYS*`,
  ])('%s shows the records that the API returns', async (address) => {
    const { status, text } = await ask(address, { host: hubs.usa.host })
    expect(status).toBe(200)
    const tableRows = readTable(text)
    const { pathname, search, port } = new URL(tableRows.request)
    expect(port).toBe(String(inject('port')))
    const { text: answer } = await ask(pathname + search.replace('limit=100', 'limit=50'), {
      host: hubs.usa.host,
    })
    const { results, meta } = JSON.parse(answer) as { results: { id: string }[]; meta: { total: number } }
    expect(tableRows.total).toBe(meta.total)
    expect(tableRows.total).toBeGreaterThan(0)
    // Records with equal sort keys have no defined order.
    if (!address.includes('sort=')) expect(tableRows.ids).toEqual(results.map(({ id }) => id))
  })

  test('reports what it cannot apply, and shows the rest', async () => {
    const { status, text } = await ask(`${flightRecords}?from.delay=late&is.wings=2&from.delay=60`, {
      host: hubs.usa.host,
    })
    expect(status).toBe(400)
    expect(unescapeHtml(text)).toContain('“late” is not a number, so Delay was not filtered by it.')
    expect(unescapeHtml(text)).toContain('There is no column “wings”.')
    expect(readTable(text).ids).toHaveLength(50)
  })

  test('escapes scripts in an address, and keeps robots from filtered pages', async () => {
    const { text } = await ask(`${airports}?q=${encodeURIComponent('"><script>alert(1)</script>')}`, {
      host: hubs.usa.host,
    })
    expect(text).not.toContain('<script>alert')
    expect(text).toContain('No record meets these conditions.')
    expect(text).toContain('<meta name="robots" content="noindex, nofollow"/>')
    expect((await ask(airports, { host: hubs.usa.host })).text).toContain(
      '<meta name="robots" content="all"/>',
    )
  })

  test('has no table for another hub’s source, or for one that is not public', async () => {
    expect((await ask(airports, { host: hubs.seattle.host })).status).toBe(404)
    expect((await ask('/domains/airport/source/no-such-source/data', { host: hubs.usa.host })).status).toBe(
      404,
    )
    expect((await ask(`${airports}/no-such-record`, { host: hubs.usa.host })).status).toBe(404)
  })
})

test.each(
  pickCrossSection(
    [
      ['light', 1280, true],
      ['dark', 320, true],
      ['dark', 320, false],
    ] as const,
    2,
  ),
)(
  '%s, %i wide, with scripts: %s: filtered, sorted, and one record read',
  async (scheme, width, hasScripts) => {
    const { page, context, foreign } = await openWindow(browser, { width, scheme, hasScripts })
    const buildUrl = (path: string) => `http://${hubs.usa.host}:${inject('port')}${path}`
    page.setDefaultTimeout(20_000)
    // Axe itself needs scripts.
    const faults = async () => (hasScripts ? findViolations(page) : [])
    await page.goto(buildUrl('/domains/airport/source/us-airports'))
    await page.getByRole('link', { name: 'Sort, filter and search all records' }).click()
    await page
      .getByRole('heading', { level: 1, name: 'Airports of the United States: all records' })
      .waitFor()
    expect(await faults()).toEqual([])
    await page.getByText('Filter', { exact: true }).click()
    await page.getByRole('group', { name: 'State' }).getByLabel('Alaska').check()
    expect(await faults()).toEqual([])
    await page.getByRole('button', { name: 'Show' }).nth(1).click()
    await page.getByText('Records 1 to 50 of 263').waitFor()
    await page.getByRole('link', { name: 'City' }).click()
    await page.locator('[aria-sort="ascending"]').filter({ hasText: 'City' }).waitFor()
    await page.getByRole('link', { name: 'Next' }).click()
    await page.getByText('Records 51 to 100 of 263').waitFor()
    if (hasScripts) expect(await measureOverflow(page)).toBeLessThanOrEqual(0)
    await page.getByRole('rowheader').first().getByRole('link').click()
    await page.getByRole('heading', { level: 1, name: /^Record / }).waitFor()
    expect(await faults()).toEqual([])
    if (hasScripts) expect(await measureOverflow(page)).toBeLessThanOrEqual(0)
    await page.getByRole('link', { name: 'All records', exact: true }).click()
    await page.getByText('Records 51 to 100 of 263').waitFor()
    expect(foreign).toEqual([])
    await context.close()
  },
)

test.each(
  pickCrossSection(
    [
      ['light', 1280],
      ['dark', 320],
    ] as const,
    2,
    1,
  ),
)('%s, %i wide: changes the table in place by keyboard alone', async (scheme, width) => {
  const { page, context, foreign, complaints } = await openWindow(browser, { width, scheme })
  page.setDefaultTimeout(20_000)
  const focused = () => page.evaluate(() => document.activeElement?.id || document.activeElement?.className)
  const press = async (place: ReturnType<typeof page.locator>, key = 'Enter') => {
    await place.focus()
    await page.keyboard.press(key)
  }
  await openTable(page, airports)
  // A reloaded page would lose this; the page itself records the messages of its live region.
  await page.evaluate(() => {
    const messages: string[] = []
    Object.assign(window, { said: messages })
    const status = document.querySelector('.table-count')
    if (status)
      new MutationObserver(() => messages.push(status.textContent)).observe(status, {
        ...{ childList: true, characterData: true, subtree: true },
      })
  })
  const readMessages = () => page.evaluate(() => (window as unknown as { said?: string[] }).said)
  await press(page.getByText('Filter', { exact: true }))
  await press(page.getByRole('group', { name: 'State' }).getByLabel('Alaska'), 'Space')
  await press(page.getByRole('button', { name: 'Show' }).nth(1))
  await page.getByText('Records 1 to 50 of 263').waitFor()
  // The open group is still open, and the pressed button keeps the focus.
  expect(await page.getByRole('group', { name: 'State' }).getByLabel('Alaska').isChecked()).toBe(true)
  expect(await focused()).toBe('button')
  expect(new URL(page.url()).search).toBe('?is.state=AK')
  await press(page.getByRole('link', { name: 'City' }))
  await page.locator('th[aria-sort=ascending]').waitFor()
  expect(await focused()).toBe('sort.city')
  await press(page.getByRole('link', { name: 'Next' }))
  await page.getByText('Records 51 to 100 of 263').waitFor()
  expect(await focused()).toBe('table-box')
  expect(await findViolations(page)).toEqual([])
  expect(await measureOverflow(page)).toBeLessThanOrEqual(0)
  await page.goBack()
  await page.getByText('Records 1 to 50 of 263').waitFor()
  await page.goBack()
  await page.locator('th[aria-sort]').waitFor({ state: 'detached' })
  await page.goForward()
  await page.locator('th[aria-sort=ascending]').waitFor()
  // Each change was announced once, all on one page.
  expect(await readMessages()).toEqual([
    'Records 1 to 50 of 263',
    'Records 51 to 100 of 263',
    'Records 1 to 50 of 263',
  ])
  await press(page.getByRole('link', { name: 'Remove the condition: State is Alaska' }))
  await page.getByText('Records 1 to 50 of 263').waitFor({ state: 'detached' })
  expect(await readMessages()).toHaveLength(4)
  await press(page.getByRole('rowheader').first().getByRole('link'))
  await page.getByRole('heading', { level: 1, name: /^Record / }).waitFor()
  expect(await readMessages()).toBeUndefined()
  await page.goBack()
  await page.locator('th[aria-sort=ascending]').waitFor()
  expect(complaints).toEqual([])
  expect(foreign).toEqual([])
  await context.close()
})

test.each(
  pickCrossSection(
    [
      ['light', 320, false],
      ['dark', 390, true],
      ['light', 1280, true],
    ] as const,
    2,
  ),
)('%s, %i wide, scripts %s: narrows a table to an area by its name', async (scheme, width, hasScripts) => {
  const { page, context, foreign, complaints } = await openWindow(browser, { width, scheme, hasScripts })
  page.setDefaultTimeout(20_000)
  const faults = async () => (hasScripts ? findViolations(page) : [])
  if (hasScripts) await openTable(page, airports)
  else await page.goto(`http://${hubs.usa.host}:${inject('port')}${airports}`)
  const focusAndPress = async (text: string) => {
    await page.getByText(text, { exact: true }).focus()
    await page.keyboard.press('Enter')
  }
  await focusAndPress('Within an area')
  expect(await faults()).toEqual([])
  await page.getByLabel('District, region or country').fill('washington')
  await page.keyboard.press('Enter')
  // The state first, then the counties of that name.
  const choices = page.getByRole('list', { name: 'Choose an area:' })
  await choices.getByRole('link').first().waitFor()
  expect(await faults()).toEqual([])
  if (hasScripts) expect(await measureOverflow(page)).toBeLessThanOrEqual(0)
  expect(await choices.getByRole('listitem').first().innerText()).toBe(
    'Washington States of the United States',
  )
  await choices.getByRole('link').first().click()
  const condition = page.getByRole('link', { name: 'Remove the condition: Within Washington' })
  await condition.waitFor()
  expect(new URL(page.url()).search).toBe('?set=us-states&area=53')
  const { text: html } = await ask(`${airports}?set=us-states&area=53`, { host: hubs.usa.host })
  const { total, request } = readTable(html)
  const { pathname, search } = new URL(request)
  const { text } = await ask(pathname + search, { host: hubs.usa.host })
  expect(total).toBe((JSON.parse(text) as { meta: { total: number } }).meta.total)
  expect(total).toBeGreaterThan(20)
  expect(await faults()).toEqual([])
  const file = await page.getByRole('link', { name: 'CSV' }).getAttribute('href')
  const { text: csv } = await ask(file ?? '', { host: hubs.usa.host })
  expect(csv.trim().split('\n')).toHaveLength(total + 1)
  // The browser's way back leads to the choice, and the condition can be taken away.
  await page.goBack()
  await choices.getByRole('link').first().waitFor()
  await page.goForward()
  await condition.click()
  await condition.waitFor({ state: 'detached' })
  expect(new URL(page.url()).search).toBe('')
  // What is unknown is said at the filter, and stays in it.
  await page.goto(`${page.url()}?set=us-states&area=Atlantis`)
  await page.getByRole('alert').getByText('No area is called “Atlantis” here').waitFor()
  expect(await page.getByLabel('District, region or country').inputValue()).toBe('Atlantis')
  expect(await faults()).toEqual([])
  expect(complaints.filter((line) => !line.includes('400'))).toEqual([])
  expect(foreign).toEqual([])
  await context.close()
})

describe('what a state offers', () => {
  test('its files with their rows and approximate size; of all records the size of the existing file', async () => {
    const whole = (await ask(airports, { host: hubs.usa.host })).text
    const part = (await ask(`${airports}?is.state=AK`, { host: hubs.usa.host })).text
    const csv = (html: string) =>
      /export\.csv[^>]*>CSV<\/a> <span class="muted">([^<]*)</.exec(html)?.[1] ?? ''
    const { body } = await ask('/v1/places/usa/sources/us-airports/export.csv', { host: hubs.usa.host })
    expect(csv(whole)).toBe(formatBytes(body.length, 'en-US'))
    expect(part).toContain('<p class="table-rows">263 records</p>')
    expect(csv(part)).toMatch(/^about [\d.]+ kB$/)
    const own = /href="([^"]*export\.csv[^"]*)"/.exec(part)?.[1]
    const file = await ask(unescapeHtml(own ?? ''), { host: hubs.usa.host })
    expect(file.text.trim().split('\n')).toHaveLength(264)
    const about = Number(/[\d.]+/.exec(csv(part))?.[0]) * 1000
    expect(about / file.body.length).toBeGreaterThan(0.5)
    expect(about / file.body.length).toBeLessThan(2)
  })

  test.each(
    pickCrossSection(
      [
        ['light', 1280],
        ['dark', 768],
        ['dark', 320],
      ] as const,
      3,
      1,
    ),
  )('a chart of it and the location of a record: %s, %i wide', async (scheme, width) => {
    const { page, context, complaints, foreign } = await openWindow(browser, { width, scheme })
    page.setDefaultTimeout(20_000)
    await openTable(page, `${airports}?q=international`)
    await page.getByText('Chart', { exact: true }).press('Enter')
    await page.getByLabel('Count the records by').selectOption({ label: 'State' })
    await page.getByRole('button', { name: 'Show' }).last().press('Enter')
    const figure = page.getByRole('figure', { name: 'Records by State' })
    await figure.waitFor()
    expect(await figure.locator('svg:visible').count()).toBe(1)
    // Codes have the names that their column defines.
    await figure.getByText('Texas', { exact: true }).filter({ visible: true }).waitFor()
    expect(await findViolations(page)).toEqual([])
    expect(await measureOverflow(page)).toBeLessThanOrEqual(0)
    expect(new URL(page.url()).search).toBe('?q=international&chart=state')
    await page.getByRole('rowheader').first().getByRole('link').press('Enter')
    await page.getByRole('img', { name: /^The place of the record: / }).waitFor()
    expect(await findViolations(page)).toEqual([])
    expect(await measureOverflow(page)).toBeLessThanOrEqual(0)
    expect(complaints).toEqual([])
    expect(foreign).toEqual([])
    await context.close()
  })
})

describe('bad addresses', () => {
  test.each([
    ['a search of 10,000 characters', `q=${'x'.repeat(10_000)}`, 200, 'No record meets these conditions.'],
    ['a page that is not there', 'after=no-such-record', 200, 'Records 1 to 50 of'],
    [
      'a page of a script',
      `before=${encodeURIComponent('"><script>alert(1)</script>')}`,
      200,
      'Records 1 to',
    ],
    ['a condition on a column that is not there', 'is.wings=2', 400, 'There is no column “wings”.'],
    [
      'a name that every object has',
      'is.constructor=2&sort=__proto__',
      400,
      'There is no column “constructor”.',
    ],
    ['an order by a script', `sort=${encodeURIComponent('<script>')}`, 400, 'There is no column “<script>”.'],
    ['columns that are not there', 'columns=wings,tails', 400, 'There is no column “tails”.'],
    ['a text where a number belongs', 'from.delay=late', 400, '“late” is not a number'],
    ['a day that no calendar has', 'from.departure=2001-02-30', 400, '“2001-02-30” is not a date'],
    ['a range of texts', 'from.origin=A', 400, 'Origin cannot be filtered or sorted this way.'],
    [
      'a thousand conditions',
      Array.from({ length: 1000 }, (_, i) => `is.origin=${i}`).join('&'),
      400,
      'There are too many conditions',
    ],
    ['half of a sign', 'q=%E0%A4%A', 200, 'No record meets these conditions.'],
    ['signs that end lines', 'q=%0D%0Aset-cookie:a=b%00', 200, 'No record meets these conditions.'],
  ])('%s', async (_name, search, status, sentence) => {
    const {
      status: answerStatus,
      text,
      headers,
    } = await ask(`${flightRecords}?${search}`, { host: hubs.usa.host })
    expect(answerStatus).toBe(status)
    expect(unescapeHtml(text)).toContain(sentence)
    // The page has scripts of its own, none of which came from the address.
    expect(text).not.toContain('<script>alert')
    expect(text).toContain('content="noindex, nofollow"')
    expect(headers['set-cookie']).toBeUndefined()
  })
})
