import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, openWindow, type Browser } from './browser.ts'
import { signIn } from './sign-in.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const species = ['Oak', 'Elm', 'Maple', 'Birch']
/** 120 trees, of which the third has no height and the sixth no day. */
const lines = Array.from({ length: 120 }, (_, i) => {
  const height = i === 2 ? 'tall' : `${(i * 7) % 20}.5`
  const planted =
    i === 5 ? 'not a day' : `202${i % 5}-0${(i % 9) + 1}-${String((i % 27) + 1).padStart(2, '0')}`
  const place = `${(-122.4 + i / 1000).toFixed(4)},${(47.55 + i / 1000).toFixed(4)}`
  return `T-${String(i + 1).padStart(4, '0')},${species[i % 4]},${height},${planted},${place}`
})
const csv = ['tree_id,species,height,planted,lon,lat', ...lines].join('\n')

test('an organization admin takes a file to a chart, sees the two rows that were refused, and takes it back', async () => {
  const { page, context, foreign, complaints } = await openWindow(browser)
  let clicks = 0
  const click = async (role: 'button' | 'link', name: string) => {
    clicks += 1
    await page.getByRole(role, { name, exact: true }).last().click()
  }
  await signIn(page, 'organization_admin', '/sources/create')
  await page.waitForLoadState('networkidle')

  clicks += 1
  const file = { name: 'street_trees.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByText('of which 2 do not fit yet').waitFor()
  expect(await page.getByLabel('Name of the source').inputValue()).toBe('Street trees')
  expect(await page.getByLabel('Type of height').inputValue()).toBe('number')
  expect(await page.getByLabel('Type of planted').inputValue()).toBe('date')
  expect(await page.getByLabel('Type of Location').inputValue()).toBe('point')

  await click('button', 'Check all rows')
  await page.waitForURL(/\/importers\/[^/]+\/[^/]+$/)
  await page.getByText('Nothing has changed yet.').waitFor({ timeout: 30_000 })
  const refused = page.getByRole('region', { name: 'Refused rows' }).locator('tbody tr')
  const cells = (row: number) => refused.nth(row).locator('td').allTextContents()
  expect(await refused.count()).toBe(2)
  expect(await cells(0)).toEqual(['3', '4', 'height', 'tall', expect.any(String)])
  expect(await cells(1)).toEqual(['6', '7', 'planted', 'not a day', expect.any(String)])

  await click('button', 'Bring it in')
  await page.getByText('The records are in.').waitFor({ timeout: 30_000 })
  const job = page.url()
  await click('link', 'Open the source')
  await page.getByRole('heading', { name: 'A first chart' }).waitFor()
  expect(await page.getByText('118 records').count()).toBeGreaterThan(0)
  await click('link', 'Make this chart')
  await page.waitForURL(/\/insights\/create/)
  console.log(`From the file to the builder with its chart: ${clicks} clicks`)
  expect(clicks).toBeLessThanOrEqual(12)

  await page.goto(job)
  await page.waitForLoadState('networkidle')
  await click('button', 'Roll back')
  await click('button', 'Roll back')
  await page.getByText('It takes back').waitFor()
  await page.getByText('Succeeded').waitFor({ timeout: 30_000 })
  await page.goto(job.replace(/\/importers\/.*/, ''))
  await page.getByText('No records yet').waitFor()
  expect(foreign).toEqual([])
  expect(complaints).toEqual([])
  await context.close()
}, 120_000)
