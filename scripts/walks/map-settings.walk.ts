import { afterAll, beforeAll, expect, test } from 'vitest'
import { paletteToken } from '#functions/engine/map/palettes.ts'
import { callAs } from './ask.ts'
import { censusAreas, toGeoJson } from './areas.ts'
import { openBrowser, waitForHydration, type Browser, type Page } from './browser.ts'
import { addCountyData, type CountyData } from './county-data.ts'
import { Keyboard, within } from './keyboard.ts'
import { checkScreen } from './check-screen.ts'
import { buildUrl, openPatientWindow } from './newcomer.ts'
import { signIn } from './sign-in.ts'

// The settings of a map in the builder, for unemployment in the counties of Washington.

const role = 'organization_admin'
let browser: Browser
let data: CountyData & { setId: string; setName: string }
beforeAll(async () => {
  browser = await openBrowser()
  const stamp = `map-${Date.now()}`
  const setName = `Washington ${stamp}`
  const geojson = JSON.parse(toGeoJson(censusAreas('counties', '53'))) as object
  const set = { name: setName, visibility: 'public', geojson }
  const { id: setId } = await callAs<{ id: string }>(role, 'POST', '/v1/places/seattle-wa/boundarySets', set)
  data = { ...(await addCountyData(stamp)), setId, setName }
})
afterAll(() => browser.close())

const field = (name: string) => ({ field: `data.${name}` })

/** An insight with a row for each county, and the path of its builder. */
async function addMap(name: string, settings: object) {
  const { dataTypeId, sourceId } = data
  const columns = { county: 'County', called: 'Name', corner: 'Corner' }
  const { id } = await callAs<{ id: string }>(role, 'POST', '/v1/insights', {
    ...{ name, dataTypeId, sourceId, placeId: 'seattle-wa', visibility: 'place' },
    visualization: { type: 'map', settings },
    query: {
      aggregations: [
        ...Object.entries(columns).map(([alias, label]) => ({ alias, name: label, value: field(alias) })),
        { alias: 'rate', name: 'Rate', value: { function: 'average', arguments: [field('rate')] } },
      ],
      groupings: Object.keys(columns).map((alias) => ({ field: alias })),
      orderings: [{ value: { field: 'county' }, direction: 'asc' }],
    },
  })
  return { id, path: `/insights/${id}/modify` }
}

const readSettings = async (id: string) => {
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
const choice = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true })
const save = async (page: Page) => {
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL(/\/insights\/[^/]+$/)
}

test('the regions, classes and colours of a map are chosen by clicks, show at once and stay', async () => {
  const { page, context, complaints } = await openPatientWindow(browser)
  const map = await addMap('Unemployment by county', { region: 'county', color: 'rate' })
  await signIn(page, role, map.path)
  await picture(page).waitFor()
  const classes = choice(page, 'Classes')
  const popup = page.getByRole('group', { name: /^A pop-up also says/ })
  const signs = async (count: number) => {
    await expect.poll(async () => (await legend(page)).length, within).toBe(count)
    return (await legend(page)).join()
  }
  const legends = new Set<string>()
  for (const [method, count] of [
    ['quantile', 4],
    ['equal', 3],
    ['natural', 5],
  ] as const) {
    await classes.selectOption(method)
    await choice(page, 'How many').selectOption(String(count))
    // One more for regions without a value.
    legends.add(await signs(count + 1))
  }
  await classes.selectOption('own')
  await page.getByLabel('Where classes begin').fill('0.08 0.1')
  legends.add(await signs(4))
  expect(legends.size).toBe(4)
  await page.getByRole('radio', { name: 'Purple to green' }).check()
  const colour = paletteToken('purple-green', 0, 3)
  await expect.poll(async () => (await picture(page).innerHTML()).includes(colour), within).toBe(true)
  await choice(page, 'Names on the map').selectOption('true')
  await expect
    .poll(async () => (await picture(page).locator('text').allTextContents()).join(), within)
    .toContain('North Slope')

  // The counties of the whole country were found; those of the state alone are another set.
  await choice(page, 'Regions of').selectOption({ label: data.setName })
  const namesOnMap = async () => (await picture(page).locator('text').allTextContents()).join()
  await expect.poll(namesOnMap, within).toContain('Yakima')
  await expect.poll(() => legend(page), within).toHaveLength(3)
  await checkScreen(page, 'a map of regions')
  for (const column of ['Name', 'Rate']) await popup.getByLabel(column).check()
  await page.getByLabel('Zooms out to (0 is the earth)').fill('4')
  await page.getByLabel('Zooms in to (20 is a house)').fill('9.5')
  await page.getByRole('combobox', { name: /^Coloured by/ }).selectOption('area')
  await expect.poll(() => preview(page).locator('.legend p').textContent(), within).toMatch(/km²/)
  await save(page)
  const settings = {
    ...{ region: 'county', color: 'rate', boundarySetId: data.setId, per: 'area', labels: true },
    ...{ palette: 'purple-green', popup: ['called', 'rate'], zoom: { least: 4, most: 9.5 } },
    classes: { by: 'own', bounds: [0.08, 0.1] },
  }
  expect(await readSettings(map.id)).toEqual(settings)
  await page.goto(buildUrl(map.path))
  await waitForHydration(page)
  expect(await classes.inputValue()).toBe('own')
  expect(await page.getByLabel('Where classes begin').inputValue()).toBe('0.08 0.1')
  expect(await page.getByRole('radio', { name: 'Purple to green' }).isChecked()).toBe(true)
  expect(await popup.getByRole('checkbox', { checked: true }).count()).toBe(2)
  await expect.poll(namesOnMap, within).toContain('Yakima')
  // Saved again without a change, everything is as it was.
  await save(page)
  expect(await readSettings(map.id)).toEqual(settings)
  expect(complaints).toEqual([])
  await context.close()
})

test('circles of a map are sized by their values and gathered by region, without a mouse', async () => {
  const { page, context, complaints } = await openPatientWindow(browser)
  const keyboard = new Keyboard(page)
  const map = await addMap('Unemployment at corners', { geometry: 'corner', boundarySetId: 'us-counties' })
  await signIn(page, role, map.path)
  await picture(page).waitFor()
  const radii = async () => {
    const circles = await picture(page).locator('circle').all()
    return new Set(await Promise.all(circles.map((circle) => circle.getAttribute('r')))).size
  }
  // The ground lies under the points.
  await preview(page).locator('svg .map-credit').first().waitFor({ state: 'attached' })
  const before = await radii()
  await keyboard.to('combobox', 'Size')
  await page.keyboard.type('Rate')
  await keyboard.to('checkbox', 'A circle for each point, as large as its value')
  await page.keyboard.press('Space')
  await expect.poll(radii, within).toBeGreaterThan(Math.max(before, 5))
  await checkScreen(page, 'a map of circles')
  await keyboard.to('combobox', 'Regions of', { back: true })
  await page.keyboard.type(data.setName)
  await keyboard.to('checkbox', /^A circle for each region/)
  await page.keyboard.press('Space')
  // Each is called after its region then, and no more by the code of its record.
  const titles = async () => (await picture(page).locator('circle title').allTextContents()).join()
  await expect.poll(titles, within).toMatch(/^[A-Z][a-z]/)
  await keyboard.press('button', 'Save')
  await keyboard.arrive(/\/insights\/[^/]+$/)
  expect(await readSettings(map.id)).toEqual({
    ...{ geometry: 'corner', size: 'rate', sizeByValue: true },
    ...{ boundarySetId: data.setId, clusterByRegion: true },
  })
  expect(complaints).toEqual([])
  await context.close()
})
