import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { ask, hubs } from './ask.ts'
import { findViolations } from './axe.ts'
import { waitForHydration, openBrowser, openWindow, measureOverflow, type Browser } from './browser.ts'
import { signIn } from './sign-in.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const { host } = hubs.seattle
const source = '/domains/airport/source/washington-airports'
const within = { timeout: 60_000 }
const pageIn = async (path: string) => (await ask(path, { host })).text

test('a page in Spanish shows translated texts in Spanish, and marks the others with their language', async () => {
  const text = await pageIn('/es/pages/storytelling/seattle-rain/preview')
  expect(text).toContain('¿De verdad llueve tanto en Seattle?</h1>')
  expect(text).toContain('<h3 lang="en">October to March</h3>')
  expect(text).toContain('Partes de esta página están solo en inglés.')
  const own = await pageIn('/pages/storytelling/seattle-rain/preview')
  expect(own).not.toContain('partly')
  expect(own).not.toContain('<h3 lang=')
})

test('a text is translated on the screen, a file is previewed and imported, and the Arabic page has both', async () => {
  const { page, context, complaints } = await openWindow(browser)
  await signIn(page, 'content_admin', '/translations?language=ar&noun=source')
  await waitForHydration(page)
  const rows = page.locator('.translation')
  const name = rows.filter({ hasText: 'Airports of Washington State · Name' })
  await name.locator('input[name=text]').fill('مطارات ولاية واشنطن')
  await name.getByRole('button', { name: 'Save' }).click()
  await name.getByRole('button', { name: 'Remove' }).waitFor()
  expect(await name.getByText('Not translated').count()).toBe(0)

  const notes = 'Airports and airfields in the state, with their position.'
  const csv = [
    'noun,id,path,original,translation',
    `source,washington-airports,notes,"${notes}",المطارات في الولاية`,
    'source,nowhere,name,x,y',
  ].join('\r\n')
  await page.setInputFiles('input[type=file]', {
    ...{ name: 'texts.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) },
  })
  await page.getByRole('button', { name: 'Look at the file' }).click()
  await page.getByText('New: 1 · Not found: 1').waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Write this text' }).click()
  await rows.filter({ hasText: '· Notes' }).first().getByRole('button', { name: 'Remove' }).waitFor()
  await page.setViewportSize({ width: 320, height: 800 })
  expect(await measureOverflow(page)).toBe(0)

  await expect.poll(() => pageIn(`/ar${source}`), within).toContain('المطارات في الولاية')
  const arabic = await pageIn(`/ar${source}`)
  expect(arabic).toContain('<h1>مطارات ولاية واشنطن</h1>')
  expect(arabic).toContain('lang="en" dir="ltr">Hourly climate<')
  expect(arabic).toContain('أجزاء من هذه الصفحة متاحة باللغة الإنجليزية فقط.')
  // The other languages are not affected.
  expect(await pageIn(source)).not.toContain('المطارات')
  expect(await pageIn(`/fr${source}`)).not.toContain('المطارات')
  const search = await pageIn(`/ar/search?search=${encodeURIComponent('مطارات')}`)
  expect(search).toContain('مطارات ولاية واشنطن')

  await page.goto(`http://${host}:${inject('port')}/ar${source}`)
  expect(await findViolations(page)).toEqual([])
  expect(await measureOverflow(page)).toBe(0)
  expect(complaints).toEqual([])
  await context.close()
})
