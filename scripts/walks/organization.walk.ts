import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { findViolations } from './axe.ts'
import { waitForHydration, openBrowser, openWindow, measureOverflow, type Browser } from './browser.ts'
import { sayWhy, signIn } from './sign-in.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

async function someone(options = {}) {
  const window = await openWindow(browser, options)
  window.page.setDefaultTimeout(40_000)
  return window
}

test('a super admin creates an organization at once, and works in it after giving a reason', async () => {
  const { page, context, complaints } = await someone()
  const stamp = Date.now()
  const place = `Harbor Works ${stamp}`
  await signIn(page, 'super_admin', '/admin')
  const form = page.locator('form#new')
  await form.getByLabel('Name').fill(place)
  await form.getByLabel('Id').fill(`harbor-${stamp}`)
  await form.getByRole('button', { name: 'Create' }).click()
  await page.getByText('The organization is there.').waitFor()
  await page.getByRole('button', { name: /^Workspace: / }).click()
  await page.getByRole('menuitem', { name: place }).click()
  await sayWhy(page, 'Inviting its first administrator')
  await page.getByRole('heading', { level: 1, name: place }).waitFor()
  expect(complaints).toEqual([])
  await context.close()
}, 360_000)

test('a person without an organization asks to join one, and its admin answers', async () => {
  const guest = await someone({ width: 320, scheme: 'dark' })
  const { page } = guest
  await signIn(page, 'none', '/organization/new')
  await waitForHydration(page)
  expect(await findViolations(page)).toEqual([])
  expect(await measureOverflow(page)).toBe(0)
  const join = page.locator('section[aria-labelledby=join]')
  await join.getByLabel('Which organization').fill('no-such-place-anywhere')
  await join.getByRole('button', { name: 'Ask to join' }).click()
  await join.locator('.field-error', { hasText: 'There is no organization with this id.' }).waitFor()
  // The address of its hub works like its id, also on a host of its own.
  await join.getByLabel('Which organization').fill(`http://data.seattle.localhost:${inject('port')}/`)
  await join.getByLabel('Who you are').fill('I count trees.')
  await join.getByRole('button', { name: 'Ask to join' }).click()
  const requests = page.locator('section[aria-labelledby=requests]')
  await requests.getByText('Not answered yet').waitFor()
  expect(await findViolations(page)).toEqual([])
  expect(await measureOverflow(page)).toBe(0)

  const admin = await someone()
  await signIn(admin.page, 'organization_admin', '/team')
  await waitForHydration(admin.page)
  const waiting = admin.page.locator('section[aria-labelledby=join-requests]')
  await waiting.getByText('I count trees.').waitFor()
  expect(await findViolations(admin.page)).toEqual([])
  await waiting.getByRole('button', { name: /^Refuse/ }).click()
  await admin.page.getByRole('alertdialog').getByRole('button', { name: 'Refuse' }).click()
  await admin.page.getByText('Refused. An email tells them.').waitFor()
  await waiting.waitFor({ state: 'detached' })

  await page.reload()
  await requests.getByText('Refused').waitFor()
  expect(admin.complaints).toEqual([])
  expect(guest.complaints).toEqual([])
  await admin.context.close()
  await guest.context.close()
}, 360_000)
