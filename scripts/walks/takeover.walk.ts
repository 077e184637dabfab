import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { account, ask } from './ask.ts'
import {
  waitForHydration,
  openBrowser,
  openWindow,
  measureOverflow,
  type Browser,
  type Page,
} from './browser.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const buildUrl = (path: string) => `http://localhost:${inject('port')}${path}`
const victimPassword = 'the password of the victim'
const theirs = 'the password of the attacker'

async function person() {
  const window = await openWindow(browser)
  window.page.setDefaultTimeout(40_000)
  return window
}

/** Follows the link of an email to an address: the newest or the oldest of its subject. */
async function follow(page: Page, email: string, subject: RegExp, which: 'newest' | 'oldest' = 'newest') {
  await page.goto(buildUrl('/outbox'))
  const emails = page.locator('article', { hasText: `To ${email}` }).filter({ hasText: subject })
  await (which === 'newest' ? emails.first() : emails.last()).locator('pre a').first().click()
  await waitForHydration(page)
}

async function signUp(page: Page, email: string, password: string) {
  await page.getByLabel('Name').fill('Vic Tim')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.waitForURL(/\/confirmation/)
}

async function signIn(page: Page, email: string, password: string) {
  await page.goto(buildUrl('/login'))
  await waitForHydration(page)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('someone who signs up with an invited person’s address gets no access, and the person does', async () => {
  const email = `victim-${Date.now()}@demo.example`
  const data = { placeId: 'seattle-wa', email, role: 'organization_admin' }
  const invited = await ask('/v1/invites', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${account('super_admin').key}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(data),
  })
  expect(invited.status).toBe(201)
  const [victim, attacker] = [await person(), await person()]
  const { page } = victim
  await follow(page, email, /invitation/i)
  await page.getByRole('link', { name: 'Sign up' }).click()
  await signUp(page, email, victimPassword)
  // The first email must be sent before the other sign-up, which removes the pending one from the queue.
  await page.goto(buildUrl('/outbox'))
  await attacker.page.goto(buildUrl('/signup'))
  await waitForHydration(attacker.page)
  await signUp(attacker.page, email, theirs)

  // The first email belongs to a sign-up that a later one has replaced.
  await follow(page, email, /confirm/i, 'oldest')
  await page.getByRole('button', { name: 'Confirm this address' }).click()
  await page.getByRole('heading', { level: 1, name: 'This link no longer works' }).waitFor()
  // The newest email belongs to a sign-up that the victim did not make: they must not confirm its password.
  await follow(page, email, /confirm/i)
  await page.getByRole('button', { name: 'Confirm this address' }).click()
  await page.getByLabel('Password', { exact: true }).fill(victimPassword)
  await page.getByRole('button', { name: 'Confirm this address' }).click()
  await page.getByText(/not the password of the newest sign-up/).waitFor()
  // The attacker's password does not work.
  await signIn(attacker.page, email, theirs)
  await attacker.page.waitForURL(/\/confirmation/)
  await attacker.page.goto(buildUrl('/account'))
  await attacker.page.waitForURL(/\/login/)

  // The screen offers a way out: a new password, by an email to the address.
  await page.getByRole('link', { name: 'Choose a new password' }).click()
  await page.getByRole('heading', { level: 1, name: 'Forgot your password?' }).waitFor()
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByRole('heading', { level: 1, name: 'Look at your mail' }).waitFor()
  await follow(page, email, /choose a new password/i)
  await page.getByLabel('New password').fill(victimPassword)
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.waitForURL(/\/login\?reset/)
  await signIn(page, email, victimPassword)

  // An invitation is pending, but only its email opens it; "Not now" leads on.
  await page.waitForURL(/\/invite\//)
  await page.getByRole('heading', { level: 1, name: 'An invitation waits for you' }).waitFor()
  expect(await page.getByRole('button', { name: 'Accept' }).count()).toBe(0)
  await page.getByRole('link', { name: 'Not now' }).click()
  await page.waitForURL(buildUrl('/organization/new'))
  await follow(page, email, /invitation/i)
  await page.getByRole('heading', { level: 1, name: 'Join Seattle' }).waitFor()
  await page.getByRole('button', { name: 'Accept' }).click()
  await page.waitForURL(buildUrl('/hello'))

  await signIn(attacker.page, email, theirs)
  await attacker.page.getByText('The e-mail address or the password is not right.').first().waitFor()
  await attacker.page.goto(buildUrl('/home'))
  await attacker.page.waitForURL(/\/login/)
  expect(victim.complaints).toEqual([])
  await victim.context.close()
  await attacker.context.close()
  // Other walks depend on who is in the place.
  const headers = { authorization: `Bearer ${account('super_admin').key}` }
  const team = await ask('/v1/places/seattle-wa/users?limit=200', { headers })
  const { results } = JSON.parse(team.text) as { results: { id: string; email: string }[] }
  const id = results.find((member) => member.email === email)?.id
  const removal = await ask(`/v1/places/seattle-wa/users/${id}`, { method: 'DELETE', headers })
  expect(removal.status).toBe(200)
}, 360_000)

test('an invitation leads through sign-up and confirmation back to itself, with its token', async () => {
  const email = `invited-${Date.now()}@demo.example`
  const data = { placeId: 'seattle-wa', email, role: 'viewer' }
  await ask('/v1/invites', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${account('super_admin').key}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(data),
  })
  const { page, context, complaints } = await person()
  await follow(page, email, /invitation/i)
  const here = page.url()
  expect(here).toContain('?token=')
  await page.getByRole('link', { name: 'Sign up' }).click()
  await signUp(page, email, victimPassword)
  await follow(page, email, /confirm/i)
  await page.getByRole('button', { name: 'Confirm this address' }).click()
  await page.waitForURL(here)
  await page.getByRole('heading', { level: 1, name: 'Join Seattle' }).waitFor()
  await page.getByRole('button', { name: 'Accept' }).click()
  await page.waitForURL(buildUrl('/hello'))
  expect(complaints).toEqual([])
  await context.close()
}, 360_000)

