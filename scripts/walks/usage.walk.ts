import { chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { ask, hubs } from './ask.ts'
import { openBrowser, openWindow, measureOverflow, type Browser } from './browser.ts'
import { findChromium } from '../chromium.ts'
import { signIn } from './sign-in.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const { host } = hubs.seattle
const beacon = (body: string, headers: Record<string, string> = {}) =>
  ask('/beacon', { host, method: 'POST', body, headers: { 'user-agent': agent, ...headers } })

test('a page view is counted, and the organization admin sees it', async () => {
  // Automated and headless browsers are not counted; this one pretends to be a reader's.
  const reader = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-blink-features=AutomationControlled', `--user-agent=${agent}`],
  })
  const page = await reader.newPage()
  await page.goto(`http://${host}:${inject('port')}/domains`)
  await expect
    .poll(() => page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name)), {
      timeout: 30_000,
    })
    .toContainEqual(expect.stringMatching(/\/hub\/beacon-[^/]+\.js$/))
  await page.waitForTimeout(300)
  // Playwright does not see the beacon that a page sends when it is left: the browser stays open, so that it arrives.
  await page.goto('about:blank')

  // Counts are written with the first one that arrives ten seconds later.
  await new Promise((resolve) => setTimeout(resolve, 10_500))
  const phone = JSON.stringify({ path: '/es', from: 'news.example', device: 'phone', lcp: 5000 })
  expect((await beacon(phone)).status).toBe(204)

  const { page: screen, context: admin, complaints } = await openWindow(browser)
  await signIn(screen, 'organization_admin', '/hub/usage')
  await expect
    .poll(async () => {
      await screen.reload()
      return screen.getByRole('region', { name: 'Referrers' }).innerText()
    })
    .toMatch(/news\.example/)
  expect(await screen.getByRole('region', { name: 'Pages' }).innerText()).toMatch(/\/domains/)
  expect(await screen.getByRole('region', { name: 'Languages' }).innerText()).toMatch(/Spanish/)
  expect(await screen.getByText('Painted (LCP)').count()).toBe(1)
  const file = await screen.request.get(
    new URL((await screen.getByRole('link', { name: /CSV/ }).getAttribute('href')) ?? '', screen.url()).href,
  )
  expect([file.status(), file.headers()['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
  expect(await file.text()).toMatch(/^kind,name,views,visits,/)
  await screen.setViewportSize({ width: 320, height: 800 })
  expect(await measureOverflow(screen)).toBe(0)
  expect(complaints).toEqual([])
  await admin.close()
  await reader.close()
})

test('rejects invalid, oversized and foreign beacons, and serves no page at their address', async () => {
  expect((await beacon('{}')).status).toBe(400)
  expect((await beacon(' '.repeat(1001))).status).toBe(413)
  expect((await beacon('{}', { origin: 'https://evil.example' })).status).toBe(403)
  expect((await ask('/beacon', { host })).status).toBe(405)
})
