import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openBrowser, openWindow, waitForHydration, type Browser } from './browser.ts'
import { within } from './keyboard.ts'
import { signIn } from './sign-in.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

test('a menu of the frame loads when the focus comes to its button, and gives the focus back', async () => {
  const { page, context } = await openWindow(browser)
  const scripts = () =>
    page.evaluate(
      () => performance.getEntriesByType('resource').filter(({ name }) => /\.js$/.test(name)).length,
    )
  await page.goto(`http://localhost:${inject('port')}/explore`, { waitUntil: 'networkidle' })
  const atFirst = await scripts()
  const help = page.getByRole('button', { name: 'Help', exact: true })
  await help.focus()
  await expect.poll(scripts, within).toBeGreaterThan(atFirst)
  const entries = page.getByRole('menuitem')
  for (const [key, entry] of [
    ['Enter', entries.first()],
    ['Space', entries.first()],
    ['ArrowDown', entries.first()],
    ['ArrowUp', entries.last()],
  ] as const) {
    await page.keyboard.press(key)
    await expect.poll(() => entry.evaluate((each) => each === document.activeElement), within).toBe(true)
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await expect.poll(() => help.evaluate((each) => each === document.activeElement), within).toBe(true)
  }
  await context.close()
}, 60_000)

test('leaving unsaved words asks first, by the browser where the dialog cannot be loaded', async () => {
  const { page, context } = await openWindow(browser)
  await signIn(page, 'content_admin', '/collections/create')
  const notes = page.getByLabel('Notes')
  const navigateAway = () => page.getByRole('link', { name: 'Map', exact: true }).click()
  await notes.fill('Not saved.')
  await navigateAway()
  await page.getByRole('alertdialog', { name: 'Leave without saving?' }).waitFor(within)
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Stay')
  await page.keyboard.press('Enter')
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  expect(await notes.inputValue()).toBe('Not saved.')

  await page.route(/\/confirm-dialog-[^/]*\.js$/, (route) => route.abort())
  await page.reload()
  await waitForHydration(page)
  await notes.fill('Not saved either.')
  const questions: string[] = []
  page.on('dialog', (dialog) => {
    questions.push(dialog.message())
    return questions.length === 1 ? dialog.dismiss() : dialog.accept()
  })
  await navigateAway()
  await expect.poll(() => questions.length, within).toBe(1)
  expect(questions[0]).toMatch(/^Leave without saving\?\n\n.*stay on this device/)
  expect(await notes.inputValue()).toBe('Not saved either.')
  await navigateAway()
  await page.waitForURL(/\/map$/, within)
  await context.close()
}, 60_000)
