import { afterAll, beforeAll, expect, test } from 'vitest'
import { callAs } from './ask.ts'
import { openBrowser, waitForHydration, type Browser, type Page } from './browser.ts'
import { addCountyData, type CountyData } from './county-data.ts'
import { Keyboard } from './keyboard.ts'
import { lookAt } from './look-at.ts'
import { at, openPatientWindow } from './newcomer.ts'
import { signIn } from './sign-in.ts'

// The settings of a map in the builder, for unemployment in the counties of Washington.

let browser: Browser
let data: CountyData
beforeAll(async () => {
  browser = await openBrowser()
  data = await addCountyData(`map-${Date.now()}`)
})
afterAll(() => browser.close())

const role = 'organization_admin'
const field = (name: string) => ({ field: `data.${name}` })

/** An insight with a row for each county, and the path of its builder. */
async function addMap(name: string, settings: object) {
  const { dataTypeId, sourceId } = data
  const columns = Object.entries({ county: 'County', called: 'Name', corner: 'Corner', rate: 'Rate' })
  const { id } = await callAs<{ id: string }>(role, 'POST', '/v1/insights', {
    ...{ name, dataTypeId, sourceId, placeId: 'seattle-wa', visibility: 'place' },
    visualization: { type: 'map', settings },
    query: {
      aggregations: columns.map(([alias, called]) => ({ alias, name: called, value: field(alias) })),
      groupings: columns.map(([alias]) => ({ field: alias })),
      orderings: [{ value: { field: 'county' }, direction: 'asc' }],
    },
  })
  return { id, path: `/insights/${id}/modify` }
}

const settingsOf = async (id: string) => {
  const { visualization } = await callAs<{ visualization: { settings: object } }>(
    role,
    'GET',
    `/v1/insights/${id}`,
  )
  return visualization.settings
}

/** The preview once it is that of the present settings. */
const preview = (page: Page) => page.locator('.preview-answer:not(.is-stale)')
const legend = (page: Page) => preview(page).locator('.legend li').allInnerTexts()
const picture = (page: Page) => preview(page).locator('.figure-plot svg').first()
const save = async (page: Page) => {
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL(/\/insights\/[^/]+$/)
}

test('the regions, classes and colours of a map are chosen by clicks, show at once and stay', async () => {
  const { page, context, complaints } = await openPatientWindow(browser)
  const map = await addMap('Unemployment by county', { region: 'county', color: 'rate' })
  await signIn(page, role, map.path)
  await picture(page).waitFor()
  console.log(await page.getByLabel('Chart', { exact: true }).innerText())
  console.log(await preview(page).innerText())
  const classes = page.getByLabel('Classes', { exact: true })
  for (const [method, count] of [
    ['quantile', '4'],
    ['equal', '3'],
    ['natural', '5'],
  ] as const) {
    const before = await legend(page)
    await classes.selectOption(method)
    await page.getByLabel('How many').selectOption(count)
    await expect.poll(() => legend(page)).not.toEqual(before)
    await expect.poll(async () => (await legend(page)).length).toBe(Number(count) + 1)
    console.log(method, await legend(page))
  }
  await classes.selectOption('own')
  await page.getByLabel('Where classes begin').fill('0.08 0.1')
  await expect.poll(async () => (await legend(page)).length).toBe(4)
  console.log(await legend(page))
  await page.getByRole('radio', { name: 'Purple to green' }).check()
  await expect.poll(async () => (await picture(page).innerHTML()).includes('--map-green')).toBe(true)
  await lookAt(page, 'a map of regions')
  await save(page)
  console.log(await settingsOf(map.id))
  expect(complaints).toEqual([])
  await context.close()
})
