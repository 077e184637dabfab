import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { account, hubs } from './ask.ts'
import { iowaWorkbook } from './published-data.ts'
import { waitForHydration, openBrowser, openWindow, type Browser } from './browser.ts'
import { deleteAs, deleteSource } from './delete-as.ts'
import { Keyboard, within } from './keyboard.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

/** Signs in as staff without a mouse, at home. */
async function signInByKeyboard() {
  const window = await openWindow(browser)
  const { page } = window
  const keyboard = new Keyboard(page)
  const { email, password } = account('organization_admin')
  await page.goto(`http://localhost:${inject('port')}/login?redirectTo=/home`)
  await keyboard.type('E-mail', email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  // A new document, which begins with the skip link.
  await page.getByRole('heading', { name: 'Needs attention' }).waitFor(within)
  await keyboard.to('link', 'Skip to content')
  return { ...window, keyboard }
}

test('a new person signs up, creates an organization and opens its hub without a mouse', async () => {
  const { page, context, complaints } = await openWindow(browser)
  const keyboard = new Keyboard(page)
  const buildUrl = (path: string) => `http://localhost:${inject('port')}${path}`
  const stamp = Date.now()
  const email = `keys-${stamp}@demo.example`
  await page.goto(buildUrl('/signup'))
  await keyboard.type('Name', 'Kay Board')
  await keyboard.type('E-mail', email)
  await page.keyboard.press('Tab')
  await page.keyboard.type('long enough for anyone')
  await keyboard.press('button', 'Sign up')
  await page.waitForURL(/\/confirmation/, within)
  await page.goto(buildUrl('/outbox'))
  const emails = page.locator('article', { hasText: `To ${email}` }).filter({ hasText: /confirm/i })
  await page.goto((await emails.first().locator('pre a').first().getAttribute('href')) ?? '')
  await keyboard.press('button', 'Confirm this address')
  // Signed in: a new document.
  await page.waitForURL(/\/organization\/new$/, within)
  await page.getByRole('heading', { name: 'Your organization' }).waitFor(within)
  await keyboard.type('Name', `Key Bay ${stamp}`)
  await keyboard.press('button', 'Make the organization')
  await keyboard.arrive(/\/hello$/)
  await keyboard.press('button', 'Start')
  await keyboard.arrive(/\/home$/, 'From data to a hub')
  await keyboard.choose(/: account and organization$/, 'Manage Organization')
  await keyboard.arrive(/\/org\/manage$/)
  await keyboard.press('link', 'Hub')
  await keyboard.arrive(/\/org\/manage\/hub$/)
  await keyboard.press('button', 'Open the hub')
  await page.getByText('The hub is public.').waitFor(within)
  await keyboard.expectFocus()
  expect(complaints).toEqual([])
  await context.close()
}, 120_000)

test('staff turn a messy workbook into a chart without a mouse', async () => {
  const { page, context, complaints, keyboard } = await signInByKeyboard()
  const stamp = Date.now()
  await keyboard.press('link', 'Data')
  await keyboard.arrive(/\/sources$/, 'Data')
  await keyboard.press('link', 'Add data')
  await keyboard.arrive(/\/sources\/create$/, 'Add data')
  await waitForHydration(page)
  // Listens early: the browser must be told to intercept the file dialog, which an immediate key press may
  // overtake.
  const dialog = page.waitForEvent('filechooser', within)
  await keyboard.to('button', /Drop a file here/)
  await page.keyboard.press('Enter')
  const chooser = await dialog
  const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  await chooser.setFiles({ name: `iowa_${stamp}.xlsx`, mimeType, buffer: Buffer.from(iowaWorkbook()) })
  await page.getByLabel('Name of the source').waitFor(within)
  await page.getByText('Rows 3 to 4 are read as the header.').waitFor(within)
  await keyboard.expectFocus()
  await keyboard.press('button', 'Check all rows')
  await keyboard.arrive(/\/importers\/[^/]+\/[^/]+$/)
  await page.getByText('Nothing has changed yet.').waitFor(within)
  await keyboard.press('button', 'Bring it in')
  await page.getByText('The records are in.').waitFor(within)
  await keyboard.expectFocus()
  await keyboard.press('link', 'Open the source')
  await keyboard.arrive(/\/sources\/[^/]+$/, 'A first chart')
  const sourceId = page.url().split('/').at(-1) ?? ''
  await keyboard.press('link', 'Make this chart')
  await keyboard.arrive(/\/insights\/create/)
  await keyboard.type('Name', `Electricity ${stamp}`)
  await keyboard.press('button', 'Save')
  await keyboard.arrive(/\/insights\/[0-9a-f-]{36}$/, `Electricity ${stamp}`)
  await deleteAs(page, `/v1${new URL(page.url()).pathname}`)
  await deleteSource(page, sourceId)
  expect(complaints).toEqual([])
  await context.close()
}, 120_000)

test('staff write and publish a page without a mouse', async () => {
  const { page, context, complaints, keyboard } = await signInByKeyboard()
  const stamp = Date.now()
  await keyboard.press('link', 'Pages')
  await keyboard.arrive(/\/pages$/, 'Pages')
  await keyboard.press('link', 'New page')
  await keyboard.type('Title', `Electricity ${stamp}`)
  await keyboard.press('button', 'Create')
  await keyboard.arrive(/\/modify/)
  await keyboard.press('button', 'Text')
  await page.keyboard.type('Iowa turned to the wind.')
  await page.getByText('Everything is saved.').waitFor(within)
  await keyboard.press('button', 'Publish')
  await page.getByText('Published', { exact: true }).first().waitFor(within)
  await keyboard.expectFocus()

  expect(complaints).toEqual([])
  await context.close()
}, 120_000)

test('staff invite someone and set up an observer without a mouse', async () => {
  const { page, context, complaints, keyboard } = await signInByKeyboard()
  const stamp = Date.now()
  await keyboard.choose(/: account and organization$/, 'Team')
  await keyboard.arrive(/\/team$/)
  await keyboard.type('E-mail', `iowa-${stamp}@demo.example`)
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  await keyboard.press('button', 'Send the invitation')
  await page.getByText(/^Invited\./).waitFor(within)
  await keyboard.expectFocus()

  await keyboard.press('link', 'Data')
  await keyboard.arrive(/\/sources$/, 'Data')
  await keyboard.press('link', 'Data types')
  await keyboard.arrive(/\/types\/catalog$/, 'Data types')
  await keyboard.press('link', 'Daily weather')
  await keyboard.arrive(/\/types\/daily-weather$/)
  await keyboard.press('link', 'Observers')
  await keyboard.arrive(/\/observers$/)
  await keyboard.press('link', 'Create an observer')
  await keyboard.arrive(/\/observers\/create$/)
  await keyboard.type('Name', `It rains ${stamp}`)
  await keyboard.press('button', 'Create')
  await keyboard.arrive(/\/observers\/[0-9a-f-]{36}$/, `It rains ${stamp}`)
  expect(complaints).toEqual([])
  await context.close()
}, 120_000)

test('a reader finds data on a hub and downloads them without a mouse', async () => {
  const { page, context, complaints } = await openWindow(browser)
  const keyboard = new Keyboard(page)
  await page.goto(`http://${hubs.usa.host}:${inject('port')}/`)
  // A search box becomes a combobox when its suggestions have loaded, which its first focus triggers.
  await keyboard.to(['searchbox', 'combobox'], /Search/)
  await page.keyboard.type('airports')
  await page.keyboard.press('Enter')
  await keyboard.press('link', /Airports of the United States/)
  await page.waitForURL(/\/source\/us-airports$/, within)
  await keyboard.to('link', /CSV/)
  const [download] = await Promise.all([page.waitForEvent('download', within), page.keyboard.press('Enter')])
  expect(download.suggestedFilename()).toMatch(/\.csv/)
  expect(complaints).toEqual([])
  await context.close()
}, 60_000)
