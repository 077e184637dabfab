import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { account, ask } from './ask.ts'
import { findViolations } from './axe.ts'
import { waitForHydration, openBrowser, openWindow, type Browser, type Page } from './browser.ts'
import { deleteAs } from './delete-as.ts'
import { signIn } from './sign-in.ts'

/*
 * A screen that is open in two windows: whoever saves last is told what was saved meanwhile, loses nothing that
 * was typed, and overwrites nothing before seeing it.
 */

let browser: Browser
let fileId = ''
const stamp = Date.now()
const dataTypeId = `two-windows-${stamp}`

/** Calls an endpoint as a program of the organization admin, and returns the response as JSON. */
async function send(method: string, path: string, data?: object) {
  const { status, text } = await ask(path, {
    method,
    headers: {
      authorization: `Bearer ${account('organization_admin').key}`,
      'content-type': 'application/json',
    },
    ...(data && { body: JSON.stringify(data) }),
  })
  expect(status, text).toBeLessThan(300)
  return JSON.parse(text) as Record<string, unknown>
}

beforeAll(async () => {
  const schema = { level: { name: 'Level', type: 'number' } }
  await send('POST', '/v1/dataTypes', {
    ...{ id: dataTypeId, name: `Gauge ${stamp}`, category: 'Water', schema, ownerPlaceId: 'seattle-wa' },
  })
  const { results } = await send('GET', '/v1/assets/seattle-wa/files?limit=1')
  fileId = (results as { id: string }[])[0]?.id ?? ''
  browser = await openBrowser()
})
afterAll(() => browser.close())

/** Opens two windows of one person who signed in. */
async function openTwo() {
  const { page: first, context } = await openWindow(browser)
  const second = await context.newPage()
  for (const page of [first, second]) page.setDefaultTimeout(20_000)
  await signIn(first, 'organization_admin', '/home')
  return { first, second, context }
}

const buildUrl = (path: string) => `http://localhost:${inject('port')}${path}`

/** Each screen: its address, the address of what it changes in `/v1`, and the label of its save button. */
const screens: Record<string, { path(): string; apiPath(): string; save: string }> = {
  'an importer': {
    path: () => '/sources/seattle-weather/importers/weather-of-the-day/modify',
    apiPath: () => '/v1/sources/seattle-weather/importers/weather-of-the-day',
    save: 'Save',
  },
  'an observer': {
    path: () => '/types/daily-weather/observers/heat/modify',
    apiPath: () => '/v1/places/seattle-wa/observers/heat',
    save: 'Save',
  },
  'a data type of the organization': {
    path: () => `/types/${dataTypeId}/modify`,
    apiPath: () => `/v1/dataTypes/${dataTypeId}`,
    save: 'Save settings',
  },
  'an insight in the builder': {
    path: () => '/insights/seattle-temperature/modify',
    apiPath: () => '/v1/insights/seattle-temperature',
    save: 'Save',
  },
  'a file of the media library': {
    path: () => `/media-library?file=${fileId}`,
    apiPath: () => `/v1/assets/seattle-wa/files/${fileId}`,
    save: 'Save',
  },
}

const getNameField = (page: Page) => page.getByRole('textbox', { name: 'Name', exact: true }).first()
const conflictNotice = (page: Page) =>
  page.getByText('This was changed by someone else in the meantime.').filter({ visible: true }).first()

async function open(page: Page, path: string) {
  await page.goto(buildUrl(path))
  await waitForHydration(page)
  await getNameField(page).waitFor()
}

test.each(Object.keys(screens))(
  '%s',
  async (screen) => {
    const { path, apiPath, save } = screens[screen] as (typeof screens)[string]
    const { first, second, context } = await openTwo()
    const readStoredName = async () => (await send('GET', apiPath()))['name']
    const before = String(await readStoredName())
    const saveIn = (page: Page) => page.getByRole('button', { name: save, exact: true }).first().click()
    await open(first, path())
    await open(second, path())

    await getNameField(first).fill('Named in the first window')
    await saveIn(first)
    await expect.poll(readStoredName, { timeout: 20_000 }).toBe('Named in the first window')

    await getNameField(second).fill('Named in the second window')
    await saveIn(second)
    await conflictNotice(second).waitFor()
    expect(await readStoredName()).toBe('Named in the first window')
    expect(await getNameField(second).inputValue()).toBe('Named in the second window')
    await second.getByText('Saved meanwhile: Named in the first window').first().waitFor()
    expect(await findViolations(second)).toEqual([])

    // Having seen both, one may decide.
    await saveIn(second)
    await expect.poll(readStoredName, { timeout: 20_000 }).toBe('Named in the second window')

    await open(second, path())
    await getNameField(second).fill(before)
    await saveIn(second)
    await expect.poll(readStoredName, { timeout: 20_000 }).toBe(before)
    await context.close()
  },
  120_000,
)

test('the list of an organization’s own fields', async () => {
  const { first, second, context } = await openTwo()
  const path = '/org/manage/fields'
  const getTitleField = (page: Page) => page.locator('section[aria-labelledby=new]').getByLabel('Title')
  const add = (page: Page) => page.getByRole('button', { name: 'Add the field' }).click()
  for (const page of [first, second]) {
    await page.goto(buildUrl(path))
    await waitForHydration(page)
    await getTitleField(page).waitFor()
  }
  await getTitleField(first).fill(`First ${stamp}`)
  await add(first)
  await first.getByText(`First ${stamp}`).first().waitFor()

  await getTitleField(second).fill(`Second ${stamp}`)
  await add(second)
  await conflictNotice(second).waitFor()
  expect(await getTitleField(second).inputValue()).toBe(`Second ${stamp}`)
  expect(await findViolations(second)).toEqual([])
  await add(second)
  const fields = second.locator('section[aria-labelledby=there]')
  for (const title of [`First ${stamp}`, `Second ${stamp}`])
    await fields.getByText(title, { exact: true }).first().waitFor()
  await deleteAs(first, `/v1/dataTypes/${dataTypeId}`)
  await context.close()
}, 120_000)
