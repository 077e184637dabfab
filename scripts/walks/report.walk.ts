import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { ask, hubs } from './ask.ts'
import { findViolations } from './axe.ts'
import { openBrowser, openWindow, measureOverflow, type Browser, type Page } from './browser.ts'
import { signIn } from './sign-in.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const { host } = hubs.seattle
const buildUrl = (path: string) => `http://${host}:${inject('port')}${path}`
const workspace = (path: string) => `http://localhost:${inject('port')}${path}`

/** Returns the path of a public source of the hub. */
async function sourcePath(): Promise<string> {
  const { text } = await ask('/domains', { host })
  return /href="(\/domains\/[\w-]+\/source\/[\w-]+)"/.exec(text)?.[1] ?? ''
}

/** Reads the token of a page's form. */
const readFormToken = async (path: string) =>
  /name="form" value="([^"]+)"/.exec((await ask(path, { host })).text)?.[1] ?? ''

/** Submits a form as a browser does, from a given IP address. */
const send = (path: string, fields: Record<string, string>, ip: string) =>
  ask(path, {
    host,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'cf-connecting-ip': ip },
    body: new URLSearchParams(fields).toString(),
  })

/** Waits until a form is accepted: those submitted faster than anyone can read are rejected. */
const read = () => new Promise((resolve) => setTimeout(resolve, 2100))

async function expectSound(page: Page, what: string) {
  expect(await findViolations(page), what).toEqual([])
  expect(await measureOverflow(page), what).toBe(0)
}

test('a reader without scripts and account reports an error, and a maintainer answers it', async () => {
  const path = await sourcePath()
  const words = `Row ${Date.now()} is wrong: <b>see</b> https://example.org/`
  const reader = await openWindow(browser, { width: 320, hasScripts: false })
  await reader.page.goto(buildUrl(path))
  await reader.page.getByRole('link', { name: 'Report an error', exact: true }).click()
  await reader.page.waitForURL(buildUrl(`${path}/report`))
  await reader.page.getByLabel('What is wrong?').fill(words)
  await reader.page.getByLabel('Email address').fill('ann@example.org')
  await read()
  await reader.page.getByRole('button', { name: 'Send the report' }).click()
  await reader.page.getByRole('heading', { level: 1, name: 'Thank you. Your report has arrived' }).waitFor()
  await reader.page.getByRole('link', { name: 'Back to the data' }).click()
  await reader.page.waitForURL(buildUrl(path))
  await reader.context.close()

  const { page, context } = await openWindow(browser)
  await signIn(page, 'content_admin', '/home')
  await page
    .getByRole('link', { name: /report(ed)? .*error/i })
    .first()
    .click()
  await page.waitForURL(workspace('/error-reports?status=open'))
  await page.getByRole('link', { name: words }).click()
  await page.getByRole('heading', { level: 1, name: 'Reported error' }).waitFor()
  // The text is unchanged: neither markup nor links.
  const quote = page.locator('blockquote')
  expect(await quote.innerText()).toBe(words)
  expect(await quote.locator('a, b').count()).toBe(0)
  await expectSound(page, 'a report')
  await page.getByLabel('Status').selectOption('answered')
  await page.getByLabel('Note').fill('Corrected in the source.')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  await page.goto(workspace('/error-reports?status=answered'))
  await page.getByRole('link', { name: words }).waitFor()
  await expectSound(page, 'the list')
  await page.getByRole('button', { name: 'Stop these emails' }).click()
  await page.getByText('You get no emails about new reports.').waitFor()
  await page.getByRole('button', { name: 'Get emails' }).click()
  await page.getByText('You get an email about new reports').waitFor()
  await context.close()
})

test('shows errors at their field, and the waiting time when limited; the input stays', async () => {
  const path = `${await sourcePath()}/report`
  const form = await readFormToken(path)
  await read()
  const wrong = await send(
    path,
    { text: 'My words', email: 'ann@example.org\r\nBcc: x@y.org', form },
    '203.0.113.7',
  )
  expect([wrong.status, wrong.headers['cache-control']]).toEqual([422, 'no-store'])
  expect(wrong.text).toMatch(/aria-describedby="report-email-hint report-email-problem"/)
  const statuses = []
  for (let i = 0; i < 11; i++)
    statuses.push(await send(path, { text: `My words ${i}`, email: '', form }, '203.0.113.8'))
  expect(statuses.map(({ status }) => status)).toEqual([...Array<number>(10).fill(200), 429])
  expect(Number(statuses[10]?.headers['retry-after'])).toBeGreaterThan(60)
  expect(statuses[10]?.text).toContain('My words 10')
  expect(statuses[10]?.text).toMatch(/<h1>Report an error/)
  // Repeating an accepted submission succeeds, even beyond the limit.
  expect((await send(path, { text: 'My words 3', email: '', form }, '203.0.113.8')).status).toBe(200)
})

test('a source that is not public has no form at all', async () => {
  for (const source of ['nowhere', '..', '%00'])
    expect((await ask(`/domains/call/source/${source}/report`, { host })).status).toBe(404)
  const { status } = await send('/domains/call/source/nowhere/report', { text: 'x' }, '203.0.113.9')
  expect(status).toBe(404)
  const path = await sourcePath()
  expect((await ask(`${path}/report`, { host, method: 'DELETE' })).status).toBe(405)
  expect((await ask(path, { host, method: 'POST' })).status).toBe(405)
})

test.each([
  ['light', 1280],
  ['dark', 320],
] as const)('the form has no WCAG violations, in %s at %d pixels', async (scheme, width) => {
  const path = `${await sourcePath()}/report`
  const { page, context } = await openWindow(browser, { width, scheme })
  for (const base of ['', '/ar']) {
    await page.goto(buildUrl(`${base}${path}?record=A%201`))
    await expectSound(page, `${base} the form`)
    await page.locator('form.report-form').evaluate((it) => it.setAttribute('novalidate', ''))
    await page.locator('#report-email').fill('no address')
    await page.locator('form.report-form button').click()
    await page.locator('.report-refused').waitFor()
    expect(await page.locator('#report-email').inputValue()).toBe('no address')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('report-text')
    await expectSound(page, `${base} the form with errors`)
    expect(await page.locator('.report-about').innerText()).toContain('A 1')
    await page.locator('#report-email').fill('')
    await page.locator('#report-text').fill(`Wrong ${Date.now()}`)
    await read()
    await page.locator('form.report-form button').click()
    await page.locator('.report [role=status]').waitFor()
    await expectSound(page, `${base} what is said after it`)
  }
  await context.close()
})
