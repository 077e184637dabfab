import { randomFillSync } from 'node:crypto'
import { strToU8, zipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findViolations } from './axe.ts'
import { openBrowser, openWindow, measureOverflow, type Browser } from './browser.ts'
import { signIn } from './sign-in.ts'
import { ask, callAs, hubs } from './ask.ts'
import { deleteSource } from './delete-as.ts'
import { isCrossSection } from '#functions/v1/testing/figures.testing.ts'
import { earthquakesCsv, iowaWorkbook, weatherCsv } from './published-data.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

/** The id of the source in the address of one of its screens. */
const sourceIn = (address: string) => /\/sources\/([^/?]+)/.exec(address)?.[1] ?? ''

/** 120 earthquakes; the third has no number as its magnitude, the sixth no time. */
const csv = earthquakesCsv(120)
  .split('\n')
  .map((line, i) => {
    if (i === 3) return line.replace(/",[\d.-]+,/, '",strong,')
    return i === 6 ? line.replace(/\d{4}-[^,]+/, 'not a day') : line
  })
  .join('\n')

test('an organization admin turns a file into a chart, sees the two rejected rows, and undoes the import', async () => {
  const { page, context, foreign, complaints } = await openWindow(browser)
  let clicks = 0
  const click = async (role: 'button' | 'link', name: string) => {
    clicks += 1
    await page.getByRole(role, { name, exact: true }).last().click()
  }
  await signIn(page, 'organization_admin', '/sources/create')
  await page.waitForLoadState('networkidle')

  clicks += 1
  const file = { name: 'strong_earthquakes.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByText('of which 2 do not fit yet').waitFor()
  expect(await page.getByLabel('Name of the source').inputValue()).toBe('Strong earthquakes')
  expect(await page.getByLabel('Type of magnitude').inputValue()).toBe('number')
  expect(await page.getByLabel('Type of time').inputValue()).toBe('date')
  expect(await page.getByLabel('Type of Location').inputValue()).toBe('point')

  await click('button', 'Check all rows')
  await page.waitForURL(/\/importers\/[^/]+\/[^/]+$/)
  await page.getByText('Nothing has changed yet.').waitFor({ timeout: 30_000 })
  const rejectedRows = page.getByRole('region', { name: 'Refused rows' }).locator('tbody tr')
  const cells = (row: number) => rejectedRows.nth(row).locator('td').allTextContents()
  expect(await rejectedRows.count()).toBe(2)
  expect(await cells(0)).toEqual(['3', '4', 'magnitude', 'strong', expect.any(String)])
  expect(await cells(1)).toEqual(['6', '7', 'time', 'not a day', expect.any(String)])

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
  await page.getByRole('alertdialog').getByRole('button', { name: 'Roll back', exact: true }).click()
  await page.getByText('It takes back').waitFor()
  await page.getByText('Succeeded').waitFor({ timeout: 30_000 })
  await page.goto(job.replace(/\/importers\/.*/, ''))
  await page.getByText('No records yet').waitFor()
  await deleteSource(page, sourceIn(page.url()))
  expect(foreign).toEqual([])
  expect(complaints).toEqual([])
  await context.close()
}, 120_000)

test('a messy workbook becomes a chart: its sheet and header are found, its total and notes are shown and left out', async () => {
  const { page, context, complaints } = await openWindow(browser)
  let clicks = 1
  const click = async (role: 'button' | 'link', name: string) => {
    clicks += 1
    await page.getByRole(role, { name, exact: true }).last().click()
  }
  await signIn(page, 'organization_admin', '/sources/create')
  await page.waitForLoadState('networkidle')
  const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'iowa_electricity.xlsx', mimeType, buffer: Buffer.from(iowaWorkbook()) })
  await page.getByText('Rows 3 to 4 are read as the header.').waitFor()
  const boxes = page.getByRole('checkbox', { name: /^Leave out row/ })
  expect(await boxes.count()).toBe(3)
  expect(await page.getByLabel('Where the rows are').inputValue()).toBe('Generation')
  expect(await page.getByLabel('Type of Generation Fossil Fuels').inputValue()).toBe('number')
  expect(await findViolations(page)).toEqual([])

  // A row wrongly taken for a note is included with one click, and left out again with another.
  const first = page.getByRole('checkbox', { name: 'Leave out row 22 total' })
  clicks += 2
  await first.click()
  await page.getByText('2 notes are left out as no records').waitFor()
  await page.getByText('The first 18 rows').first().waitFor()
  await first.click()
  await page.getByText('The first 17 rows').first().waitFor()
  // With the total the years were texts.
  expect(await page.getByLabel('Type of Year').inputValue()).toBe('number')
  await page.setViewportSize({ width: 320, height: 900 })
  expect(await measureOverflow(page)).toBe(0)
  await page.setViewportSize({ width: 1280, height: 900 })

  await click('button', 'Check all rows')
  await page.waitForURL(/\/importers\/[^/]+\/[^/]+$/)
  await page.getByText('Nothing has changed yet.').waitFor({ timeout: 30_000 })
  await page
    .getByText('3 rows of the sheet "Generation" are left out, as was chosen')
    .waitFor({ state: 'attached' })
  await click('button', 'Bring it in')
  await page.getByText('The records are in.').waitFor({ timeout: 30_000 })
  await click('link', 'Open the source')
  await page.getByRole('heading', { name: 'A first chart' }).waitFor()
  expect(await page.getByText('17 records').count()).toBeGreaterThan(0)
  const sourceId = sourceIn(page.url())
  await click('link', 'Make this chart')
  await page.waitForURL(/\/insights\/create/)
  console.log(`From the messy workbook to the builder with its chart: ${clicks} clicks`)
  expect(clicks).toBeLessThanOrEqual(15)
  await deleteSource(page, sourceId)
  expect(complaints).toEqual([])
  await context.close()
}, 120_000)

