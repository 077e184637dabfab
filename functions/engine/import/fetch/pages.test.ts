import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { FetchError } from './errors.ts'
import { findNextPageUrl } from './next-url.ts'
import { pages, type ReadingStart } from './pages.ts'
import type { Caps } from './ports.ts'
import { catchError, flaky, internet, readAll, type Internet } from './testing.ts'
import type { ImporterSource } from '#functions/shapes/importer-source.ts'

let net: Internet
beforeEach(() => (net = internet()))
afterEach(() => net.close())

const origin = 'https://data.example.org'
const { signal } = new AbortController()

interface Document {
  rows: unknown[]
  next?: unknown
}

/** Reads all pages of a source like a run, passing on the contents of each. */
async function readRows(
  source: Partial<ImporterSource>,
  options: { caps?: Partial<Caps>; begin?: ReadingStart; secrets?: string[] } = {},
) {
  const whole: ImporterSource = { url: `${origin}/rows`, parser: 'json', ...source }
  const [rows, urls]: [unknown[], string[]] = [[], []]
  const all = pages(net.ports, whole, { signal, ...options })
  for (let step = await all.next(); !step.done;) {
    const document = JSON.parse((await readAll(step.value)).toString()) as Document
    rows.push(...document.rows)
    urls.push(step.value.url)
    const selector = whole.pagination?.nextPageSelector
    const next = selector === undefined ? undefined : findNextPageUrl(document, selector)
    step = await all.next({ rows: document.rows.length, next })
  }
  return { rows, urls }
}

/** A server that answers with what a function makes of the query. */
const api = (answer: (query: URLSearchParams, path: string) => Document, at = origin) =>
  net.serve(at, ({ url = '' }, response) => {
    const { searchParams, pathname } = new URL(url, at)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer(searchParams, pathname)))
  })

const getUrls = (requests: { url?: string }[]) => requests.map(({ url }) => url)

