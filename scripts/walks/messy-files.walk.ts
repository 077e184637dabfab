import { afterAll, beforeAll, expect, test } from 'vitest'
import { callAs } from './ask.ts'
import { findViolations } from './axe.ts'
import { openBrowser, openWindow, type Browser } from './browser.ts'
import { deleteSource } from './delete-as.ts'
import { signIn } from './sign-in.ts'
import {
  emptyRowsWorkbook,
  buildHiddenSheetsWorkbook,
  sumColumn,
  buildTwoTablesWorkbook,
} from './published-data.ts'
import { lockedBook, xlsBook } from '#functions/engine/import/parse/files.testing.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

/** A workbook as an office publishes it, and what becomes of it on the screen. */
interface MessyFile {
  has: string
  name: string
  bytes: () => Uint8Array
  /** Why it cannot be read, and what to do. */
  rejection?: string
  /** The sheets and tables that can be chosen, the one read by itself first. */
  options?: string[]
  /** The table that is chosen in place of the first. */
  selector?: string
  /** The number of records then, and the sum of a field. */
  records?: { count: number; field: string; sum: number }
}

const files: MessyFile[] = [
  {
    has: 'a password',
    name: 'budget.xlsx',
    bytes: lockedBook,
    rejection: 'The workbook is protected by a password: save it without one.',
  },
  {
    has: 'the format of old Excel',
    name: 'budget.xls',
    bytes: xlsBook,
    rejection:
      'Legacy XLS files are not supported, use an XLSX file instead! To make one, open it in Excel or LibreOffice, choose “Save as” and there the type “Excel Workbook (.xlsx)”.',
  },
  {
    has: 'two tables in a sheet',
    name: 'two_tables.xlsx',
    bytes: buildTwoTablesWorkbook,
    options: [
      'Both!A1:D (120 rows: month, nonfarm, construction, information)',
      'Both!A124:C (60 rows: Entity, Year, Deaths)',
      'Both (181 rows: month, nonfarm, construction, information)',
    ],
    selector: 'Both!A124:C',
    records: { count: 60, field: 'deaths', sum: sumColumn('disasters.csv', 'Deaths', 60) },
  },
  {
    has: 'hidden sheets',
    name: 'hidden_sheets.xlsx',
    bytes: buildHiddenSheetsWorkbook,
    options: [
      'Countries (187 rows: country, income, population)',
      'Lists (hidden, 300 rows: Entity, Year, Deaths)',
      'Notes (hidden, 1 row: Checked by the office)',
      'All sheets (488 rows)',
    ],
    records: {
      ...{ count: 187, field: 'population' },
      sum: sumColumn('gapminder-health-income.csv', 'population', 187),
    },
  },
  {
    has: '65,000 empty rows',
    name: 'empty_rows.xlsx',
    bytes: emptyRowsWorkbook,
    options: ['Data (300 rows: Date, CO2, adjusted CO2)'],
    records: { count: 300, field: 'co2', sum: sumColumn('co2-concentration.csv', 'CO2', 300) },
  },
]

const mimeType = 'application/octet-stream'
const place = '/v1/places/seattle-wa'

/** The sources and data types of the organization. */
async function readIds(): Promise<string[]> {
  const lists = await Promise.all(
    ['sources', 'dataTypes'].map((noun) =>
      callAs<{ results: { id: string }[] }>('organization_admin', 'GET', `${place}/${noun}?limit=200`),
    ),
  )
  return lists.flatMap(({ results }) => results.map(({ id }) => id)).sort()
}

test.each(files)('a workbook with $has comes in as it is, or says what to do', async (file) => {
  const { name, bytes, rejection, options = [], selector, records } = file
  const before = await readIds()
  const { page, context, complaints } = await openWindow(browser)
  await signIn(page, 'organization_admin', '/sources/create')
  await page.waitForLoadState('networkidle')
  const input = page.locator('input[type=file]')
  await input.setInputFiles({ name, mimeType, buffer: Buffer.from(bytes()) })
  const summary = page.getByRole('region', { name: 'What was found' })
  if (rejection !== undefined) {
    await summary.getByText(`No rows were found in ${name}.`).waitFor()
    expect(await summary.getByRole('alert').allTextContents()).toEqual([rejection])
    expect(await findViolations(page)).toEqual([])
    await summary.getByRole('link', { name: 'Take something else' }).click()
    await input.waitFor()
  }
  if (records) {
    await summary.getByText(`The first 100 rows of ${name}.`).waitFor()
    const rows = page.getByLabel('Where the rows are')
    expect(await rows.locator('option').allTextContents()).toEqual(['As found', ...options])
    // That a workbook is packed is nothing to people.
    expect(await summary.getByText(/archive/).count()).toBe(0)
    expect(await findViolations(page)).toEqual([])
    if (selector !== undefined) {
      await rows.selectOption(selector)
      await summary.getByText(`The first ${records.count} rows of ${name}.`).waitFor()
    }
    await page.getByRole('button', { name: 'Check all rows' }).click()
    await page.waitForURL(/\/importers\/[^/]+\/[^/]+$/)
    await page.getByText('Nothing has changed yet.').waitFor({ timeout: 30_000 })
    await page.getByRole('button', { name: 'Bring it in' }).click()
    await page.getByText('The records are in.').waitFor({ timeout: 30_000 })
    await page.getByRole('link', { name: 'Open the source' }).click()
    await page.getByText(`${records.count} records`).first().waitFor()
    const sourceId = page.url().split('/').at(-1) ?? ''
    await compare(sourceId, records)
    await deleteSource(page, sourceId)
  }
  expect(await readIds()).toEqual(before)
  expect(complaints).toEqual([])
  await context.close()
})

/** Compares the records of a source with what was published. */
async function compare(sourceId: string, { count, field, sum }: NonNullable<MessyFile['records']>) {
  const { results } = await callAs<{ results: { data: Record<string, number> }[] }>(
    ...(['organization_admin', 'GET', `/v1/sources/${sourceId}/data?limit=1000`] as const),
  )
  const total = results.reduce((all, { data }) => all + (data[field] ?? Number.NaN), 0)
  expect([results.length, total]).toEqual([count, expect.closeTo(sum, 6)])
}