test('a file of an archive of more than 25 MB is chosen, and the archive is sent once', async ({ skip }) => {
  skip(isCrossSection)
  const { page, context, complaints } = await openWindow(browser)
  await signIn(page, 'organization_admin', '/sources/create')
  await page.waitForLoadState('networkidle')
  const uploads: string[] = []
  page.on('request', (request) => {
    if ((request.postDataBuffer()?.length ?? 0) > 1_000_000 || request.method() === 'PUT')
      uploads.push(request.method())
  })
  const points = (names: string[]) => ({
    type: 'FeatureCollection',
    features: names.map((name, i) => ({
      ...{ type: 'Feature', properties: { name } },
      geometry: { type: 'Point', coordinates: [-122.3 + i / 100, 47.6] },
    })),
  })
  const archive = zipSync(
    {
      'maps/parks.geojson': strToU8(JSON.stringify(points(['Elm', 'Oak', 'Fir']))),
      'maps/wells.geojson': strToU8(JSON.stringify(points(['North', 'South']))),
      'scan.tif': randomFillSync(new Uint8Array(26_000_000)),
    },
    { level: 0 },
  )
  const file = { name: 'maps.zip', mimeType: 'application/zip', buffer: Buffer.from(archive) }
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByText('The first 5 rows').first().waitFor({ timeout: 60_000 })
  await page.getByText('Files of the archive that are not read: scan.tif.').waitFor()
  await page.getByText('In the archive: 2 GeoJSON files.').waitFor()
  const which = page.getByLabel('Which file of the archive')
  expect(await which.locator('option').allTextContents()).toEqual([
    ...['All 2, one after another', 'maps/parks.geojson', 'maps/wells.geojson'],
  ])
  expect(await findViolations(page)).toEqual([])
  await which.selectOption('maps/parks.geojson')
  await page.getByText('The first 3 rows').first().waitFor({ timeout: 60_000 })
  await page.getByRole('button', { name: 'Check all rows' }).click()
  await page.waitForURL(/\/importers\/[^/]+\/[^/]+$/, { timeout: 60_000 })
  await page.getByText('Nothing has changed yet.').waitFor({ timeout: 60_000 })
  await page.getByRole('button', { name: 'Bring it in' }).click()
  await page.getByText('The records are in.').waitFor({ timeout: 30_000 })
  await page.getByRole('link', { name: 'Open the source' }).click()
  await page.getByText('3 records').first().waitFor()
  expect(uploads).toEqual(['PUT'])
  await deleteSource(page, sourceIn(page.url()))

  // Beyond what a file may have, it is said before anything is sent.
  await page.goto(page.url().replace(/\/sources\/.*/, '/sources/create'))
  await page.waitForLoadState('networkidle')
  await page.locator('input[type=file]').evaluate((input: HTMLInputElement) => {
    const files = new DataTransfer()
    files.items.add(new File([new Uint8Array(101_000_000)], 'trees.xlsx'))
    input.files = files.files
    input.dispatchEvent(new Event('change', { bubbles: true }))
  })
  await page
    .getByText('A file of the format Excel may have 100 MB, and this has 101 MB. Save it as CSV')
    .waitFor()
  expect(uploads).toEqual(['PUT'])
  expect(complaints).toEqual([])
  await context.close()
}, 180_000)