describe('Pagination', () => {
  test('Three rows with a limit of 1 take four requests', async () => {
    const requests = await api((query) => ({
      rows: [1, 2, 3].slice(Number(query.get('offset'))).slice(0, Number(query.get('limit'))),
    }))
    const pagination = { offsetParam: 'offset', limitParam: 'limit', limit: 1 }
    const { rows, urls } = await readRows({ pagination })
    expect(rows).toEqual([1, 2, 3])
    expect(getUrls(requests)).toEqual([0, 1, 2, 3].map((offset) => `/rows?offset=${offset}&limit=1`))
    expect(urls).toEqual(getUrls(requests).map((url) => `${origin}${url}`))
  })

  test('An empty page with a next link does not end the pagination', async () => {
    const requests = await api((query) => {
      const page = Number(query.get('page') ?? 1)
      const rows = page === 3 ? [] : [1, 2, 3].map((row) => page * 10 + row)
      return { rows, next: page < 5 ? `rows?page=${page + 1}` : null }
    })
    const { rows } = await readRows({ pagination: { nextPageSelector: 'next' } })
    expect(rows.length).toBe(12)
    expect(new Set(rows).size).toBe(12)
    expect(requests.length).toBe(5)
  })

  test('By page number, from a given start', async () => {
    const requests = await api((query) => ({ rows: Number(query.get('p')) < 4 ? [query.get('p')] : [] }))
    const pagination = { pageParam: 'p', limitParam: 'size', limit: 50, startPage: 2 }
    expect((await readRows({ pagination })).rows).toEqual(['2', '3'])
    expect(getUrls(requests)).toEqual(['/rows?p=2&size=50', '/rows?p=3&size=50', '/rows?p=4&size=50'])
    // An offset is the page times the limit.
    const offsets = await api(() => ({ rows: [] }))
    await readRows({ pagination: { offsetParam: 'o', limit: 50, startPage: 2 } })
    expect(getUrls(offsets)).toEqual(['/rows?o=100'])
  })

  test('A source without pagination is one page', async () => {
    const requests = await api(() => ({ rows: [1] }))
    expect((await readRows({})).rows).toEqual([1])
    expect(requests.length).toBe(1)
  })

  test('Other start parameters apply only to the first page', async () => {
    const requests = await api((query) => ({ rows: [1], ...(query.has('page') && { next: '?after=1' }) }))
    await readRows({
      query: { a: 1 },
      pagination: { pageParam: 'page', startPage: 1, nextPageSelector: 'next' },
    })
    expect(getUrls(requests)).toEqual(['/rows?a=1&page=1', '/rows?after=1'])
  })

  test('A cycle of pages is an error', async () => {
    const requests = await api((query) => ({
      rows: [1],
      next: `/rows?page=${query.get('page') === '2' ? 1 : 2}`,
    }))
    const reading = readRows({ url: `${origin}/rows?page=1`, pagination: { nextPageSelector: 'next' } })
    expect(await catchError(reading)).toMatchObject({
      code: 'pages',
      message: 'Page 3 is one that came before: its server leads in a circle.',
      url: `${origin}/rows?page=1`,
    })
    expect(requests.length).toBe(2)
  })

  test('Endless pages are an error after ten thousand', async () => {
    const requests = await api(() => ({ rows: [1] }))
    const begin = { number: 9_999, link: null }
    const error = await catchError(readRows({ pagination: { pageParam: 'page' } }, { begin }))
    expect(error).toMatchObject({
      code: 'pages',
      message: expect.stringContaining('more than 10000 pages') as string,
    })
    expect(getUrls(requests)).toEqual(['/rows?page=9998', '/rows?page=9999'])
  })

  test('The size limit applies to all pages together', async () => {
    const requests = await api(() => ({ rows: ['x'.repeat(100)] }))
    const error = await catchError(readRows({ pagination: { pageParam: 'page' } }, { caps: { bytes: 1024 } }))
    expect(error).toMatchObject({
      code: 'tooLarge',
      message: 'The file is larger than 1 kB, the most that is read.',
    })
    expect(requests.length).toBe(10)
  })

  test('An interrupted page is read completely', async () => {
    const file = Buffer.from(JSON.stringify({ rows: [1, 2, 3] }))
    await net.serve(origin, flaky({ file, cuts: [5, 9] }))
    expect((await readRows({})).rows).toEqual([1, 2, 3])
  })

  test('A run resumes at its page', async () => {
    const requests = await api((query) => ({ rows: [query.get('page')], next: null }))
    const begin = { number: 7, link: `${origin}/rows?page=7` }
    expect((await readRows({ pagination: { nextPageSelector: 'next' } }, { begin })).rows).toEqual(['7'])
    expect(requests.length).toBe(1)
  })

  test('A page that is not read is closed', async () => {
    let isClosed = false
    await net.serve(origin, (_, response) => response.on('close', () => (isClosed = true)).write('x'))
    const all = pages(net.ports, { url: `${origin}/`, parser: 'csv' }, { signal })
    await all.next()
    await all.return()
    await expect.poll(() => isClosed).toBe(true)
  })
})

