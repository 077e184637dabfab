import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { findViolations } from './axe.ts'
import { waitForHydration, openBrowser, openWindow, measureOverflow, type Browser } from './browser.ts'
import { callAs } from './ask.ts'
import { deleteAs } from './delete-as.ts'
import { submitReason, signIn, signUp } from './sign-in.ts'

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
  await submitReason(page, 'Inviting its first administrator')
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

/** Sets the TXT record of a name, as the owner of its domain does at the name server. */
async function setTextRecord(name: string, text: string): Promise<void> {
  const url = new URL(inject('nameServer'))
  url.searchParams.set('name', name)
  url.searchParams.set('text', text)
  await fetch(url)
}

test('people of a mail domain join by themselves, as viewers, once DNS has its proof and an admin lets them', async () => {
  const domain = `harbor-${Date.now()}.example`
  const admin = await someone()
  await signIn(admin.page, 'organization_admin', '/org/manage/sign-in')
  await admin.page.getByLabel('Mail domain', { exact: true }).fill(domain)
  await admin.page.getByRole('button', { name: 'Add the domain' }).click()
  const row = admin.page.locator('.list-item', { hasText: domain })
  await row.getByText('Not proved', { exact: true }).waitFor()
  const [name = '', value = ''] = await row.locator('code').allTextContents()
  const check = () => row.getByRole('button', { name: `Check ${domain}` }).click()
  await check()
  await row.getByText('There is no TXT record at this name yet.').waitFor()
  await setTextRecord(name, 'v=spf1 -all')
  await check()
  await row.getByText('The record says “v=spf1 -all”, which is not the value above.').waitFor()
  await row.getByRole('button', { name: `Let its people join by ${domain}` }).click()
  await admin.page.getByRole('alertdialog').getByRole('button', { name: 'Let them join' }).click()
  await row.getByText('Its people may join', { exact: true }).waitFor()

  // Without the proof nobody is let in.
  const guest = await someone({ width: 320 })
  const { page } = guest
  const email = `ada@${domain}`
  await signUp(page, email)
  await page.goto(`http://localhost:${inject('port')}/organization/new`)
  await page.getByRole('heading', { name: 'Join one that exists' }).waitFor()
  const open = page.locator('section[aria-labelledby=open-places]')
  expect(await open.count()).toBe(0)

  await setTextRecord(name, value)
  await check()
  await row.getByText('The record was found.').waitFor()
  await row.getByText('Proved', { exact: true }).waitFor()
  await page.reload()
  await waitForHydration(page)
  await open.getByText(`Whoever has an address such as yours, ${email}, may come in`).waitFor()
  expect(await findViolations(page)).toEqual([])
  expect(await measureOverflow(page)).toBe(0)
  await open.getByRole('button', { name: 'Join Seattle Open Data' }).click()
  await page.getByRole('button', { name: 'Start' }).click()
  await page.waitForURL(/\/home$/)

  // A viewer reads what is not public, and is led away from editors.
  await page.goto(`http://localhost:${inject('port')}/sources/create`)
  await page.waitForURL(/\/sources\?refused=source\.create$/)
  await page.getByText(/Only people with the role .+ may create a source\. Ask .+\./).waitFor()
  await page.getByRole('link', { name: 'Seattle daily weather' }).first().waitFor()
  const users = '/v1/places/seattle-wa/users'
  const { results } = await callAs<{ results: { id: string; email: string; role: string }[] }>(
    ...(['organization_admin', 'GET', `${users}?limit=200`] as const),
  )
  const member = results.find((each) => each.email === email)
  expect(member?.role).toBe('viewer')
  await deleteAs(admin.page, `${users}/${member?.id}`)
  await row.getByRole('button', { name: `Give up ${domain}` }).click()
  await admin.page.getByRole('alertdialog').getByRole('button', { name: 'Give up' }).click()
  await row.waitFor({ state: 'detached' })
  expect([...admin.complaints, ...guest.complaints]).toEqual([])
  await admin.context.close()
  await guest.context.close()
})