test('a failed check says what to do next, offers another type for a field, and its empty source can be discarded', async () => {
  const { page, context, complaints } = await openWindow(browser)
  await signIn(page, 'organization_admin', '/sources/create')
  await page.waitForLoadState('networkidle')
  // The sampled first rows are valid; most others are not.
  const rows = Array.from({ length: 900 }, (_, i) => `R${i},${i < 200 ? i : 'high'}`)
  const buffer = Buffer.from(['gauge,level', ...rows].join('\n'))
  await page.locator('input[type=file]').setInputFiles({ name: 'levels.csv', mimeType: 'text/csv', buffer })
  await page.getByRole('button', { name: 'Check all rows' }).click()
  await page.waitForURL(/\/importers\/[^/]+\/[^/]+$/)
  await page.getByText('Nothing of it was brought in.').waitFor({ timeout: 30_000 })
  const source = page.url().replace(/\/importers\/.*/, '')
  expect(await page.getByRole('link', { name: 'Change how it is read' }).count()).toBe(1)
  await page.getByText('the empty source is deleted, with a data type made for it').waitFor()
  // One button gives the field the type of its values, and shows what comes of it.
  const failedCheckUrl = page.url()
  await page.getByRole('button', { name: 'Change level to Text and look again' }).click()
  await page.waitForURL((url) => url.href !== failedCheckUrl)
  await page.getByText('Nothing has changed yet.').waitFor({ timeout: 30_000 })
  expect(await page.getByRole('region', { name: 'New records' }).count()).toBeGreaterThan(0)
  await page.goto(failedCheckUrl)
  await page.waitForLoadState('networkidle')
  await page.getByRole('button', { name: 'Take something else' }).click()
  await page.waitForURL(/\/sources\/create$/)
  expect((await context.request.get(source)).status()).toBe(404)
  expect(complaints).toEqual([])
  await context.close()
}, 120_000)

test('headers, sign-in and paging have inputs; each error is shown at its own, and a secret stays hidden', async () => {
  const { page, context, complaints } = await openWindow(browser)
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  /** Adds a row by its button and types into it, by keyboard only. */
  const row = async (what: string, name: string, value: string) => {
    await press(`Add a ${what}`)
    await page.keyboard.type(name)
    await page.keyboard.press('Tab')
    await page.keyboard.type(value)
  }
  /** The names of the invalid inputs, without their prefix. */
  const listInvalidInputs = async () => {
    await page.locator('[aria-invalid="true"]').first().waitFor()
    const names = await page
      .locator('[aria-invalid="true"]')
      .evaluateAll((all) => all.map((each) => each.getAttribute('name')))
    return names.map((name) => name?.replace('sources.0.', ''))
  }
  await signIn(page, 'organization_admin', '/sources/seattle-weather/importers/create')
  await page.getByText('With headers, parameters, a sign-in or pages').click()
  await page.getByLabel('Name of the importer').fill('Feed with a sign-in')
  await page.getByLabel('Web address').last().fill('https://data.example.org/rows.csv?year=2026')
  await row('header', 'Host', 'data.example.com')
  await row('header', 'Authorization', 'Bearer word-of-the-header')
  await row('parameter', 'format', 'long')
  await page.getByLabel('Ask for a token first (OAuth)').check()
  await page.getByLabel('Address of the token').fill('https://login.example.org/token')
  await page.getByLabel('Client secret').fill('word-of-the-grant')
  await page.getByLabel('Pagination').selectOption('page')
  await page.getByLabel('Parameter of the page').fill('page')
  await page.getByLabel('Rows a page', { exact: true }).fill('many')
  await press('Make it and choose fields')
  expect(await listInvalidInputs()).toEqual(['headers.0.name', 'pagination.limit'])
  // The submit button is far below: the first invalid input gets the focus.
  expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe(
    'sources.0.headers.0.name',
  )
  await press('Remove Host')
  await page.getByLabel('Rows a page', { exact: true }).fill('100')
  await press('Make it and choose fields')
  await page.waitForURL(/\/modify$/)
  await page.getByText('Kept secret', { exact: true }).waitFor()
  expect(await page.getByText('Kept. Type to replace it.').count()).toBe(1)
  expect(await page.content()).not.toMatch(/word-of-the/)
  expect(await findViolations(page)).toEqual([])

  // A secret is not sent to another server when the address changes.
  await page.getByLabel('Web address').fill('https://data.example.net/rows.csv')
  await press('Save')
  expect(await listInvalidInputs()).toEqual(['headers.0.value', 'oauth.grant.client_secret'])
  await page.getByLabel('Web address').fill('https://data.example.org/other.csv')
  await press('Save')
  await page.waitForURL((url) => !url.pathname.endsWith('/modify'))
  await page.getByText('https://data.example.org/other.csv').waitFor()

  await page.setViewportSize({ width: 320, height: 900 })
  await page.goto(`${page.url()}/modify`)
  expect(await page.getByLabel('Rows a page', { exact: true }).inputValue()).toBe('100')
  expect(await measureOverflow(page)).toBe(0)
  await page.waitForLoadState('networkidle')
  await press('Delete the importer')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await page.waitForURL(/\/importers$/)
  expect(complaints).toEqual([])
  await context.close()
}, 120_000)

