import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { findViolations } from './axe.ts'
import { waitForHydration, openBrowser, openWindow, type Browser } from './browser.ts'
import { enterPassword, newcomersPassword as password, signUp } from './sign-in.ts'
import { computeCodePair } from '#functions/domain/identity/totp.testing.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const buildUrl = (path: string) => `http://localhost:${inject('port')}${path}`

test('a second factor: re-authentication for sensitive actions, an app, sign-in with it, recovery codes', async () => {
  const { page, context, complaints } = await openWindow(browser)
  page.setDefaultTimeout(40_000)
  const email = `factor-${Date.now()}@demo.example`
  await signUp(page, email)

  // Creating a key asks for re-authentication in a dialog; then the form is submitted by itself.
  await page.goto(buildUrl('/account'))
  await waitForHydration(page)
  await page.getByLabel('Name of the new key').fill('my program')
  await page.getByRole('button', { name: 'Make a key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await dialog.getByLabel('Your password').fill('not this one')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await dialog.getByText('The password is not right.').waitFor()
  await dialog.getByLabel('Your password').fill(password)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await page.getByLabel('The key “my program”').waitFor()

  await page.getByRole('link', { name: 'Set up a second factor' }).click()
  // The screen asks for a password first as well.
  await page.getByRole('heading', { level: 1, name: 'Second factor' }).waitFor()
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Set up an app' }).click()
  const key = await page.getByLabel('Key', { exact: true }).inputValue()
  expect(
    await page
      .getByRole('img', { name: /QR code/ })
      .evaluate((img) => (img as HTMLImageElement).naturalWidth),
  ).toBeGreaterThan(20)
  const codes = await page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allInnerTexts()
  expect(codes).toHaveLength(10)
  expect(await findViolations(page)).toEqual([])
  await page.getByLabel('Code of your authenticator app').fill('000000')
  await page.getByRole('button', { name: 'Finish' }).click()
  await page.getByText('The code is not right.').first().waitFor()
  // The key for the app is still shown.
  expect(await page.getByLabel('Key', { exact: true }).inputValue()).toBe(key)
  await page.getByLabel('Code of your authenticator app').fill(computeCodePair(key).code)
  await page.getByRole('button', { name: 'Finish' }).click()
  await page.getByText('10 recovery codes are left.').waitFor()

  const other = await openWindow(browser)
  other.page.setDefaultTimeout(40_000)
  await enterPassword(other.page, email)
  expect(await findViolations(other.page)).toEqual([])
  // The password alone is not enough.
  await other.page.goto(buildUrl('/account'))
  await other.page.waitForURL(/\/login/)
  await enterPassword(other.page, email)
  await other.page.getByLabel('Code of your authenticator app').fill('111111')
  await other.page.getByRole('button', { name: 'Sign in' }).click()
  await other.page.getByText('The code is not right.').first().waitFor()
  await other.page.getByLabel('Code of your authenticator app').fill(computeCodePair(key).next)
  await other.page.getByRole('button', { name: 'Sign in' }).click()
  await other.page.waitForURL(buildUrl('/account'))

  const third = await openWindow(browser, { width: 320, scheme: 'dark' })
  third.page.setDefaultTimeout(40_000)
  await enterPassword(third.page, email)
  await third.page.getByRole('button', { name: 'Use a recovery code instead' }).click()
  await third.page.getByLabel('Recovery code').fill(codes[0] ?? '')
  await third.page.getByRole('button', { name: 'Sign in' }).click()
  await third.page.waitForURL(buildUrl('/account'))
  await third.page.goto(buildUrl('/account/second-factor'))
  await third.page.getByText('9 recovery codes are left.').waitFor()
  expect(complaints).toEqual([])
  for (const window of [context, other.context, third.context]) await window.close()
})
