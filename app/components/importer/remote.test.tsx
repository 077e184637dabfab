import { renderToStaticMarkup } from 'react-dom/server'
import { safeParse } from 'valibot'
import { describe, expect, it } from 'vitest'
import type { FormErrors } from '../form/issues.ts'
import { RemoteFields } from './remote-fields.tsx'
import { mapIssuesToInputs, parseFormSources } from './remote-form.ts'
import { readTypedSources } from './remote-sources.ts'
import { toFormSources } from '#app/routes/importers/remote-shown.ts'
import {
  emptyRow,
  emptySource,
  chooseUnusedIds,
  sourceInputsIn,
  withoutTyped,
  type ShownSource,
} from './remote-source.ts'
import { ImporterSourcesShape } from '#functions/shapes/importer-source.ts'
import type { Issue } from '#functions/shapes/issue.ts'

const csv = { url: 'https://data.example.com/a.csv', parser: 'csv' }

/** The form data that a browser would submit; `without` scripts also those in <noscript>. */
function renderFormData(sources: ShownSource[], without = false): FormData {
  const html = renderToStaticMarkup(<RemoteFields sources={sources} errors={undefined} />)
  const visibleHtml = without ? html : html.replaceAll(/<noscript>.*?<\/noscript>/gs, '')
  const form = new FormData()
  const value = (attributes: string, name: string) =>
    decoded(new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1])
  const inputs = /<input\b([^>]*)>|<(textarea|select)\b([^>]*)>(.*?)<\/\2>/gs
  for (const [, input, tag, others = '', inner = ''] of visibleHtml.matchAll(inputs)) {
    const name = value(input ?? others, 'name')
    const selectedOption = /<option([^>]* selected[^>]*)>/.exec(inner)?.[1] ?? ''
    if (tag === 'select') form.append(name, value(selectedOption, 'value'))
    else if (tag) form.append(name, decoded(inner).replace(/\r?\n/g, '\r\n'))
    else if (!input?.includes('type="checkbox"') || input.includes(' checked'))
      form.append(name, value(input ?? '', 'value'))
  }
  return form
}

