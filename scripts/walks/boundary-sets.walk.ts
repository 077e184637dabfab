import { afterAll, beforeAll, expect, test } from 'vitest'
import { censusAreas, geojsonOf, shapefileOf, topojsonOf, withBowTie, withPositions } from './areas.ts'
import { callAs, hubs } from './ask.ts'
import { openBrowser, waitForHydration, type Browser, type Page } from './browser.ts'
import { Keyboard, within } from './keyboard.ts'
import { lookAt } from './look-at.ts'
import { at, openPatientWindow } from './newcomer.ts'
import { signIn } from './sign-in.ts'

// The boundary sets of an organization, with counties and states of the United States as files.

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const role = 'organization_admin'
const sets = `/v1/places/${hubs.seattle.id}/boundarySets`
const counties = censusAreas('counties', '53')
const washington = censusAreas('states', '53')
const clark = '53011'
const screenOfSet = /\/boundaries\/[0-9a-f-]{36}$/

const fileOf = (name: string, text: string | Uint8Array) => ({
  ...{ name, mimeType: 'application/octet-stream' },
  buffer: Buffer.from(text),
})

/** The names of the organization's sets whose name begins with a text. */
async function setsNamed(start: string) {
  const { results } = await callAs<{ results: { id: string; name: string }[] }>(role, 'GET', `${sets}?limit=200`)
  return results.filter(({ name }) => name.startsWith(start))
}

const removeSets = async (start: string) => {
  for (const { id } of await setsNamed(start)) await callAs(role, 'DELETE', `${sets}/${id}`)
}

/** Brings in a file as a set, on the screen that does so, and waits for the set. */
async function bringIn(page: Page, name: string, file: ReturnType<typeof fileOf>) {
  await page.goto(at('/boundaries/create'))
  await waitForHydration(page)
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('File').setInputFiles(file)
  await page.getByRole('button', { name: 'Read the file' }).click()
  await page.waitForURL(screenOfSet)
  await page.getByRole('heading', { level: 1, name }).waitFor()
}

const rowsOf = (page: Page) => page.locator('section[aria-labelledby=areas] tbody tr').allInnerTexts()
const found = (page: Page) => page.locator('section[aria-labelledby=found] li').allInnerTexts()

test('a file with faults becomes a set: what was repaired is listed, and names, codes and parents are chosen', async () => {
  const { page, context, complaints } = await openPatientWindow(browser)
  const name = `Counties ${Date.now()}`
  await signIn(page, role, '/boundaries')
  await page.getByRole('link', { name: 'Add boundaries' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Add boundaries' }).waitFor()
  await lookAt(page, 'an empty form')
  const faulty = counties.map((county) => (county.properties.GEOID === clark ? withBowTie(county) : county))
  await bringIn(page, name, fileOf('counties.geojson', geojsonOf(faulty)))
  expect(await found(page)).toEqual([
    expect.stringMatching(/^Repaired, number 6: Self-intersection at -122\.\d+, 45\.\d+: it was made whole\.$/),
    'Repaired: 39 areas had rings that ran the wrong way round: they were turned.',
  ])
  expect((await rowsOf(page)).slice(0, 2)).toEqual(['53001\tAdams', '53003\tAsotin'])
  expect(await page.locator('.boundary-picture svg').getAttribute('aria-label')).toBeNull()
  await lookAt(page, 'a set with repairs')

  // Another attribute for the names, and back.
  const names = page.getByLabel('Names of the areas')
  await names.selectOption('GEOID')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved.', { exact: true }).waitFor()
  expect((await rowsOf(page))[0]).toBe('53001\t53001')

  // A set that it is a part of, brought in as TopoJSON.
  const below = page.url()
  const above = `Washington ${name}`
  await bringIn(page, above, fileOf('state.topojson', topojsonOf(washington)))
  await page.goto(below)
  await waitForHydration(page)
  await names.selectOption('NAME')
  await page.getByLabel('Parts of').selectOption({ label: above })
  await page.getByLabel('Visibility').selectOption('public')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved.', { exact: true }).waitFor()
  console.log(await page.locator('section[aria-labelledby=nesting]').innerText())
  await lookAt(page, 'a set with parents')
  console.log(await page.locator('main').innerText())
  expect(complaints).toEqual([])
  await context.close()
  await removeSets(name)
  await removeSets(above)
})
