import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { ask, hubs } from './ask.ts'
import { violations } from './axe.ts'
import { listening, openBrowser, openWindow, overflow, type Browser } from './browser.ts'
import { signIn } from './sign-in.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const within = { timeout: 20_000 }
const at = (path: string) => `http://localhost:${inject('port')}${path}`

/** A picture of one pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

test('an organization admin changes the colour, adds a picture, and publishes a dashboard with the keyboard', async () => {
  const { page, context, complaints } = await openWindow(browser)
  page.setDefaultTimeout(20_000)
  await signIn(page, 'organization_admin', '/org/manage')

  const colour = page.getByRole('textbox', { name: 'Theme colour', exact: true })
  await colour.fill('#7a1fa2')
  await page.getByText(/hard to read in the dark theme/).waitFor()
  await page.getByRole('button', { name: 'Save the look' }).click()
  await page.getByText('The new look is saved.').waitFor()
  const primary = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--primary').trim())
  await expect.poll(primary).toBe('#7a1fa2')

  await page.goto(at('/media-library'))
  const name = `rain-${Date.now()}.png`
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose files' }).click()
  await (await chooser).setFiles({ name, mimeType: 'image/png', buffer: png })
  await page.getByRole('link', { name }).click()
  await page.getByLabel('Alt text').fill('A rain gauge')
  await page.getByRole('slider', { name: 'Across' }).press('ArrowRight')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The file is changed.').waitFor()

  await page.goto(at('/pages#new'))
  await page.getByLabel('Title').fill('Rain at a glance')
  await page.getByRole('radio', { name: /Dashboard/ }).check()
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.waitForURL(/\/pages\/dashboard\/[^/]+\/modify/)
  const publish = page.getByRole('button', { name: 'Publish', exact: true })
  expect(await publish.isDisabled()).toBe(true)
  for (const [place, insight] of ['What the days are like', 'When it rains in Seattle'].entries()) {
    await page.getByRole('button', { name: 'Insight…' }).click()
    await page.getByRole('menuitem', { name: insight }).click()
    await page
      .getByRole('button', { name: /^Arrange/ })
      .nth(place)
      .waitFor()
  }
  await page.getByRole('button', { name: 'Picture…' }).click()
  await page.getByRole('option', { name }).click()
  const picture = page.getByRole('button', { name: 'Arrange Image' })
  await picture.waitFor()

  const first = page.getByRole('button', { name: /^Arrange/ }).first()
  await first.focus()
  await first.press('Shift+ArrowLeft')
  await page.getByText(/Column 1, row 1, 5 wide/).waitFor()
  await page.getByText('Everything is saved.').waitFor()
  // Whoever reads it has it so, without scripts.
  const { origin, pathname } = new URL(page.url())
  const reading = await page.request.get(origin + pathname.replace(/\/modify$/, ''))
  expect(await reading.text()).toMatch(/dash-item" style="[^"]*--w:5[;"]/)
  await page.reload()

  await publish.click()
  await page.getByText('Published', { exact: true }).first().waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

test('an organization admin chooses what the first page of the hub shows, and in which order', async () => {
  const { page, context, complaints } = await openWindow(browser)
  await signIn(page, 'organization_admin', '/org/manage/hub')
  await listening(page)
  const read = async () => (await ask('/', { host: hubs.seattle.host })).text
  const sections = async () =>
    [...(await read()).matchAll(/<section aria-labelledby="(\w+)"/g)].map(([, name]) => name)
  const before = await sections()
  expect(before).toEqual(['numbers', 'stories', 'domains', 'topics', 'map'])
  const list = page.getByRole('grid', { name: 'Sections of the first page' })
  const shown = () => list.locator('.list-main > span').allTextContents()
  await page.getByRole('link', { name: 'Arrange' }).click()
  await expect.poll(shown, within).toEqual(['Key numbers', 'Chart', 'Stories', 'Domains', 'Map'])

  // By keyboard: the map to the top; then the domains away, whose button has the focus where it went.
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')
  await list.getByRole('row', { name: 'Map' }).focus()
  await page.keyboard.press('Tab')
  await expect.poll(focused).toBe('Move Map')
  await page.keyboard.press('Enter')
  await expect.poll(focused, within).toMatch(/^Insert/)
  for (let tries = 0; tries < 6 && !(await focused()).startsWith('Insert before'); tries++)
    await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect.poll(shown, within).toEqual(['Map', 'Key numbers', 'Chart', 'Stories', 'Domains'])
  await page.getByRole('link', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Hide Domains' }).click()
  await page.getByText('Hidden. The hub follows within seconds.').waitFor()
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent), within)
    .toBe('Show Domains')
  await expect.poll(sections, within).toEqual(['map', 'numbers', 'stories'])
  expect(await read()).not.toMatch(/<main[^]*href="\/domains"[^]*<\/main>/)
  expect(await violations(page)).toEqual([])
  await page.setViewportSize({ width: 320, height: 720 })
  expect(await overflow(page)).toBe(0)

  await page.getByRole('button', { name: 'As it was in the beginning' }).click()
  await expect.poll(sections, within).toEqual(before)
  expect(complaints).toEqual([])
  await context.close()
})