test('a newer file replaces that of a source: its address and its history stay, and its hub has the new figures', async ({
  skip,
}) => {
  skip(isCrossSection)
  const { page, context, complaints } = await openWindow(browser)
  await signIn(page, 'organization_admin', '/sources/create')
  await page.waitForLoadState('networkidle')
  const name = `Rain gauge ${Date.now()}`
  const buildFile = (days: number, columns = 6) => ({
    name: `rain_${days}_days.csv`,
    mimeType: 'text/csv',
    buffer: Buffer.from(
      weatherCsv(days)
        .split('\n')
        .map((line) => line.split(',').slice(0, columns).join(','))
        .join('\n'),
    ),
  })
  const press = (button: string) => page.getByRole('button', { name: button, exact: true }).click()
  const importRecords = async () => {
    await page.getByText('Nothing has changed yet.').waitFor()
    await press('Bring it in')
    await page.getByText('The records are in.').waitFor()
  }
  await page.locator('input[type=file]').setInputFiles(buildFile(30))
  await page.getByLabel('Name of the source').fill(name)
  await press('Check all rows')
  await page.waitForURL(/\/importers\/[^/]+\/[^/]+$/)
  await importRecords()
  const [, sourceId = '', importerId = ''] = /sources\/([^/]+)\/importers\/([^/]+)/.exec(page.url()) ?? []
  const source = `/v1/sources/${sourceId}`
  const { dataTypeId } = await callAs('organization_admin', 'PATCH', source, { visibility: 'public' })
  const readHubPage = async () => {
    const { status, text } = await ask(`/domains/${String(dataTypeId)}/source/${sourceId}`, {
      host: hubs.seattle.host,
    })
    return [status, /(\d+) records/.exec(text)?.[1], text.includes('2012-02-14')]
  }
  await expect.poll(readHubPage, { timeout: 20_000 }).toEqual([200, '30', false])

  // A file without a column that is read says so, and changes nothing unless it is taken.
  const importer = page.url().replace(/\/[^/]+$/, '')
  const replace = async (file: ReturnType<typeof buildFile>) => {
    await page.goto(importer)
    await page.waitForLoadState('networkidle')
    await page.getByText('Replace this file').click()
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByRole('heading', { name: `Read ${file.name} from now on?` }).waitFor()
  }
  const runs = page.getByRole('region', { name: 'Runs' }).getByRole('listitem')
  await replace(buildFile(45, 5))
  await page.getByText('A column is missing:').waitFor()
  await page.getByText('weather, of which weather is made').waitFor()
  await page.getByRole('link', { name: 'Keep the file before' }).click()
  await page.waitForURL(importer)

  await replace(buildFile(45))
  await page.getByText('It has the same columns.').waitFor()
  expect(await findViolations(page)).toEqual([])
  await press('Read it and check all rows')
  await page.waitForURL(/\/importers\/[^/]+\/[^/]+$/)
  await importRecords()
  expect(page.url()).toContain(`/sources/${sourceId}/importers/${importerId}/`)
  await page.goto(importer)
  await runs.getByText('45 rows read, 15 new, 30 as they are').waitFor()
  expect(await runs.allInnerTexts()).toEqual([
    ...[expect.stringContaining('45 rows read'), expect.stringContaining('30 rows read, 30 new')],
  ])
  await expect.poll(readHubPage, { timeout: 20_000 }).toEqual([200, '45', true])
  await deleteSource(page, sourceId)
  expect(complaints).toEqual([])
  await context.close()
})