const decoded = (text = '') =>
  text.replace(
    /&(amp|quot|lt|gt|#x27);/g,
    (_, name: string) => ({ amp: '&', quot: '"', lt: '<', gt: '>', '#x27': "'" })[name] ?? '',
  )

/** Stored sources after submitting their unchanged form. */
const resubmitSources = (sources: object[], without = false) =>
  readTypedSources(parseFormSources(renderFormData(toFormSources(sources), without)))

const whole = {
  url: 'https://data.example.com/a.json?x=1&y={date}',
  parser: 'json',
  parserOptions: { selector: ['data.*', 'more.*'], autoFormat: 'simple', zip: true },
  headers: { accept: 'text/csv', authorization: { secret: true }, 'x-plain': { secret: true } },
  query: { q: 'a "quoted" <b> & more', lines: 'one\ntwo', empty: '', api_key: { secret: true } },
  oauth: {
    grant: {
      url: 'https://login.example.com/token',
      type: 'client_credentials',
      client_id: 'me',
      client_secret: { secret: true },
      scope: 'read write',
      audience: 'all',
      password: { secret: true },
    },
  },
  pagination: { offsetParam: 'skip', limitParam: 'take', limit: 100, startPage: 0 },
}

describe('Sources in a form', () => {
  it.each([
    ['an address', csv],
    ['everything there is', whole],
    ['pages by number', { ...csv, pagination: { pageParam: 'page', startPage: 1 } }],
    ['pages by an address', { ...csv, pagination: { nextPageSelector: ['next', 'links.next'], limit: 5 } }],
    ['an uploaded file', { url: 'file:0a', parser: 'excel', parserOptions: { selector: 'Sheet 1' } }],
    [
      'a table without its notes and totals',
      {
        ...csv,
        parserOptions: { headerRows: [4, 5], leaveOut: ['notes', 'totals'], takeIn: ['Total Wine'] },
      },
    ],
    ['a format with flags', { ...csv, parser: 'xml', parserOptions: { strict: true } }],
    ['names that every object has', { ...csv, query: { constructor: 'a', toString: 'b' } }],
  ])('%s is the same again, with scripts and without', (_, source) => {
    expect(toFormSources([source])[0]?.json).toBeNull()
    for (const without of [false, true])
      expect(resubmitSources([source, csv], without)).toMatchObject({ sources: [source, csv], issues: [] })
  })

  it('shows an uploaded file by its name, and keeps its address', () => {
    const sources = toFormSources([{ url: 'file:0a', parser: 'csv' }])
    const html = (files: { id: string; name: string }[]) =>
      renderToStaticMarkup(<RemoteFields sources={sources} files={files} errors={undefined} />)
    expect(html([{ id: '0a', name: 'budget 2026.csv' }])).toContain('>budget 2026.csv<')
    expect(html([])).toContain('>An uploaded file<')
    expect(html([])).toMatch(/<input type="hidden" name="[^"]+" value="file:0a"/)
    // Only without scripts there is another, empty source.
    expect(html([]).split('<noscript>')[0]).not.toContain('Web address')
  })

  it('shows numbers and booleans as text, as in query strings', () => {
    const { sources } = resubmitSources([{ ...csv, query: { year: 2026, all: true } }])
    expect(sources).toEqual([{ ...csv, query: { year: '2026', all: 'true' } }])
  })

  it.each([
    ['pages by two ways', { ...csv, pagination: { pageParam: 'p', nextPageSelector: 'next' } }],
    ['a first page of addresses', { ...csv, pagination: { nextPageSelector: 'next', startPage: 2 } }],
    ['spaces around a name', { ...csv, query: { ' a ': 'b' } }],
    [
      'a name of a grant that is no text',
      { ...csv, oauth: { grant: { url: 'https://a.example/', type: 'x', scope: '' } } },
    ],
  ])('%s stands as JSON, unchanged', (_, source) => {
    expect(toFormSources([source])[0]?.json).toBe(JSON.stringify(source, null, 2))
    expect(resubmitSources([source])).toMatchObject({ sources: [source], issues: [] })
  })

  it('keeps a secret until another is typed, and never has one in the page', () => {
    const form = renderFormData(toFormSources([whole]))
    expect(form.get('sources.0.headers.1.value')).toBe('')
    form.set('sources.0.headers.1.value', 'Bearer new')
    form.set('sources.0.oauth.grant.client_secret', 'new too')
    const [source] = readTypedSources(parseFormSources(form)).sources
    expect(source).toEqual({
      ...whole,
      headers: { ...whole.headers, authorization: { secret: 'Bearer new' } },
      oauth: { grant: { ...whole.oauth.grant, client_secret: { secret: 'new too' } } },
    })
    const back = parseFormSources(form).map(withoutTyped)
    expect(JSON.stringify(back)).not.toMatch(/Bearer new|new too/)
    expect(JSON.stringify(back)).toContain('a \\"quoted\\"')
    const html = renderToStaticMarkup(<RemoteFields sources={back} errors={undefined} />)
    expect(html.match(/Type the new one again/g)).toHaveLength(2)
  })

  it('returns no secret of JSON', () => {
    const json = '{"headers": {"x-a": {"secret": "word-1"}, "authorization" : "word-2", "accept": "text/csv"}'
    const [back] = [{ ...emptySource('0'), json }].map(withoutTyped)
    expect(back?.json).toBe('{"headers": {"x-a": {"secret": ""}, "authorization" : "", "accept": "text/csv"}')
  })

  it('omits empty rows and sources, and inputs of other choices', () => {
    const source: ShownSource = {
      ...emptySource('4'),
      ...{ url: ' https://data.example.com/a.csv ', selector: 'data.*', strict: true },
      headers: [
        emptyRow('0'),
        { ...emptyRow('1', ' Accept '), value: 'text/csv' },
        { ...emptyRow('2'), isKept: true },
      ],
      clientSecret: { ...emptyRow(''), value: 'not asked for' },
      pages: { ...emptySource('').pages, pageParam: 'page', limit: 'many' },
    }
    const result = readTypedSources([emptySource('1'), source, emptySource('2')])
    expect(result).toMatchObject({ sources: [{ ...csv, headers: { Accept: 'text/csv' } }], issues: [] })
    expect(Object.keys(result.sources[0] as object)).toEqual(['url', 'parser', 'headers'])
    expect(readTypedSources([emptySource('1'), emptySource('2')]).sources).toEqual([
      { url: '', parser: 'csv' },
    ])
  })

  it('selects all members where a format requires a selector', () => {
    expect(
      readTypedSources([{ ...emptySource('0'), url: 'u', parser: 'json', selector: ' \n' }]).sources,
    ).toEqual([{ url: 'u', parser: 'json', parserOptions: { selector: '*' } }])
  })

  it('has no nested <noscript>, which would end early', () => {
    const html = renderToStaticMarkup(<RemoteFields sources={toFormSources([whole])} errors={undefined} />)
    const visibleHtml = html.replaceAll(/<noscript>.*?<\/noscript>/gs, '')
    expect(html).toContain('name="sources.1.pagination.limit"')
    expect(visibleHtml).not.toMatch(/noscript|name="sources\.1\./)
    expect(visibleHtml.match(/name="sources\.0\.headers\.\d+\.name"/g)).toHaveLength(3)
  })

  it('gives added rows ids of their own', () => {
    expect(chooseUnusedIds([], 2)).toEqual(['0', '1'])
    expect(chooseUnusedIds([{ id: '7' }, { id: '2' }], 2)).toEqual(['8', '9'])
  })
})

/** The issues of a form by input name: its own, then the server's. */
function wrong(sources: ShownSource[]): Record<string, string> {
  const form = renderFormData(sources)
  const result = readTypedSources(parseFormSources(form))
  const read = safeParse(ImporterSourcesShape, result.sources)
  const issues: Issue[] = (read.issues ?? []).map(({ path, message }) => ({
    path: ['sources', ...(path ?? []).map(({ key }) => key as string | number)],
    message,
  }))
  const all = result.issues.length ? result.issues : mapIssuesToInputs(form, result, issues)
  return Object.fromEntries(all.map(({ path, message }) => [path.join('.'), message]))
}

const rows = (...pairs: [string, string][]) =>
  pairs.map(([name, value], i) => ({ ...emptyRow(String(i * 2 + 3), name), value }))
/** A source that is not the first, and whose id is not its index. */
const third = (source: Partial<ShownSource>): ShownSource[] => [
  ...[emptySource('0'), { ...emptySource('2'), url: csv.url }],
  { ...emptySource('5'), url: csv.url, ...source },
]

describe('issues at inputs', () => {
  it.each<[string, Partial<ShownSource>, Record<string, string>]>([
    ['no name', { headers: rows(['', 'x']) }, { 'headers.3.name': 'Give it a name.' }],
    ['no value', { headers: rows(['accept', '']) }, { 'headers.3.value': 'Give it a value, or remove it.' }],
    [
      'a secret without a value',
      { query: [{ ...emptyRow('1', 'a'), isSecret: true }] },
      { 'query.1.value': 'Type the value that is to be kept secret.' },
    ],
    [
      'a header twice',
      { headers: rows(['Accept', 'a'], ['b', 'b'], ['accept', 'c']) },
      { 'headers.7.name': 'This header is given twice.' },
    ],
    [
      'a parameter twice',
      { query: rows(['a', '1'], ['A', '2'], ['a', '3']) },
      { 'query.7.name': 'This parameter is given twice. One that repeats is written into the address.' },
    ],
    [
      'a member that has an input of its own',
      { hasGrant: true, members: rows(['client_id', 'x']) },
      { 'oauth.grant.3.name': 'It is given twice, or has an input of its own above.' },
    ],
    [
      'a header of ours',
      { headers: rows(['ok', '1'], ['Host', 'x']) },
      { 'headers.5.name': 'This header cannot be set.' },
    ],
    ['a bad name', { headers: rows(['a b', 'x']) }, { 'headers.3.name': 'Not a valid name of a header.' }],
    [
      'a line in a header',
      { headers: rows(['X-A', 'x\r\nHost: y']) },
      { 'headers.3.value': 'Not a valid header.' },
    ],
    [
      'a long name',
      { query: rows(['a'.repeat(201), 'x']) },
      { 'query.3.name': 'Must not be longer than 200 characters.' },
    ],
    [
      'a long value',
      { query: rows(['a', 'x'.repeat(8193)]) },
      { 'query.3.value': 'Must not be longer than 8192 characters.' },
    ],
    [
      'sizes that are no numbers',
      { pageKind: 'page', pages: { ...emptySource('').pages, limit: 'ten', startPage: '1.5' } },
      {
        'pagination.pageParam': 'Must not be empty.',
        'pagination.limit': 'Must be a whole number from 1 to 50000.',
        'pagination.startPage': 'Must be a whole number from 0 to 1000000.',
      },
    ],
    [
      'a size too large',
      { pageKind: 'page', pages: { ...emptySource('').pages, pageParam: 'p', limit: '50001' } },
      { 'pagination.limit': 'Must be a whole number from 1 to 50000.' },
    ],
    [
      'rows to skip of pages without a size',
      { pageKind: 'offset', pages: { ...emptySource('').pages, offsetParam: 'o' } },
      { 'pagination.limit': 'Needed: rows to skip are counted by it.' },
    ],
    ['a next page nowhere', { pageKind: 'next' }, { 'pagination.nextPageSelector': 'Must not be empty.' }],
    [
      'one of several ways to the next page',
      { pageKind: 'next', pages: { ...emptySource('').pages, nextPageSelector: `a\n${'b'.repeat(501)}` } },
      { 'pagination.nextPageSelector': 'Must not be longer than 500 characters.' },
    ],
    [
      'a grant of nowhere and no kind',
      { hasGrant: true, grant: { ...emptySource('').grant, type: ' ' } },
      { 'oauth.grant.url': 'Invalid source url', 'oauth.grant.type': 'Must not be empty.' },
    ],
    ['no address', { url: '', headers: rows(['a', 'b']) }, { url: 'Invalid source url' }],
    [
      'too many headers',
      { headers: rows(...Array.from({ length: 51 }, (_, i): [string, string] => [`h${i}`, 'x'])) },
      { headers: 'Must not have more than 50 headers.' },
    ],
  ])('%s', (_, source, expected) => {
    const expectedIssues = Object.fromEntries(
      Object.entries(expected).map(([name, text]) => [`sources.5.${name}`, text]),
    )
    expect(wrong(third(source))).toEqual(expectedIssues)
  })

  it('JSON has the position of its error', () => {
    const json = JSON.stringify({ ...csv, pagination: { pageParam: 'p', limit: 0 } })
    expect(wrong([{ ...emptySource('0'), json }])).toEqual({
      'sources.0.json': 'pagination.limit: Must be a whole number from 1 to 50000.',
    })
    expect(wrong([{ ...emptySource('0'), json: '{' }])).toEqual({ 'sources.0.json': 'Must be an object.' })
  })

  it('a stored secret that is not reused for another URL is requested at its row', () => {
    const form = renderFormData(toFormSources([whole]))
    const message = 'No value is stored for this address: send it.'
    const issues = [
      ['headers', 'x-plain'],
      ['oauth', 'grant', 'client_secret'],
      ['oauth', 'grant', 'password'],
    ].map((path) => ({ path: ['sources', 0, ...path], message }))
    expect(
      mapIssuesToInputs(form, readTypedSources(parseFormSources(form)), issues).map(({ path }) =>
        path.join('.'),
      ),
    ).toEqual([
      'sources.0.headers.2.value',
      'sources.0.oauth.grant.client_secret',
      'sources.0.oauth.grant.1.value',
    ])
  })

  it('an issue without an input becomes a message, and others stay', () => {
    const issues = [
      { path: ['sources'], message: 'Too many.' },
      { path: ['sources', 0, 'nonsense'], message: 'Unknown field.' },
      { path: ['name'], message: 'Must not be empty.' },
    ]
    const form = renderFormData(toFormSources([csv]))
    expect(mapIssuesToInputs(form, readTypedSources(parseFormSources(form)), issues)).toEqual([
      { path: [], message: 'Too many.' },
      { path: [], message: 'Nonsense: Unknown field.' },
      { path: ['name'], message: 'Must not be empty.' },
    ])
  })

  it('is shown under the input, which is opened', () => {
    const errors: FormErrors = {
      ...{ ok: false, message: 'Validation Error' },
      issues: [{ path: ['sources.0.pagination.limit'], message: 'Must be a whole number.' }],
    }
    expect(sourceInputsIn(errors)).toEqual(['sources.0.pagination.limit'])
    const html = renderToStaticMarkup(<RemoteFields sources={toFormSources([csv])} errors={errors} />)
    expect(html).toMatch(/<details class="disclosure" open/)
    expect(html).toMatch(/name="sources.0.pagination.limit" aria-invalid="true"/)
    expect(html.indexOf('Must be a whole number.')).toBeGreaterThan(
      html.indexOf('name="sources.0.pagination.limit"'),
    )
  })
})
