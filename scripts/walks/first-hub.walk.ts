import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from './ask.ts'
import { findViolations } from './axe.ts'
import { waitForHydration, openBrowser, type Browser, type Page } from './browser.ts'
import { buildUrl, confirmIdentity, openPatientWindow, signUp } from './newcomer.ts'
import { weatherCsv } from './published-data.ts'

/** The first day of a new organization, through the screens; then its archive becomes another organization. */

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const within = { timeout: 40_000 }

/** What a page of a hub says, without its markup. */
async function readStory(placeId: string, path: string): Promise<string> {
  const { text } = await ask(path, { host: `${placeId}.localhost` })
  const main = /<main[^]*<\/main>/.exec(text)?.[0] ?? ''
  return main
    .replace(/<(script|style)[^]*?<\/\1>|<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Makes an archive of the person's organization, beginning at the settings of its hub, and downloads it. */
async function exportArchive(page: Page): Promise<Buffer> {
  const startedAt = Date.now()
  await page.getByRole('link', { name: 'Archive', exact: true }).click()
  await page.waitForURL(buildUrl('/org/manage/archive'))
  await waitForHydration(page)
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Make an archive' }).click()
  await confirmIdentity(page)
  const link = page.getByRole('link', { name: 'Download the archive' })
  await link.waitFor({ timeout: 60_000 })
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  console.log(`From the settings to the file of the archive: 4 clicks, ${seconds} s`)
  expect(seconds).toBeLessThanOrEqual(120)
  return readFileSync(await download.path())
}

/** Somebody else signs up and makes an organization of the archive; what was public is public again. */
async function importArchive(archive: Buffer, id: string): Promise<void> {
  const { page, context, complaints } = await openPatientWindow(browser)
  const startedAt = Date.now()
  let clicks = 3
  const click = async (role: 'button' | 'link', name: string | RegExp) => {
    clicks += 1
    await page.getByRole(role, { name, exact: true }).last().click()
  }
  await page.goto(buildUrl('/signup'))
  await waitForHydration(page)
  await signUp(page, 'Otto Other', `${id}@demo.example`)
  await page.waitForURL(buildUrl('/organization/new'))
  await click('link', 'from an archive')
  await page.waitForURL(buildUrl('/organization/archive'))
  await waitForHydration(page)
  clicks += 1
  const file = { name: 'archive.zip', mimeType: 'application/zip', buffer: archive }
  await page.getByLabel('Archive').setInputFiles(file)
  await page.getByLabel('Id', { exact: true }).fill(id)
  await click('button', 'Look at the archive')
  await page.getByText('Switched off until you have looked at it').waitFor()
  expect(await findViolations(page)).toEqual([])
  await click('button', 'Import it')
  // The welcome comes first, and leads on to what was switched off.
  await page.waitForURL(/\/hello\?redirectTo=/)
  await click('button', 'Start')
  await page.waitForURL(buildUrl('/org/manage/imported'))
  expect(await ask('/', { host: `${id}.localhost` })).toMatchObject({ status: 404 })
  await waitForHydration(page)
  expect(await findViolations(page)).toEqual([])
  await click('button', 'See what would be published')
  await click('button', /^Publish these \d+$/)
  await page.getByRole('heading', { name: /are on again$/ }).waitFor()
  await click('button', 'I have looked at all of it')
  await page.getByText('You will not be reminded any more.').waitFor()
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  console.log(`From signing up to the hub of an archive: ${clicks} clicks, ${seconds} s`)
  expect(clicks).toBeLessThanOrEqual(15)
  expect(seconds).toBeLessThanOrEqual(600)
  expect(complaints).toEqual([])
  await context.close()
}

test('a new person creates an organization, turns a file into a story on its hub, and someone else makes one of its archive', async () => {
  const newcomer = await openPatientWindow(browser)
  const { page } = newcomer
  const startedAt = Date.now()
  let clicks = 0
  const click = async (role: 'button' | 'link' | 'menuitem', name: string | RegExp) => {
    clicks += 1
    await page.getByRole(role, { name, exact: true }).last().click()
  }
  const stamp = Date.now()
  const email = `newcomer-${stamp}@demo.example`
  await page.goto(buildUrl('/signup'))
  await waitForHydration(page)
  await signUp(page, 'Nadia New', email)
  // Signing up, the link of the email, confirming.
  clicks += 3
  // A person without an organization is led to where to create or join one.
  await page.waitForURL(buildUrl('/organization/new'))
  await page.getByRole('heading', { level: 1, name: 'Your organization' }).waitFor()
  await waitForHydration(page)
  expect(await findViolations(page)).toEqual([])
  const place = `Rainier Valley ${stamp}`
  await page.getByLabel('Name', { exact: true }).fill(place)
  expect(await page.getByLabel('Id', { exact: true }).inputValue()).toBe(`rainier-valley-${stamp}`)
  // An id that looks like that of another organization is rejected at its field, and the input stays.
  await page.getByLabel('Id', { exact: true }).fill('seatt1e-wa')
  await page.getByRole('button', { name: 'Make the organization' }).click()
  await page.locator('.field-error', { hasText: 'This is too much like another id.' }).waitFor()
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe(place)
  await page.getByLabel('Id', { exact: true }).fill(`rainier-${stamp}`)
  await click('button', 'Make the organization')
  await page.waitForURL(buildUrl('/hello'))
  await page.getByText(`You now work in ${place}.`).waitFor()
  await click('button', 'Start')
  await page.waitForURL(buildUrl('/home'))
  await page.getByRole('heading', { level: 2, name: 'From data to a hub' }).waitFor()
  await click('link', 'Add data')
  await page.waitForURL(buildUrl('/sources/create'))
  const beforeFile = clicks
  clicks += 1
  // Data types are shared by the whole product: each run has one of its own name.
  const name = `seattle_weather_${stamp}.csv`
  const file = { name, mimeType: 'text/csv', buffer: Buffer.from(weatherCsv(366)) }
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByText(`of ${name}.`).first().waitFor()
  await page.getByLabel('Name of the source').waitFor()
  await click('button', 'Check all rows')
  await page.waitForURL(/\/importers\/[^/]+\/[^/]+$/)
  await page.getByText('Nothing has changed yet.').waitFor({ timeout: 30_000 })
  await click('button', 'Bring it in')
  await page.getByText('The records are in.').waitFor({ timeout: 30_000 })
  await click('link', 'Open the source')
  await click('link', 'Make this chart')
  await page.waitForURL(/\/insights\/create/)
  await page.locator('[data-save]').getByLabel('Name').fill('Rain by day')
  await click('button', 'Save')
  await page.waitForURL(/\/insights\/[0-9a-f-]{36}$/)
  await click('link', 'Pages')
  await click('link', 'New page')
  await page.getByLabel('Title').fill('A year of rain')
  await click('button', 'Create')
  await page.waitForURL(/\/pages\/storytelling\/[^/]+\/modify/)
  await click('button', 'Insight…')
  await click('menuitem', /Rain by day/)
  await page.locator('figure').first().waitFor()
  // Its chart and its records are private to the organization by default.
  await click('button', 'Make these public and publish')
  await page.getByText('Published', { exact: true }).first().waitFor()
  console.log(`From the file to the published story: ${clicks - beforeFile} clicks`)
  expect(clicks - beforeFile).toBeLessThanOrEqual(12)

  // Readers find it once the hub is open.
  const path = new URL(page.url()).pathname.replace(/\/modify$/, '/preview')
  await click('link', 'Home')
  await click('link', 'Set up the hub')
  await page.waitForURL(buildUrl('/org/manage/hub'))
  await click('button', 'Open the hub')
  await page.getByText('The hub is public.').waitFor()
  const read = async () => (await ask(path, { host: `rainier-${stamp}.localhost` })).text
  await expect.poll(read, within).toMatch(/A year of rain[\s\S]*<figure/)
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  console.log(`From signing up to the story on the hub: ${clicks} clicks, ${seconds} s`)
  expect(clicks).toBeLessThanOrEqual(25)
  expect(seconds).toBeLessThanOrEqual(600)

  const copyId = `rainier-copy-${stamp}`
  await importArchive(await exportArchive(page), copyId)
  const original = await readStory(`rainier-${stamp}`, path)
  expect(original).toContain('A year of rain')
  // The ids of pages are taken here, so its address is another one.
  const copyPath = async () => {
    const { text } = await ask('/', { host: `${copyId}.localhost` })
    return /\/pages\/storytelling\/[^/"]+\/preview/.exec(text)?.[0] ?? '/none'
  }
  await expect.poll(async () => readStory(copyId, await copyPath()), within).toBe(original)
  expect(newcomer.complaints).toEqual([])
  await newcomer.context.close()
}, 360_000)
