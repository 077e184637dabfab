import { afterAll, beforeAll, expect, test } from 'vitest'
import { findViolations } from './axe.ts'
import { waitForHydration, openBrowser, openWindow, measureOverflow, type Browser } from './browser.ts'
import { signIn } from './sign-in.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

test('an organization admin groups by month, sees the answer, saves and shares it', async () => {
  const { page, context, complaints } = await openWindow(browser)
  await signIn(page, 'organization_admin', '/insights/create?dataType=daily-weather&template=none')
  await page.waitForURL(/\/insights\/create\?dataType=daily-weather/)

  // The answer follows the question, and the address contains both.
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

  // Errors are shown at their clause.
  const text = page.locator('textarea[name=query]')
  await page.locator('summary', { hasText: 'The question as JSON' }).press('Enter')
  await text.fill(query.replace('"count"\n', '"nothing"\n'))
  await page.locator('.column-editor .field-error', { hasText: 'Function does not exist' }).waitFor()
  await text.fill(query)
  await page.locator('.preview .notice').waitFor({ state: 'detached' })

  // A link contains the question.
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
  expect(await measureOverflow(page)).toBe(0)
  expect(complaints).toEqual([])
  await context.close()
})

test('an organization admin joins a second source, and removes it again', async () => {
  const { page, context, complaints } = await openWindow(browser)
  await signIn(page, 'organization_admin', '/insights/create?dataType=airport&template=none')
  await page.waitForURL(/\/insights\/create\?dataType=airport/)
  await waitForHydration(page)
  const airports = 'Airports of Washington State'
  const query = async () => JSON.parse(await page.locator('textarea[name=query]').inputValue()) as object
  const firstQuery = await query()

  // Similar fields are proposed, but others can be chosen: here by proximity.
  await page.getByLabel('Join other data').selectOption({ label: airports })
  const join = page.getByRole('group', { name: `Joined: ${airports}` })
  const theirs = join.getByLabel(`Field of ${airports}`)
  await expect.poll(() => theirs.inputValue()).toBe('data.name')
  await join.getByLabel(/^How records of/).selectOption({ label: 'lies near' })
  await join.getByLabel(/^Metres between/).fill('30000')
  const distance = {
    function: 'distance',
    arguments: [{ field: 'data.location' }, { field: '~parent.data.location' }],
  }
  const filters = { function: 'lte', arguments: [distance, 30000] }
  expect(await query()).toEqual({
    ...firstQuery,
    joins: [{ alias: 'airportsOfWashington', sourceId: 'washington-airports', filters }],
  })
  await join.getByText('It changes the answer once one of its fields is used below.').waitFor()

  // Only records with a match, grouped by a field of the joined data.
  await join.getByRole('button', { name: 'Ask only of records that have one' }).click()
  await page.getByLabel('Add a group').selectOption({ label: `Name · ${airports}` })
  await page.locator('summary', { hasText: /^6\d rows/ }).waitFor()
  expect(await query()).toMatchObject({
    joins: [{ required: true }],
    filters: { '~airportsOfWashington.id': { $ne: null } },
  })
  await page.locator('.preview-answer:not(.is-stale)').waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.setViewportSize({ width: 320, height: 720 })
  expect(await measureOverflow(page)).toBe(0)
  await page.setViewportSize({ width: 1280, height: 900 })

  // Errors of the server are shown at the join.
  const text = page.locator('textarea[name=query]')
  await page.locator('summary', { hasText: 'The question as JSON' }).press('Enter')
  const question = await text.inputValue()
  await text.fill(question.replace('"data.location"', '"data.place"'))
  await join.locator('.field-error', { hasText: 'There is no field' }).waitFor()
  await text.fill(question)
  await join.locator('.field-error').waitFor({ state: 'detached' })

  // Removing the join removes everything that refers to it; undo restores all.
  await join.getByRole('button', { name: `Remove the join of ${airports}` }).click()
  await expect.poll(query).toEqual(firstQuery)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => text.inputValue()).toBe(question)
  expect(complaints).toEqual([])
  await context.close()
})

test('the areas of a question have their names, and one that its set does not have is said', async () => {
  const { page, context, complaints } = await openWindow(browser)
  await signIn(page, 'organization_admin', '/insights/create?dataType=airport&template=none')
  await page.waitForURL(/\/insights\/create\?dataType=airport/)
  await waitForHydration(page)
  const text = page.locator('textarea[name=query]')
  await page.locator('summary', { hasText: 'The question as JSON' }).press('Enter')
  const question = JSON.parse(await text.inputValue()) as object
  const within = { boundarySetId: 'us-states', area: ['53', '99'] }
  await text.fill(JSON.stringify({ ...question, within }))
  const areas = page.getByRole('list', { name: 'Areas that are asked' })
  const tags = () => areas.getByRole('listitem').allInnerTexts()
  await expect.poll(tags).toEqual(['Washington', '99: not an area of this set'])
  await areas.getByRole('button', { name: 'Remove 99' }).click()
  await expect.poll(tags).toEqual(['Washington'])
  await page.locator('.preview-answer:not(.is-stale)').waitFor()
  expect(await findViolations(page)).toEqual([])
  expect(JSON.parse(await text.inputValue())).toMatchObject({ within: { area: ['53'] } })
  expect(complaints).toEqual([])
  await context.close()
})

test('the builder of a map previews it on the base map, and finds other regions to draw it by', async () => {
  const { page, context, complaints } = await openWindow(browser)
  page.setDefaultTimeout(20_000)
  await signIn(page, 'organization_admin', '/insights/seattle-airfields/modify')
  const preview = page.locator('.preview')
  await preview.locator('svg .map-scale').first().waitFor({ state: 'attached' })
  expect(await preview.locator('svg .map-credit').first().textContent()).toContain('GeoNames (CC BY 4.0)')
  expect(await preview.locator('svg .map-towns').first().textContent()).toContain('Seattle')

  const regions = page.locator('.field', { has: page.getByLabel('Regions of') })
  await regions.getByRole('button', { name: /^Other regions/ }).press('Enter')
  await page.getByRole('searchbox', { name: 'Country, region or name of a set' }).fill('Bavaria')
  const germany = page
    .getByRole('list', { name: 'Sets that were found' })
    .getByRole('button', { name: /Germany/ })
  await germany.waitFor()
  expect(await findViolations(page)).toEqual([])
  await germany.press('Enter')
  await expect
    .poll(() => page.getByLabel('Regions of').locator('option:checked').textContent())
    .toMatch(/Germany/)
  expect(complaints).toEqual([])
  await context.close()
})
