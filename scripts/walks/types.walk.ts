import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { callAs } from './ask.ts'
import { openBrowser, openWindow, type Browser } from './browser.ts'
import { deleteAs, deleteSource } from './delete-as.ts'
import { signIn } from './sign-in.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const buildUrl = (path: string) => `http://localhost:${inject('port')}${path}`

const api = <Result>(method: string, path: string, data?: unknown) =>
  callAs<Result>('organization_admin', method, `/v1${path}`, data)

const countUnread = (observerId: string) =>
  api<{ byObserver: Record<string, number> }>('GET', '/places/seattle-wa/observers/unread').then(
    ({ byObserver }) => byObserver[observerId] ?? 0,
  )

test('an admin creates a data type and an observer; a record triggers it, and its alert is read', async () => {
  const { page, context, complaints } = await openWindow(browser)
  const name = `Noise complaint ${Date.now()}`
  await signIn(page, 'organization_admin', '/types/create')

  // The fields, one of them nested in a map; ordered by keyboard.
  const field = page.getByRole('region', { name: 'The chosen field' })
  const add = async (label: string, type: string) => {
    await page.getByRole('button', { name: 'Add a field' }).click()
    await field.getByLabel('Name', { exact: true }).fill(label)
    await field.getByLabel('Type', { exact: true }).selectOption(type)
  }
  await page.getByRole('button', { name: 'Add a field' }).waitFor()
  await page.getByLabel('Name', { exact: true }).first().fill(name)
  await add('Opened at', 'date')
  await add('Minutes', 'number')
  await field.getByLabel('Minimum', { exact: true }).fill('0')
  await add('Reporter', 'object')
  await field.getByRole('button', { name: /Open its fields/ }).click()
  await add('E-mail', 'text')
  await field.getByLabel('Email', { exact: true }).check()
  await page.getByRole('button', { name: 'Record', exact: true }).click()
  await page.getByRole('row', { name: 'Minutes' }).click()
  await page.keyboard.press('Tab')
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')
  const press = async (key: string, label: string) => {
    await page.keyboard.press(key)
    await expect.poll(focused, { timeout: 10_000 }).toBe(label)
  }
  await expect.poll(focused, { timeout: 10_000 }).toBe('Move Minutes')
  await press('Enter', 'Insert between Minutes and Reporter')
  await press('ArrowUp', 'Insert between Opened at and Minutes')
  await press('ArrowUp', 'Insert between Id and Opened at')
  await page.keyboard.press('Enter')
  await expect
    .poll(() => page.locator('.schema-row-name').allTextContents(), { timeout: 10_000 })
    .toEqual(['Id', 'Minutes', 'Opened at', 'Reporter'])
  await page.getByLabel('Main date').selectOption({ label: 'Opened at' })
  const example = page.getByRole('region', { name: 'An example record' })
  await example.getByLabel(/^Minutes/).fill('-1')
  await example.getByText('Breaks the rule “Minimum”.').waitFor()
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  // Its id is its name with a unique suffix.
  await page.waitForURL(/\/types\/noise-complaint-\d+-[b-z2-9]{5}$/)
  const dataTypeId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const dataType = await api<{ schema: object; temporal: unknown }>('GET', `/dataTypes/${dataTypeId}`)
  expect(Object.keys(dataType.schema)).toEqual(['id', 'minutes', 'openedAt', 'reporter'])
  expect(dataType.temporal).toEqual({ primary: 'openedAt' })
  expect(dataType.schema).toMatchObject({ reporter: { schema: { email: { validation: { email: true } } } } })

  const { id: sourceId } = await api<{ id: string }>('POST', '/sources', {
    ...{ dataTypeId, name, placeId: 'seattle-wa', visibility: 'place' },
  })
  const record = (id: string, minutes: number) =>
    api('POST', `/sources/${sourceId}/data`, { id, minutes, openedAt: '2026-01-31T09:00:00Z' })
  await record('1', 5)

  // Data that would be lost is announced first.
  await page.goto(buildUrl(`/types/${dataTypeId}/modify`))
  await page.getByRole('row', { name: 'Id' }).click()
  await field.getByLabel('Type', { exact: true }).selectOption('date')
  await page.getByRole('button', { name: 'See what this changes' }).click()
  await page.getByText('1 values lost').waitFor()
  await page.getByRole('button', { name: 'Save the fields' }).waitFor()
  await field.getByLabel('Type', { exact: true }).selectOption('text')
  await page.getByRole('button', { name: 'See what this changes' }).waitFor()
  await page.reload()

  await page.goto(buildUrl(`/types/${dataTypeId}/observers`))
  await page.getByRole('link', { name: 'Create an observer' }).first().click()
  await page.waitForURL(/\/observers\/create$/)
  await page.getByLabel('Name', { exact: true }).fill('Long complaints')
  await page.getByRole('button', { name: 'Add a condition' }).click()
  await page.getByLabel('Field', { exact: true }).selectOption({ label: 'Minutes' })
  await page.getByLabel('Condition on Minutes').selectOption('$gt')
  await page.getByLabel('Value of Minutes').fill('60')
  await page.getByText('The condition does not hold').waitFor()
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.waitForURL(/\/observers\/[\w-]{36}$/)
  const observerId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  // The address changes before the screen does.
  await expect.poll(() => page.getByText('No alerts yet').count()).toBe(1)

  await record('2', 90)
  await expect.poll(() => countUnread(observerId), { timeout: 30_000, interval: 500 }).toBe(1)
  await page.goto(buildUrl('/types/catalog'))
  await page.getByRole('link', { name: 'Long complaints' }).first().click()
  await page.getByRole('link', { name: 'Long complaints: 1 is above 0' }).click()
  await page.getByRole('link', { name: 'Close' }).waitFor()
  expect(await countUnread(observerId)).toBe(0)
  expect(await page.locator('.alerts .is-unread').count()).toBe(0)
  await deleteAs(page, `/v1/places/seattle-wa/observers/${observerId}`)
  await deleteSource(page, sourceId)
  expect(complaints.filter((line) => !line.startsWith('Warning:'))).toEqual([])
  await context.close()
})
