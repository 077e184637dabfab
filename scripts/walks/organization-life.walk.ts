import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from './ask.ts'
import { findViolations } from './axe.ts'
import { waitForHydration, openBrowser, type Browser, type Page } from './browser.ts'
import { buildUrl, confirmIdentity, openPatientWindow, signUp } from './newcomer.ts'

/** An organization through the screens: sample data, someone who asks to join, handing over, closing and reopening. */

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const within = { timeout: 40_000 }

/** Signs up a person, who ends where an organization is created or joined. */
async function newcomer(email: string) {
  const { page, context, complaints } = await openPatientWindow(browser)
  await page.goto(buildUrl('/signup'))
  await waitForHydration(page)
  await signUp(page, 'New Here', email)
  await page.waitForURL(buildUrl('/organization/new'))
  await waitForHydration(page)
  return { page, context, complaints }
}

/** Opens an entry of the menu of the account and the organization. */
async function openEntry(page: Page, name: string, path: string): Promise<void> {
  await page.getByRole('button', { name: /: account and organization$/ }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
  await page.waitForURL(buildUrl(path))
  await waitForHydration(page)
}

/** Adds sample data with one click on the home screen of an empty organization, and removes them with one. */
async function playWithSampleData(page: Page): Promise<void> {
  const sample = page.locator('section[aria-labelledby=sample]')
  await sample.getByRole('button', { name: 'Add sample data' }).click()
  await sample.getByRole('heading', { name: 'Sample data are here' }).waitFor()
  const kinds = await sample.locator('.list .badge').allInnerTexts()
  for (const kind of ['Data type', 'Source', 'Insight', 'Page']) expect(kinds).toContain(kind)
  const source = sample.locator('a[href^="/sources/"]').first()
  const name = await source.innerText()
  await source.click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
  await page.getByRole('link', { name: 'Home', exact: true }).first().click()
  await sample.getByRole('button', { name: 'Remove all sample data' }).click()
  await sample.getByRole('heading', { name: 'Look around with sample data' }).waitFor()
  await page.getByRole('link', { name: 'Data', exact: true }).first().click()
  await page.waitForURL(buildUrl('/sources'))
  await page.getByRole('heading', { level: 1, name: 'Data', exact: true }).waitFor()
  expect(await page.getByRole('link', { name, exact: true }).count()).toBe(0)
}

test('an organization tries sample data, lets someone in, is handed over, closed and reopened', async () => {
  const stamp = Date.now()
  const id = `heirloom-${stamp}`
  const place = `Heirloom ${stamp}`
  const host = `${id}.localhost`
  const founder = await newcomer(`founder-${stamp}@demo.example`)
  await founder.page.getByLabel('Name', { exact: true }).fill(place)
  await founder.page.getByLabel('Id', { exact: true }).fill(id)
  await founder.page.getByRole('button', { name: 'Make the organization' }).click()
  await founder.page.getByRole('button', { name: 'Start' }).click()
  await founder.page.waitForURL(buildUrl('/home'))
  await playWithSampleData(founder.page)

  // Joining by request: nobody is in before an admin of the organization approves.
  const successor = await newcomer(`successor-${stamp}@demo.example`)
  const join = successor.page.locator('section[aria-labelledby=join]')
  await join.getByLabel('Which organization').fill(id)
  await join.getByLabel('Who you are').fill('I take over in spring.')
  await join.getByRole('button', { name: 'Ask to join' }).click()
  const requests = successor.page.locator('section[aria-labelledby=requests]')
  await requests.getByText('Not answered yet').waitFor()
  await openEntry(founder.page, 'Team', '/team')
  const waiting = founder.page.locator('section[aria-labelledby=join-requests]')
  await waiting.getByText('I take over in spring.').waitFor()
  await waiting.getByRole('button', { name: /^Let in/ }).click()
  await founder.page.getByText('They belong to the team now. An email tells them.').waitFor()
  await waiting.waitFor({ state: 'detached' })
  // Handing over: the founder becomes a viewer, who has nothing to hand over.
  const handOver = founder.page.locator('section[aria-labelledby=hand-over]')
  await handOver.getByLabel('What you are then').selectOption('viewer')
  await handOver.getByRole('button', { name: 'Hand over' }).click()
  await founder.page.getByRole('alertdialog').getByRole('button', { name: 'Hand over' }).click()
  await founder.page.getByRole('dialog', { name: 'Confirm that it is you' }).waitFor()
  // What was chosen is still there.
  expect(await handOver.getByLabel('What you are then').inputValue()).toBe('viewer')
  await confirmIdentity(founder.page)
  await founder.page.waitForURL((url) => url.pathname !== '/team')
  await openEntry(founder.page, 'Team', '/team')
  const own = founder.page.locator('.list-item', { has: founder.page.getByText('You', { exact: true }) })
  await own.getByText('Viewer', { exact: true }).waitFor()
  expect(await handOver.count()).toBe(0)

  // Closing, by the successor alone.
  const { page } = successor
  await page.goto(buildUrl('/home'))
  await page.getByRole('button', { name: 'Start' }).click()
  await page.getByRole('heading', { level: 1, name: place }).waitFor()
  await openEntry(page, 'Manage Organization', '/org/manage')
  await page.getByRole('link', { name: 'Hub', exact: true }).click()
  await page.getByRole('button', { name: 'Open the hub' }).click()
  await page.getByText('The hub is public.').waitFor()
  const status = async () => (await ask('/', { host })).status
  await expect.poll(status, within).toBe(200)
  await page.goto(buildUrl('/org/manage'))
  await page.getByRole('link', { name: 'See what would go' }).click()
  await page.waitForURL(buildUrl('/org/manage/close'))
  await waitForHydration(page)
  expect(await findViolations(page)).toEqual([])
  await page.getByLabel('Name of the organization').fill(place)
  await page.getByRole('button', { name: 'Close the organization' }).click()
  await confirmIdentity(page)
  await page.waitForURL(buildUrl('/organization/closed'))
  await waitForHydration(page)
  expect(await findViolations(page)).toEqual([])
  await expect.poll(status, within).not.toBe(200)
  await founder.page.goto(buildUrl('/organization/closed'))
  await founder.page.getByText('Nothing to open again').waitFor()

  // Reopening, as it was.
  await page.getByRole('button', { name: `Reopen ${place}` }).click()
  await page.waitForURL(buildUrl('/home'))
  await page.getByRole('heading', { level: 1, name: place }).waitFor()
  await expect.poll(status, within).toBe(200)
  expect(founder.complaints).toEqual([])
  expect(successor.complaints).toEqual([])
  await founder.context.close()
  await successor.context.close()
}, 360_000)