describe('Requests', () => {
  test('Given parameters override those of the same name in the URL; the rest of the URL is unchanged', async () => {
    const requests = await api(() => ({ rows: [] }))
    const url = `${origin}/rows?a=1&$where=x%20%3E%201&b=2&a=3&empty#part`
    await readRows({ url, query: { a: 'new &', flag: true }, headers: { 'X-Mine': 7, empty: '' } })
    expect(getUrls(requests)).toEqual(['/rows?$where=x%20%3E%201&b=2&empty&a=new%20%26&flag=true'])
    expect(requests[0]?.headers['x-mine']).toBe('7')
    expect(requests[0]?.headers).not.toHaveProperty('empty')
  })

  const secret = { query: { key: { secret: 'k3y-of-ours' } }, headers: { authorization: 'Bearer abcdef' } }

  test('Credentials are sent to next pages of the same origin only', async () => {
    const other = 'https://other.example.net'
    const theirs = await api(() => ({ rows: [3], next: null }), other)
    const requests = await api((_, path) => ({
      rows: [1],
      next: path === '/rows' ? '/next?cursor=1' : `${other}/last?key=k3y-of-ours&cursor=2`,
    }))
    const { rows, urls } = await readRows({ ...secret, pagination: { nextPageSelector: 'next' } })
    expect(rows).toEqual([1, 1, 3])
    expect(getUrls(requests)).toEqual(['/rows?key=k3y-of-ours', '/next?cursor=1&key=k3y-of-ours'])
    expect(requests[1]?.headers.authorization).toBe('Bearer abcdef')
    expect(getUrls(theirs)).toEqual(['/last?cursor=2'])
    expect(theirs[0]?.headers).not.toHaveProperty('authorization')
    expect(urls[1]).toBe(`${origin}/next?cursor=1&key=***`)
  })

  test('A next page with http of the same server is requested with https', async () => {
    const requests = await api((query) => ({
      rows: [1],
      next: query.has('page') ? null : 'http://data.example.org/rows?page=2',
    }))
    const { urls } = await readRows({ ...secret, pagination: { nextPageSelector: 'next' } })
    expect(urls[1]).toBe(`${origin}/rows?page=2&key=***`)
    expect(requests.length).toBe(2)
  })

  test('A next page in a private network is not requested', async () => {
    await api(() => ({ rows: [1], next: 'http://169.254.169.254/latest' }))
    const error = await catchError(readRows({ pagination: { nextPageSelector: 'next' } }))
    expect(error).toMatchObject({ code: 'refused', url: 'http://169.254.169.254/latest' })
  })

  test('A missing secret is an error before any request', async () => {
    const reading = readRows({ headers: { authorization: { secret: true } } })
    expect(await catchError(reading)).toMatchObject({
      code: 'refused',
      message: 'A secret of this source is missing: send it again.',
    })
    expect(net.lookedUp).toEqual([])
  })
})

