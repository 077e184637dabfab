import { describe, expect, test } from 'vitest'
import { maxReportLength, type SentReport } from '#functions/shapes/error-report.ts'
import { makeForm } from './report-form.ts'
import { reportAt, reportContent, type ReportState } from './report-page.ts'
import { reportPage } from './serve-report.ts'
import { newReport, receiveReport, type ReportOutcome } from './receive-report.ts'

const secrets = { authSecret: 'a secret of this test, long enough' }
const source = { placeId: 'oakton', sourceId: 'open' }
const path = '/domains/call/source/open/report'
const now = Date.parse('2026-11-25T12:00:00Z')
const minute = 60_000

const createForm = (age = minute, of = source) => makeForm(secrets, of, now - age)

interface FormCase {
  fields?: Record<string, string>
  headers?: Record<string, string>
  body?: string
  outcome?: ReportOutcome
}

/** Submits the form, and returns the stored report and the page. */
async function send({ fields, headers, body, outcome = { kind: 'taken' } }: FormCase) {
  const reports: SentReport[] = []
  const request = new Request(`https://oakton.test${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: body ?? new URLSearchParams(fields).toString(),
  })
  const recordReport = async (report: SentReport) => {
    reports.push(report)
    return outcome
  }
  const state = await receiveReport(request, { ...source, locale: 'en' }, secrets, {
    storeReport: recordReport,
    now,
  })
  return { reports, ...renderPage(state) }
}

const about = {
  ...{ name: 'Calls <b>', sourcePath: '/domains/call/source/open', privacyPath: '/privacy' },
  locale: 'en',
} as const

function getReportAddress() {
  const address = reportAt(path)
  if (!address) throw new Error('It is the address of a form.')
  return address
}

const renderPage = (state: ReportState) =>
  reportContent(getReportAddress(), { ...about, figure: null }, state)

/** The signed token in a page's form. */
const formIn = (html: string) => /name="form" value="([^"]+)"/.exec(html)?.[1] ?? ''

test('the page has a form that can be submitted after a moment, about the thing in its URL', async () => {
  const url = new URL(`https://oakton.test${path}?record=A%201&figure=${encodeURIComponent('<script>')}&x=1`)
  const page = renderPage(await newReport(url, source, secrets, now - minute))
  expect(page.status).toBe(200)
  expect(page.headers).toMatchObject({ 'cache-control': 'no-store' })
  expect(page.html).toContain('Your report is about record A 1.')
  expect(page.html).not.toContain('<script')
  const fields = {
    text: 'Row 3 is from 2019.',
    record: 'A 1',
    email: '',
    website: '',
    form: formIn(page.html),
  }
  const { reports, status, html } = await send({ fields })
  expect(status).toBe(200)
  expect(html).toContain('told of it within an hour')
  expect(reports).toMatchObject([
    { ...source, text: 'Row 3 is from 2019.', datumId: 'A 1', insightId: null, email: null, isSpam: false },
  ])
})

describe('about a figure', () => {
  const figurePage = (name: string, title: string) =>
    `<p>${title}</p><figure class="figure" data-figure="${name}"><figcaption class="figure-head"><h2 id="a" lang="en">${title}</h2></figcaption></figure>`
  const sourcePage = figurePage('by-kind', 'Calls by kind &amp; &lt;b&gt;')
  const readStory = async (figure: string) => (figure === 'told' ? figurePage('told', 'Told in a story') : '')
  const open = (query: string, options: RequestInit = {}) =>
    reportPage(
      new Request(`https://oakton.test${path}${query}`, options),
      getReportAddress(),
      { secrets, storeReport: async () => ({ kind: 'taken' }) },
      { ...about, placeId: 'oakton', sourcePage, readStory },
    )

  test('the form shows the figure’s title from the page of the source or of a story', async () => {
    const { html } = await open('?figure=by-kind')
    expect(html).toContain(
      '<p class="report-about">Your report is about the figure “Calls by kind &amp; &lt;b&gt;”.</p>',
    )
    expect(html).toContain('<input type="hidden" name="figure" value="by-kind">')
    expect((await open('?figure=told')).html).toContain('about the figure “Told in a story”.')
    // An invalid form stays about the figure.
    const body = new URLSearchParams({ text: '', figure: 'told' })
    expect((await open('', { method: 'POST', body })).html).toContain('about the figure “Told in a story”.')
  })

  test.each(['?figure=nowhere', '?figure=by', '?figure=by-kind%22', '', '?record=1&figure=by-kind'])(
    'with %s no figure is named',
    async (query) => {
      expect((await open(query)).html).not.toContain('about the figure')
    },
  )
})

