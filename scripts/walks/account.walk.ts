import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { account } from './ask.ts'
import { waitForHydration, openBrowser, openWindow, type Browser, type Page } from './browser.ts'
import { signIn } from './sign-in.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const buildUrl = (path: string) => `http://localhost:${inject('port')}${path}`
const first = 'long enough for anyone'
const second = 'another one, as long'

async function fillIn(page: Page, email: string, password: string) {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('an account: wanted page, email, new password, deletion', async () => {
  const { page, context, complaints } = await openWindow(browser)
  page.setDefaultTimeout(40_000)
  const email = `account-${Date.now()}@demo.example`
  await page.goto(buildUrl('/sources?sort=name'))
  await page.waitForURL(/\/login\?redirectTo=/)
  await waitForHydration(page)
  await page.getByRole('link', { name: 'Sign up' }).click()
  await page.getByLabel('Name').fill('Ada')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(first)
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.waitForURL(/\/confirmation/)

  // A sign-in before the address is confirmed leads to where the email can be requested again.
  await page.goto(buildUrl('/login?redirectTo=%2Fsources%3Fsort%3Dname'))
  await waitForHydration(page)
  await fillIn(page, email, first)
  await page.waitForURL(/\/confirmation\?redirectTo=/)
  await page.getByRole('button', { name: 'Send the email again' }).waitFor()

  // The email does not contain the wanted page; the browser remembers it.
  await page.goto(buildUrl('/outbox'))
  const emails = page.locator('article', { hasText: `To ${email}` }).filter({ hasText: /confirm/i })
  await emails.first().locator('pre a').first().click()
  await page.getByRole('button', { name: 'Confirm this address' }).click()
  await page.waitForURL(buildUrl('/sources?sort=name'))

  const phone = await openWindow(browser)
  phone.page.setDefaultTimeout(40_000)
  await phone.page.goto(buildUrl('/login?redirectTo=%2Faccount'))
  await waitForHydration(phone.page)
  await fillIn(phone.page, email, first)
  await phone.page.waitForURL(buildUrl('/account'))

  await page.goto(buildUrl('/account'))
  await waitForHydration(page)
  const change = page.locator('section[aria-labelledby=password]')
  await change.getByLabel('Present password').fill('not this one')
  await change.getByLabel('New password').fill(second)
  await change.getByRole('button', { name: 'Change the password' }).click()
  await change.getByText('The password is not right.').waitFor()
  await change.getByLabel('Present password').fill(first)
  await change.getByRole('button', { name: 'Change the password' }).click()
  await page.getByText('Your password is changed.').waitFor()
  expect(await change.getByLabel('New password').inputValue()).toBe('')
  await phone.page.goto(buildUrl('/account'))
  await phone.page.waitForURL(/\/login/)

  const farewell = page.locator('section[aria-labelledby=farewell]')
  await farewell.getByLabel('Your password').fill(second)
  await farewell.getByRole('button', { name: 'Delete the account' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete the account' }).click()
  await page.waitForURL(buildUrl('/explore'))
  await page.getByRole('link', { name: 'Sign In' }).waitFor()
  await fillIn(phone.page, email, second)
  await phone.page.getByText('The e-mail address or the password is not right.').first().waitFor()
  expect(complaints).toEqual([])
  for (const window of [context, phone.context]) await window.close()
})

test('links of emails do not reveal their address to other sites, and their forms work without scripts', async () => {
  const { page, context } = await openWindow(browser, { hasScripts: false })
  page.setDefaultTimeout(40_000)
  const email = `quiet-${Date.now()}@demo.example`
  const follow = async (subject: RegExp) => {
    await page.goto(buildUrl('/outbox'))
    const emails = page.locator('article', { hasText: `To ${email}` }).filter({ hasText: subject })
    const href = await emails.first().locator('pre a').first().getAttribute('href')
    const response = await page.goto(href ?? '')
    expect(response?.headers()['referrer-policy']).toBe('no-referrer')
  }
  await page.goto(buildUrl('/signup'))
  await page.getByLabel('Name').fill('Quiet Reader')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(first)
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.waitForURL(/\/confirmation/)
  await follow(/confirm/i)
  await page.getByRole('button', { name: 'Confirm this address' }).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/confirmation'))

  await context.clearCookies()
  await page.goto(buildUrl('/forgot_password'))
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('main').getByRole('button').click()
  await page.getByText('Look at your mail').waitFor()
  await follow(/password/i)
  const resetRequest = page.waitForRequest((request) => request.method() === 'POST')
  await page.getByLabel('New password').fill(second)
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.waitForURL(/\/login\?reset/)
  const { origin, referer } = await (await resetRequest).allHeaders()
  expect([origin, referer]).toEqual(['null', undefined])
  await context.close()
})

test('the only admin of an organization cannot leave it, and is told why', async () => {
  const { page, context } = await openWindow(browser)
  page.setDefaultTimeout(40_000)
  const { email } = account('organization_admin')
  await signIn(page, 'organization_admin', '/account')
  await page.getByText(email).first().waitFor()
  const places = page.locator('section[aria-labelledby=places]')
  await places
    .getByRole('button', { name: /^Leave/ })
    .first()
    .click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click()
  await places.locator('.form-error').getByText('needs an organization admin').waitFor()
  await context.close()
})

test('finds records of a source by their words', async () => {
  const { page, context, complaints } = await openWindow(browser)
  page.setDefaultTimeout(40_000)
  await signIn(page, 'organization_admin', '/sources')
  const list = page.locator('main ul.list')
  await list.getByRole('link').first().click()
  const search = page.getByRole('searchbox', { name: 'Search records' })
  await search.fill('zzz no record says this')
  await search.press('Enter')
  await page.getByText('No results!').waitFor()
  expect(await page.getByText('does not support').count()).toBe(0)
  expect(complaints).toEqual([])
  await context.close()
})

test('a click just before the screen is hydrated does no harm', async () => {
  const { page, context, complaints } = await openWindow(browser)
  page.setDefaultTimeout(40_000)
  // React schedules its work by messages to itself; the click comes before the first of them.
  await page.addInitScript(() => {
    const { postMessage } = MessagePort.prototype
    MessagePort.prototype.postMessage = function (...message: unknown[]) {
      queueMicrotask(() => {
        document.querySelector('h1')?.click()
        document.documentElement.dataset.clicked = 'yes'
      })
      MessagePort.prototype.postMessage = postMessage
      Reflect.apply(postMessage, this, message)
    }
  })
  await page.goto(buildUrl('/login'))
  await waitForHydration(page)
  expect(await page.locator('html').getAttribute('data-clicked')).toBe('yes')
  await page.getByRole('link', { name: 'Sign up' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign up' }).waitFor()
  expect(complaints).toEqual([])
  await context.close()
})