describe('An OAuth grant', () => {
  const issuer = 'https://login.example.net'
  const grant = {
    url: `${issuer}/token`,
    type: 'client_credentials',
    client_id: 'us',
    client_secret: 's3cr3t',
  }
  const source = { oauth: { grant }, pagination: { pageParam: 'page' } }

  /** Issues tokens one after the other; returns the submitted forms. */
  async function tokens(
    answer: (count: number) => string = (count) => JSON.stringify({ access_token: `t0ken-${count}` }),
  ) {
    const forms: string[] = []
    await net.serve(issuer, (request, response) => {
      let form = ''
      request.on('data', (chunk: Buffer) => (form += chunk.toString()))
      request.on('end', () => {
        forms.push(`${request.method} ${request.headers['content-type']} ${form}`)
        response.end(answer(forms.length))
      })
    })
    return forms
  }

  /** Accepts each token `uses` times, then requires another one. */
  const guarded = (uses: number, rows = 3) => {
    let used = 0
    return net.serve(origin, ({ url = '', headers }, response) => {
      const isGood = headers.authorization === `Bearer t0ken-${1 + Math.floor(used / uses)}`
      if (!isGood) return response.writeHead(401).end()
      used++
      const page = Number(new URL(url, origin).searchParams.get('page'))
      return response.end(JSON.stringify({ rows: page < rows ? [page] : [] }))
    })
  }

  test('is requested once, and its token is used for every page', async () => {
    const forms = await tokens()
    await guarded(100)
    expect((await readRows(source)).rows).toEqual([0, 1, 2])
    expect(forms).toEqual([
      'POST application/x-www-form-urlencoded;charset=UTF-8 grant_type=client_credentials&client_id=us&client_secret=s3cr3t',
    ])
  })

  test('is renewed when the token is no longer accepted', async () => {
    const forms = await tokens()
    await guarded(2)
    expect((await readRows(source)).rows).toEqual([0, 1, 2])
    expect(forms.length).toBe(2)
  })

  test('is renewed once after a 401, not repeatedly', async () => {
    const forms = await tokens()
    const requests = await net.serve(origin, (_, response) => response.writeHead(401).end())
    const error = (await catchError(readRows(source))) as FetchError
    expect(error).toMatchObject({ status: 401, message: 'Server responded with "Unauthorized"' })
    expect([forms.length, requests.length]).toEqual([2, 2])
    expect(JSON.stringify(error)).not.toMatch(/t0ken|s3cr3t/)
  })

  test.each(['{}', 'not json', '{"access_token":"a b"}', '{"access_token":7}', '<html>', '[]', 'null'])(
    'without a token is an error: %s',
    async (answer) => {
      await tokens(() => answer)
      expect(await catchError(readRows(source))).toMatchObject({
        code: 'grant',
        message: 'The server granted no token.',
      })
    },
  )

  test('that is rejected is an error, and is not requested for each page', async () => {
    for (const [status, count] of [
      [400, 1],
      [503, 10],
    ] as const) {
      const requests = await net.serve(issuer, (_, response) => response.writeHead(status).end('s3cr3t'))
      const error = (await catchError(readRows(source))) as FetchError
      expect(error).toMatchObject({ code: 'grant', status, url: grant.url, attempt: count })
      expect(error.diagnosis).toMatch(/^The token was not granted/)
      expect(requests.length).toBe(count)
      expect(JSON.stringify(error)).not.toContain('s3cr3t')
    }
  })

  test('is retried as often as its source, as a person waits for the first rows', async () => {
    const requests = await net.serve(issuer, (_, response) => response.writeHead(503).end())
    expect(await catchError(readRows(source, { caps: { attempts: 2 } }))).toMatchObject({
      code: 'grant',
      attempt: 2,
    })
    expect(requests.length).toBe(2)
  })

  test('does not send its token to a redirect target', async () => {
    await tokens()
    const other = await api(() => ({ rows: [] }), 'https://other.example.net')
    await net.serve(origin, (_, response) => {
      response.writeHead(302, { location: 'https://other.example.net/?access_token=t0ken-1' }).end()
    })
    await readRows(source)
    expect(getUrls(other)).toEqual(['/'])
    expect(other[0]?.headers).not.toHaveProperty('authorization')
  })

  test('in a private network is not requested', async () => {
    net.names.set('login.example.net', ['10.0.0.1'])
    expect(await catchError(readRows(source))).toMatchObject({ code: 'grant', url: grant.url })
  })
})

describe('nextUrl', () => {
  const document = {
    'next.page': 'a',
    '@odata.nextLink': 'b',
    links: { next: { href: 'c' }, none: null, no: false, empty: '' },
    list: [{ x: 1 }, { url: 'd' }],
    number: 5,
  }

  test.each<[string | string[], string | null]>([
    ['next.page', 'a'],
    ['@odata.nextLink', 'b'],
    ['links.next.href', 'c'],
    ['$.links.next.href', 'c'],
    ["$.links['next'].href", 'c'],
    ["$['@odata.nextLink']", 'b'],
    ['$.list[*].url', 'd'],
    ['list.1.url', 'd'],
    ['list.*.url', 'd'],
    ['links.none', null],
    ['links.no', null],
    ['links.empty', null],
    ['missing.at.all', null],
    ['number.x', null],
    ['constructor', null],
    [['links.none', 'links.next.href'], 'c'],
  ])('%j', (selector, expected) => {
    expect(findNextPageUrl(document, selector)).toBe(expected)
    expect(findNextPageUrl(new TextEncoder().encode(JSON.stringify(document)), selector)).toBe(expected)
  })

  test('An invalid URL or invalid JSON is an error', async () => {
    for (const selector of ['number', 'links', 'list'])
      expect(await catchError((async () => findNextPageUrl(document, selector))())).toMatchObject({
        code: 'pages',
      })
    expect(await catchError((async () => findNextPageUrl(new Uint8Array([123]), 'a'))())).toMatchObject({
      code: 'pages',
    })
  })
})
