import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, openWindow, overflow, type Browser } from './browser.ts'
import { signIn } from './sign-in.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

test('an organization admin asks by month, sees the answer, saves and shares it', async () => {
  const { page, context, complaints } = await openWindow(browser)
  await signIn(page, 'organization_admin', '/insights/create?dataType=daily-weather&template=none')
  await page.waitForURL(/\/insights\/create\?dataType=daily-weather/)

  // The answer follows what is asked, and the address follows both
  await page.getByLabel('Add a group').selectOption({ label: 'Day' })
  await page.locator('summary', { hasText: '48 rows' }).waitFor()
  await page.waitForURL(/\?q=[\w-]+$/)
  expect(await page.getByRole('radio', { name: /^Automatic/ }).isChecked()).toBe(true)
  await page.getByLabel('Add a summary').selectOption({ label: 'Average' })
  await page.getByRole('button', { name: 'Undo' }).click()
  const query = await page.locator('textarea[name=query]').inputValue()
  expect(JSON.parse(query)).toEqual({
    aggregations: [
      {
        alias: 'month',
        name: 'Month',
        value: { function: 'bucket', arguments: ['month', { field: 'data.day' }] },
      },
      { alias: 'count', name: 'Count', value: { function: 'count' } },
    ],
    groupings: [{ field: 'month' }],
    orderings: [{ value: { field: 'month' }, direction: 'asc' }],
  })

  // What is wrong is said at the clause it is about
  const text = page.locator('textarea[name=query]')
  await page.locator('summary', { hasText: 'The question as JSON' }).press('Enter')
  await text.fill(query.replace('"count"\n', '"nothing"\n'))
  await page.locator('.column-editor .field-error', { hasText: 'Function does not exist' }).waitFor()
  await text.fill(query)
  await page.locator('.preview .notice').waitFor({ state: 'detached' })

  // A link is the question itself
  const other = await context.newPage()
  await other.goto(page.url())
  await other.locator('summary', { hasText: '48 rows' }).waitFor()
  await other.close()

  const name = `Days by month ${Date.now()}`
  await page.locator('[data-save]').getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL(/\/insights\/[0-9a-f-]{36}$/)
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

  await page.getByRole('link', { name: 'Sharing' }).click()
  await page.getByRole('button', { name: 'Make a short link' }).click()
  expect(await page.getByLabel('Short link', { exact: true }).inputValue()).toMatch(/\/s\/\w{8}$/)
  expect(await page.getByLabel('Frame', { exact: true }).inputValue()).toContain('<iframe src="http')
  await page.frameLocator('.embed-preview').locator('svg').first().waitFor()

  await page.setViewportSize({ width: 320, height: 720 })
  expect(await overflow(page)).toBe(0)
  expect(complaints).toEqual([])
  await context.close()
})
