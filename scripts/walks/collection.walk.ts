import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { account, ask } from './ask.ts'
import { findViolations } from './axe.ts'
import {
  waitForHydration,
  openBrowser,
  openWindow,
  measureOverflow,
  type Browser,
  type Page,
} from './browser.ts'
import { signIn } from './sign-in.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const origin = () => `http://localhost:${inject('port')}`
const rain = 'When it rains in Seattle'
const warmth = 'Daily high temperatures in Seattle'
const within = { timeout: 10_000 }

/** The titles in the shown collection, in order. */
const readCardTitles = (page: Page) => page.locator('.card-title').allTextContents()
const readArrangedNames = (page: Page) => page.locator('.arrange .list-main').allTextContents()
const readFocusedLabel = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')

/** Moves a row before the first one, by keyboard only. */
async function moveToTop(page: Page, name: string) {
  await page.getByRole('row', { name }).focus()
  await page.keyboard.press('Tab')
  await expect.poll(() => readFocusedLabel(page)).toBe(`Move ${name}`)
  await page.keyboard.press('Enter')
  await expect.poll(() => readFocusedLabel(page), within).toMatch(/^Insert /)
  for (let tries = 0; tries < 4 && !(await readFocusedLabel(page)).startsWith('Insert before'); tries++)
    await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
}

/** Adds a text by the API, as a program does. */
async function addText(path: string, title: string) {
  const { status } = await ask(`/v1/places/seattle-wa${path}/texts`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${account('organization_admin').key}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ title }),
  })
  expect(status).toBe(201)
}

test('a content admin makes a collection of insights and texts, arranges, rewrites and deletes', async () => {
  const { page, context, complaints } = await openWindow(browser)
  await signIn(page, 'content_admin', '/collections/create')
  await page.getByLabel('Name').fill('Rain')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.waitForURL(/\/collections\/[0-9a-f-]{36}$/)
  const url = page.url()
  for (const title of [warmth, rain]) {
    await page.getByRole('button', { name: 'Add an insight…' }).click()
    await page.getByRole('menuitem', { name: title }).first().click()
    await page.locator('.card-title', { hasText: title }).waitFor()
  }

  // A text is written as it will be read, and is added at the end.
  await page.getByRole('link', { name: 'Add text' }).click()
  await page.getByRole('heading', { level: 1, name: 'Add a text' }).waitFor()
  await page.getByLabel('Title').fill('Before you read on')
  await page.getByRole('textbox', { name: 'Text' }).click()
  await page.getByRole('button', { name: 'Bold' }).click()
  await page.keyboard.type('Rain is water.')
  await page.getByRole('button', { name: 'Add the text' }).click()
  await page.locator('.card strong', { hasText: 'Rain is water.' }).waitFor()
  expect(await readCardTitles(page)).toEqual([warmth, rain, 'Before you read on'])
  expect(await page.locator('.card :is(h2, h3)').count()).toBe(3)

  // Insights and texts share one order, changeable by keyboard, drag and buttons.
  await page.getByRole('link', { name: 'Arrange' }).click()
  await moveToTop(page, 'Before you read on')
  await expect.poll(() => readArrangedNames(page), within).toEqual(['Before you read on', warmth, rain])
  await page.getByRole('button', { name: `Up ${rain}` }).click()
  await expect.poll(() => readArrangedNames(page), within).toEqual(['Before you read on', rain, warmth])
  await page.getByRole('link', { name: 'Done' }).click()
  await expect.poll(() => readCardTitles(page), within).toEqual(['Before you read on', rain, warmth])
  expect(await findViolations(page)).toEqual([])

  // Leaving with unsaved changes asks first.
  await page.getByRole('link', { name: 'Before you read on' }).click()
  await page.waitForURL(/\/text\/[0-9a-f-]{36}$/)
  const textUrl = page.url()
  await page.getByRole('textbox', { name: 'Text' }).click()
  await page.keyboard.press('End')
  await page.keyboard.type(' So is snow.')
  await page.getByRole('link', { name: 'Back to Rain' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stay' }).click()
  await page.getByLabel('Title').fill('What counts as rain')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { level: 1, name: 'What counts as rain' }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.setViewportSize({ width: 320, height: 720 })
  expect(await measureOverflow(page)).toBe(0)

  // The previous and the next entry are one click away.
  await page.getByRole('link', { name: rain }).click()
  await page.getByRole('heading', { level: 1, name: rain }).waitFor()
  await page.getByRole('link', { name: 'What counts as rain' }).click()
  await page.waitForURL(textUrl)
  await page.getByText('Rain is water. So is snow.').waitFor()

  // A reader sees the text and no input.
  const reader = await openWindow(browser, { hasScripts: false })
  await reader.page.goto(`${origin()}/login?redirectTo=${encodeURIComponent(new URL(textUrl).pathname)}`)
  const { email, password } = account('viewer')
  await reader.page.getByLabel('E-mail').fill(email)
  await reader.page.getByLabel('Password', { exact: true }).fill(password)
  await reader.page.getByRole('button', { name: /sign in/i }).click()
  await reader.page.getByText('Rain is water. So is snow.').waitFor()
  expect(await reader.page.locator('main form').count()).toBe(0)
  await reader.page.goto(`${textUrl.replace(/\/[^/]+$/, '')}/create`)
  await reader.page.getByText('Only people with the role').first().waitFor()
  expect(await reader.page.locator('main form').count()).toBe(0)
  await reader.context.close()

  // Deleting asks once, names the text and leads back.
  await waitForHydration(page)
  await page.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Delete What counts as rain?' })
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.waitForURL(url)
  await expect.poll(() => readCardTitles(page), within).toEqual([rain, warmth])

  // More than a hundred entries are paged by hundreds.
  for (let n = 1; n <= 99; n++) await addText(new URL(url).pathname, `Note ${n}`)
  await page.reload()
  await expect.poll(async () => (await readCardTitles(page)).length, within).toBe(100)
  await page.getByRole('link', { name: 'Show more' }).click()
  await expect.poll(async () => (await readCardTitles(page)).length, within).toBe(101)
  expect((await readCardTitles(page)).at(-1)).toBe('Note 99')
  expect(complaints).toEqual([])
  await context.close()
}, 240_000)
