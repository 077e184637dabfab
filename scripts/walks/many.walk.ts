import { afterAll, beforeAll, expect, inject, test } from 'vitest'
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
const boxes = (page: Page) => page.locator('.choosing-box input')

test('several insights are selected by keyboard, tagged after a preview, found by the tag, and restored by one undo', async () => {
  const { page, context, complaints } = await openWindow(browser)
  await signIn(page, 'organization_admin', '/collections/inventory')
  await waitForHydration(page)
  await boxes(page).first().focus()
  await page.keyboard.press('Space')
  await boxes(page)
    .nth(2)
    .click({ modifiers: ['Shift'] })
  await page.getByText('3 chosen').waitFor()
  expect(await findViolations(page)).toEqual([])
  const names = await page.locator('.list-title').allTextContents()
  await page.getByLabel('What to do with those chosen').selectOption({ label: 'Add tags' })
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByRole('heading', { level: 1, name: 'Add tags: 3 insights' }).waitFor()
  await page.getByLabel('Tags').fill('Walked through')
  await page.getByRole('button', { name: 'See what changes' }).click()
  await page.getByRole('heading', { level: 2, name: 'What changes' }).waitFor()
  expect(await page.locator('tbody th').allTextContents()).toEqual(names.slice(0, 3))
  expect(await findViolations(page)).toEqual([])
  await page.setViewportSize({ width: 320, height: 700 })
  expect(await measureOverflow(page)).toBe(0)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('button', { name: 'Add the tags: 3 insights' }).click()
  await page.getByText('3 insights are tagged.').waitFor()

  // Another window finds them by it while undo is still offered here.
  const other = await context.newPage()
  await other.goto(`${origin()}/collections/inventory?tag=walked+through`)
  expect(await other.locator('.list-title').allTextContents()).toEqual(names.slice(0, 3))
  await other.goto(`${origin()}/tags`)
  await other.getByRole('link', { name: '3 insights' }).waitFor()
  expect(await findViolations(other)).toEqual([])
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('3 insights are as before.').waitFor()
  await other.reload()
  expect(await other.getByRole('link', { name: '3 insights' }).count()).toBe(0)
  expect(complaints).toEqual([])
  await context.close()
})

/** Chooses a source, searches for another one, chooses that too, and sees what would change in both. */
async function describeTwo(page: Page) {
  const choices = page.getByRole('group', { name: 'Which sources' }).locator('.choice')
  const [first = '', second = ''] = (await choices.allInnerTexts()).map((name) => name.trim())
  await page.getByRole('checkbox', { name: first, exact: true }).check()
  await page.getByLabel('Topic').fill('Walked through')
  await page.getByLabel('Search sources').fill(second)
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.waitForURL(/search=\w/)
  await page.getByRole('checkbox', { name: second, exact: true }).check()
  expect(await page.getByRole('checkbox', { name: first, exact: true }).isChecked()).toBe(true)
  expect(await page.getByLabel('Topic').inputValue()).toBe('Walked through')
  await page.getByRole('button', { name: 'See what changes' }).click()
  await page.getByRole('button', { name: 'Change 2 sources' }).waitFor()
  expect((await page.locator('tbody th').allTextContents()).toSorted()).toEqual([first, second].toSorted())
}

test('a search among sources to describe keeps what was chosen and typed, with and without scripts', async () => {
  const signedIn = await openWindow(browser)
  await signIn(signedIn.page, 'organization_admin', '/sources/describe')
  await describeTwo(signedIn.page)
  expect(await findViolations(signedIn.page)).toEqual([])
  const plain = await openWindow(browser, { hasScripts: false })
  await plain.context.addCookies(await signedIn.context.cookies())
  await plain.page.goto(`${origin()}/sources/describe`)
  await describeTwo(plain.page)
  expect([...signedIn.complaints, ...plain.complaints]).toEqual([])
  await signedIn.context.close()
  await plain.context.close()
})

test('the palette starts with recent items, offers what the role may do, and is a page without scripts', async () => {
  const { page, context, complaints } = await openWindow(browser)
  await signIn(page, 'organization_admin', '/insights/seattle-temperature')
  await waitForHydration(page)
  const title = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
  await page.keyboard.press('Control+k')
  const input = page.getByRole('combobox', { name: 'Find anything' })
  const listbox = page.getByRole('listbox', { name: 'What is offered' })
  const options = listbox.getByRole('option')
  await listbox.getByText('Opened last').waitFor()
  expect(await options.first().textContent()).toContain(title)
  await options.filter({ hasText: 'Duplicate this insight' }).waitFor()
  expect(await findViolations(page)).toEqual([])
  // The keyboard stays in the field; the list says which option it would take.
  await page.keyboard.type('publish')
  await page.keyboard.press('ArrowDown')
  // Right after typing the active option is named late, so that the letters are read aloud first.
  await expect.poll(() => input.getAttribute('aria-activedescendant')).not.toBeNull()
  const active = await input.getAttribute('aria-activedescendant')
  expect(await page.locator(`[id="${active}"]`).getAttribute('role')).toBe('option')
  expect(await input.getAttribute('aria-controls')).toBe(await listbox.getAttribute('id'))
  // Nothing, said aloud.
  const status = page.getByRole('dialog').getByRole('status')
  await input.fill('zzzz nothing has this name')
  await status.filter({ hasText: 'No results!' }).waitFor()
  expect(await input.getAttribute('aria-expanded')).toBe('false')
  expect(await findViolations(page)).toEqual([])
  // An importer of whatever source, and what it does, by one sentence.
  await input.fill('run daily station')
  const run = options.filter({ hasText: 'Run this importer' })
  await run.first().waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  // By a synonym of its name, and by keyboard only.
  await page.keyboard.type('colleague')
  await expect.poll(() => options.count()).toBe(1)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/team#invite$/)
  expect(complaints).toEqual([])
  // While the answer to a new text is on its way, nothing of the former text is offered or opened.
  await page.keyboard.press('Control+k')
  await input.fill('seattle temperature')
  await options.filter({ hasText: 'Duplicate this insight' }).waitFor()
  let releaseAnswer = () => {}
  const isLetThrough = new Promise<void>((resolve) => {
    releaseAnswer = resolve
  })
  await page.route('**/find.data?*search=*', async (route) => {
    await isLetThrough
    await route.continue()
  })
  await input.fill('daily weather')
  await status.filter({ hasText: 'Searching' }).waitFor()
  expect(await options.allTextContents()).toEqual([])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  expect(new URL(page.url()).pathname).toBe('/team')
  releaseAnswer()
  await options.filter({ hasText: 'Data type' }).first().waitFor()
  await page.unroute('**/find.data?*search=*')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  // A search without an answer says so, and the screen behind stays.
  await page.route('**/find.data?*search=*', (route) => route.abort())
  await page.keyboard.press('Control+k')
  await input.fill('tree')
  await status.filter({ hasText: 'The search does not answer' }).waitFor()
  await page.unroute('**/find.data?*search=*')
  // The browser names the request that was cut off, and nothing else is wrong.
  expect(complaints.splice(0).filter((each) => !each.includes('/find'))).toEqual([])
  await page.goto(`${origin()}/find?search=duplicate&at=/insights/seattle-temperature`)
  expect(await page.getByRole('link', { name: 'Duplicate this insight' }).getAttribute('href')).toBe(
    '/duplicate/insights/seattle-temperature',
  )
  expect(await findViolations(page)).toEqual([])
  expect(complaints).toEqual([])
  await context.close()
})
