import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { ask, hubs } from './ask.ts'
import { findViolations } from './axe.ts'
import { waitForHydration, openBrowser, openWindow, measureOverflow, type Browser } from './browser.ts'
import { signIn } from './sign-in.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const buildUrl = (path: string) => `http://localhost:${inject('port')}${path}`
const within = { timeout: 20_000 }

test('a content admin looks at an earlier version of a story and restores it; its readers see it', async () => {
  const { page, context, complaints } = await openWindow(browser)
  const path = '/pages/storytelling/seattle-rain'
  await signIn(page, 'content_admin', `${path}/modify`)
  await waitForHydration(page)
  const title = page.getByLabel('Title')
  const newTitle = `Rain, told otherwise ${Date.now()}`
  const read = async () => (await ask(`${path}/preview`, { host: hubs.seattle.host })).text
  await title.fill(newTitle)

  // Unsaved changes are not lost without asking.
  await page.getByRole('link', { name: 'Versions' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^Save all/ }).click()
  await page.getByText('Everything is saved.').waitFor()
  await expect.poll(read, within).toContain(newTitle)

  await page.getByRole('link', { name: 'Versions' }).click()
  await page.getByRole('heading', { level: 1, name: `Versions of “${newTitle}”` }).waitFor()
  await page.getByText('This is what the page says now.').waitFor()
  const versions = page.getByRole('navigation', { name: 'Versions' }).getByRole('link')
  await versions.last().click()
  await page.getByText('Title, description or author differ from now.').waitFor()
  // Saves within a few minutes by the same person make one version: the oldest is the state before all of
  // them.
  const before = await page.getByRole('article').getByRole('heading', { level: 2 }).first().innerText()
  expect(before).not.toBe(newTitle)
  expect(await findViolations(page)).toEqual([])
  await page.setViewportSize({ width: 320, height: 720 })
  expect(await measureOverflow(page)).toBe(0)

  await page.getByRole('button', { name: 'Restore this version' }).click()
  await page.getByText('Restored. What the page said before is in the list.').waitFor()
  const focused = () => page.evaluate(() => document.activeElement?.textContent)
  await expect.poll(focused, within).toContain('This is what the page says now.')
  expect(await versions.first().textContent()).toContain('Restored')
  await expect.poll(read, within).toContain(before)
  expect(await read()).not.toContain(newTitle)

  // A version that is not stored is a 404.
  const missingVersion = await page.request.get(buildUrl(`${path}/modify?version=nothing`))
  expect(missingVersion.status()).toBe(404)
  expect(complaints).toEqual([])
  await context.close()
})

test('a person who may not modify a page cannot see its versions', async () => {
  const { page, context } = await openWindow(browser)
  await signIn(page, 'viewer', '/pages')
  const path = '/pages/storytelling/seattle-rain'
  const answer = await page.request.get(buildUrl(`${path}/modify?version=newest`), { maxRedirects: 0 })
  expect([answer.status(), answer.headers().location]).toEqual([302, `${path}?refused=page.update`])
  await context.close()
})
