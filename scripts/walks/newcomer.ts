import { inject } from 'vitest'
import { openWindow, type Browser, type Page } from './browser.ts'

// A person who has no account yet, as several walks need one.

export const buildUrl = (path: string) => `http://localhost:${inject('port')}${path}`
const newPassword = 'long enough for anyone'

/** Opens a window of its own for a person, with longer timeouts, and collects what its pages complain about. */
export async function openPatientWindow(browser: Browser) {
  const { page, context, complaints } = await openWindow(browser)
  page.setDefaultTimeout(40_000)
  return { page, context, complaints }
}

/** Opens the newest email to an address in the outbox and follows its link. */
export async function followEmailLink(page: Page, email: string, subject: RegExp) {
  await page.goto(buildUrl('/outbox'))
  const emails = page.locator('article', { hasText: `To ${email}` }).filter({ hasText: subject })
  await emails.first().locator('pre a').first().click()
}

/** Signs up and confirms, on the open form; confirming in the same browser signs in. */
export async function signUp(page: Page, name: string, email: string) {
  await page.getByRole('heading', { level: 1, name: 'Sign up' }).waitFor()
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(newPassword)
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.waitForURL(/\/confirmation/)
  await followEmailLink(page, email, /confirm/i)
  await page.getByRole('button', { name: 'Confirm this address' }).click()
}

/** Answers the dialog that asks for the password before a sensitive action. */
export async function confirmIdentity(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await dialog.getByLabel('Your password').fill(newPassword)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
}
