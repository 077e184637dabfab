import { inject } from 'vitest'
import { account } from './ask.ts'
import { waitForHydration, type Page } from './browser.ts'

/** Requests a screen, signs in with a role where it redirects to, and waits until that screen is hydrated. */
export async function signIn(page: Page, role: string, path: string): Promise<void> {
  await page.goto(`http://localhost:${inject('port')}${path}`)
  await page.waitForURL(/\/login\?redirectTo=/)
  await submitSignIn(page, account(role), path)
}

/** Fills in the sign-in form that is open, and waits until the screen of `path` that it leads to is hydrated. */
export async function submitSignIn(
  page: Page,
  { email, password }: { email: string; password: string },
  path: string,
): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: /sign in/i }).click()
  await page.waitForURL((url) => url.pathname === path.split('?')[0])
  // The address changes before the screen does.
  await page.getByRole('heading', { level: 1, name: 'Sign in', exact: true }).waitFor({ state: 'detached' })
  await waitForHydration(page)
}

/**
 * Signs in someone without a place who gives a reason to open the one that this browser works in. Ends on the
 * screen of `path`.
 */
export async function signInWithReason(page: Page, role: string, path: string): Promise<void> {
  await signIn(page, role, '/account')
  await page.goto(`http://localhost:${inject('port')}${path}`)
  await submitReason(page, 'A walk through every screen')
  await page.waitForURL((url) => url.pathname === path.split('?')[0])
  await waitForHydration(page)
}

/**
 * Submits the screen that asks for the reason to open a place, and waits until it is left: an earlier
 * navigation would abort the request.
 */
export async function submitReason(page: Page, reason: string): Promise<void> {
  const question = page.getByRole('heading', { level: 1, name: /^Say why you open / })
  await question.waitFor()
  await page.getByLabel('Reason').fill(reason)
  await page.getByRole('button', { name: /^Open / }).click()
  await question.waitFor({ state: 'detached' })
}

/** The password of people who sign up in a walk. */
export const newcomersPassword = 'long enough for anyone'

const buildUrl = (path: string) => `http://localhost:${inject('port')}${path}`

/** Signs up and follows the email's link: such a session has not re-authenticated yet. */
export async function signUp(page: Page, email: string) {
  await page.goto(buildUrl('/signup'))
  await waitForHydration(page)
  await page.getByLabel('Name').fill('Ada')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(newcomersPassword)
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.waitForURL(/\/confirmation/)
  await page.goto(buildUrl('/outbox'))
  await page
    .locator('article', { hasText: `To ${email}` })
    .first()
    .locator('pre a')
    .first()
    .click()
  await page.getByRole('button', { name: 'Confirm this address' }).click()
  await page.waitForURL((url) => url.pathname !== '/confirmation')
}

/** Enters the password of someone who has a second factor. */
export async function enterPassword(page: Page, email: string) {
  await page.goto(buildUrl('/login?redirectTo=%2Faccount'))
  await waitForHydration(page)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(newcomersPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Second step' }).waitFor()
  await waitForHydration(page)
}
