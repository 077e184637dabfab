import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { findViolations } from './axe.ts'
import { waitForHydration, openBrowser, openWindow, type Browser, type Page } from './browser.ts'
import { enterPassword, newcomersPassword as password, signUp } from './sign-in.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const buildUrl = (path: string) => `http://localhost:${inject('port')}${path}`

/** Adds Chromium's virtual authenticator for tests. `isUserVerified`: PIN or fingerprint succeed. */
async function plugIn(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
  return {
    verify: (isUserVerified: boolean) =>
      devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    keys: async () => (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
  }
}

test('a passkey: enrolment, second step of signing in, re-authentication, renaming, removal', async () => {
  const { page, context, complaints } = await openWindow(browser)
  page.setDefaultTimeout(40_000)
  const email = `passkey-${Date.now()}@demo.example`
  await signUp(page, email)
  const key = await plugIn(page)

  await page.goto(buildUrl('/account/second-factor'))
  await waitForHydration(page)
  await page.getByLabel('Name of the new passkey').fill('Laptop')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await dialog.getByLabel('Your password').fill(password)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await codes.first().waitFor()
  expect(await codes.count()).toBe(10)
  await page.getByText('10 recovery codes are left.').waitFor()
  expect(await key.keys()).toMatchObject([{ rpId: 'localhost', signCount: 1 }])
  expect(await findViolations(page)).toEqual([])

  // The browser knows that this authenticator already has one.
  await page.getByLabel('Name of the new passkey').fill('Laptop again')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('This device or app has a passkey of your account already.').waitFor()

  await page.goto(buildUrl('/logout'))
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL((url) => url.pathname !== '/logout')
  await enterPassword(page, email)
  expect(await findViolations(page)).toEqual([])
  // Neither fingerprint nor PIN: the browser gives no answer, and the page says so.
  await key.verify(false)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('No passkey was chosen, or it took too long. Please try again.').waitFor()
  await key.verify(true)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(buildUrl('/account'))

  await page.goto(buildUrl('/account/prove'))
  await waitForHydration(page)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('Confirmed. Go back and send your form again.').waitFor()

  await page.setViewportSize({ width: 320, height: 700 })
  await page.goto(buildUrl('/account/second-factor'))
  await waitForHydration(page)
  await page.getByText('last used').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await page.getByText('Rename Laptop').click()
  await page.getByLabel('New name of “Laptop”').fill('Key in the drawer')
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Save the name' }).click()
  await page.getByRole('button', { name: 'Remove Key in the drawer' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove it' }).click()
  await page.getByText('nobody signs in as you with your password alone').waitFor()
  await page.getByText('Your second factor is set up.').waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
  await context.close()
})