test('changing a password lists the keys; resetting one revokes all unticked keys, without scripts too', async () => {
  const email = `keys-${Date.now()}@demo.example`
  const { page, context, complaints } = await person()
  await page.goto(buildUrl('/signup'))
  await waitForHydration(page)
  await signUp(page, email, victimPassword)
  await follow(page, email, /confirm/i)
  await page.getByRole('button', { name: 'Confirm this address' }).click()
  await page.waitForURL(buildUrl('/organization/new'))
  await page.goto(buildUrl('/account'))
  await waitForHydration(page)
  const keys: Record<string, string> = {}
  for (const name of ['Ash', 'Birch', 'Cedar']) {
    await page.getByLabel('Name of the new key').fill(name)
    await page.getByRole('button', { name: 'Make a key' }).click()
    // The first change asks for re-authentication, which is valid for ten minutes.
    if (name === 'Ash') {
      const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
      await dialog.getByLabel('Your password').fill(victimPassword)
      await dialog.getByRole('button', { name: 'Confirm' }).click()
    }
    keys[name] = await page.getByLabel(`The key “${name}”`).inputValue()
  }
  const works = async (name: string) => {
    const answer = await ask('/v1/sessions', { headers: { authorization: `Bearer ${keys[name]}` } })
    return answer.status === 200
  }
  const change = page.locator('section[aria-labelledby=password]')
  await change.getByLabel('Present password').fill(victimPassword)
  await change.getByLabel('New password').fill(theirs)
  await change.getByRole('button', { name: 'Change the password' }).click()
  await change.getByText(/3 keys still work/).waitFor()
  await change.getByRole('button', { name: 'Revoke Ash' }).click()
  await change.getByText('Revoked', { exact: true }).waitFor()
  expect(await change.getByRole('button', { name: /^Revoke / }).count()).toBe(2)
  expect([await works('Ash'), await works('Birch'), await works('Cedar')]).toEqual([false, true, true])

  const plain = await openWindow(browser, { hasScripts: false, width: 320 })
  plain.page.setDefaultTimeout(40_000)
  await plain.page.goto(buildUrl('/forgot_password'))
  await plain.page.getByLabel('E-mail').fill(email)
  await plain.page.getByRole('button', { name: 'Send the link' }).click()
  await plain.page.getByRole('heading', { level: 1, name: 'Look at your mail' }).waitFor()
  await plain.page.goto(buildUrl('/outbox'))
  const emails = plain.page.locator('article', { hasText: `To ${email}` })
  await emails
    .filter({ hasText: /choose a new/i })
    .first()
    .locator('pre a')
    .first()
    .click()
  const boxes = plain.page.getByRole('checkbox')
  await boxes.first().waitFor()
  expect([await boxes.count(), await plain.page.locator('input:checked').count()]).toEqual([2, 0])
  expect(await measureOverflow(plain.page)).toBe(0)
  await plain.page.getByRole('checkbox', { name: /Birch/ }).check()
  await plain.page.getByLabel('New password').fill(victimPassword)
  await plain.page.getByRole('button', { name: 'Change the password' }).click()
  await plain.page.waitForURL(/\/login\?reset/)
  expect([await works('Birch'), await works('Cedar')]).toEqual([true, false])
  await page.goto(buildUrl('/account'))
  await page.waitForURL(/\/login/)
  expect(complaints).toEqual([])
  for (const window of [context, plain.context]) await window.close()
}, 360_000)