test('typed text is cleaned, and shown again as text after any error', async () => {
  const form = await createForm()
  const text = '  Line\r\nnext\u0000\u0007\u202e \ud800 <script>alert(1)</script>\n\n\n\nend  '
  const response = await send({ fields: { text, email: ' Ann@Example.org ', form } })
  expect(response.reports[0]?.text).toBe('Line\nnext \ufffd <script>alert(1)</script>\n\nend')
  expect(response.reports[0]?.email).toBe('Ann@Example.org')
  for (const [fields, problem] of [
    [{ text: '', email: '' }, 'Please say what is wrong.'],
    [{ text: ' \n\u0000', email: '' }, 'Please say what is wrong.'],
    [{ text: 'x'.repeat(maxReportLength + 1), email: '' }, 'This has 4,001 characters; at most 4,000'],
    [{ text: '</textarea><script>', email: 'a@b.org\r\nBcc: c@d.org' }, 'This is not an email address.'],
    [{ text: 'Wrong', email: '"><img src=x>' }, 'This is not an email address.'],
  ] as const) {
    const { reports, status, html } = await send({ fields: { ...fields, form } })
    expect([status, reports]).toEqual([422, []])
    expect(html).toContain(problem)
    expect(html).toContain('aria-invalid="true" autofocus')
    expect(html).not.toMatch(/<script|<img|<\/textarea><script/)
    if (fields.text.trim().length > 1)
      expect(html).toContain(fields.text.slice(0, 10).replaceAll('<', '&lt;').replaceAll('>', '&gt;'))
    expect(formIn(html)).toBe(form)
  }
})

test.each([
  ['of another source', async () => createForm(minute, { ...source, sourceId: 'other' }), 'is not this form'],
  ['of another place', async () => createForm(minute, { ...source, placeId: 'other' }), 'is not this form'],
  ['by nobody', async () => 'x', 'is not this form'],
  ['none', async () => '', 'is not this form'],
  ['that was made too long ago', async () => createForm(25 * 60 * minute), 'open for more than a day'],
  ['that nobody can have read', async () => createForm(500), 'faster than anyone can read'],
])('a form %s is rejected, and the text is kept in a new one', async (_what, make, problem) => {
  const { reports, status, html } = await send({ fields: { text: 'My words', form: await make() } })
  expect([status, reports]).toEqual([422, []])
  expect(html).toContain(problem)
  expect(html).toContain('>\nMy words</textarea>')
  const later = { fields: { text: 'My words', form: formIn(html) } }
  const again = new Request(`https://oakton.test${path}`, {
    method: 'POST',
    body: new URLSearchParams(later.fields),
  })
  const acceptReport = async (): Promise<ReportOutcome> => ({ kind: 'taken' })
  const state = await receiveReport(again, { ...source, locale: 'en' }, secrets, {
    storeReport: acceptReport,
    now: now + minute,
  })
  expect(state.kind).toBe('done')
})

test('the same form with the same text is the same report, with other text another', async () => {
  const form = await createForm()
  const readFormHash = async (text: string, of = form) =>
    (await send({ fields: { text, form: of } })).reports[0]?.formHash
  expect(await readFormHash('One')).toBe(await readFormHash('One'))
  expect(await readFormHash('Two')).not.toBe(await readFormHash('One'))
  expect(await readFormHash('One', await createForm())).not.toBe(await readFormHash('One'))
})

test('an invalid form is rejected with an explanation', async () => {
  const form = await createForm()
  const fields = { text: 'My words', form }
  const foreign = { headers: { origin: 'https://evil.test' }, fields }
  for (const [sending, status, problem] of [
    [foreign, 403, 'a page of another site'],
    [{ fields, headers: { origin: 'null' } }, 403, 'a page of another site'],
    [{ fields, headers: { 'sec-fetch-site': 'cross-site' } }, 403, 'a page of another site'],
    [{ body: '{}', headers: { 'content-type': 'application/json' } }, 415, 'is not this form'],
    [
      { body: 'text=a', headers: { 'content-type': 'multipart/form-data; boundary=x' } },
      415,
      'is not this form',
    ],
    [{ body: `text=${'x'.repeat(200_000)}` }, 413, 'too large to be read'],
    [{ body: '%%%=&&&' }, 422, 'is not this form'],
  ] as [FormCase, number, string][]) {
    const answer = await send(sending)
    expect([answer.status, answer.reports.length]).toEqual([status, 0])
    expect(answer.html).toContain(problem)
  }
  expect((await send(foreign)).html).toContain('My words')
  const own = await send({
    fields,
    headers: { origin: 'https://oakton.test', 'sec-fetch-site': 'same-origin' },
  })
  expect(own.reports).toHaveLength(1)
})

test('a honeypot field marks submissions by bots', async () => {
  const fields = { text: 'Buy pills', website: 'https://pills.test', form: await createForm() }
  expect((await send({ fields })).reports[0]?.isSpam).toBe(true)
})

test('rate limits, an unavailable database and a removed source have messages, and the text is kept', async () => {
  const fields = { text: 'My words', email: 'ann@example.org', form: await createForm() }
  const many = await send({ fields, outcome: { kind: 'tooMany', seconds: 1790 } })
  expect([many.status, many.headers?.['retry-after']]).toEqual([429, '1790'])
  expect(many.html).toContain('try again in 30 minutes')
  const away = await send({ fields, outcome: { kind: 'unavailable' } })
  expect([away.status, away.headers?.['retry-after']]).toEqual([503, '60'])
  for (const { html } of [many, away]) {
    expect(html).toContain('My words')
    expect(html).toContain('value="ann@example.org"')
  }
  const goneResponse = await send({ fields, outcome: { kind: 'gone' } })
  expect(goneResponse.status).toBe(410)
  expect(goneResponse.html).not.toContain('<form')
})
