import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import { kernelContext } from './context.testing.ts'
import { endpoint } from './endpoint.ts'
import { serve } from './serve.ts'
import { anonymous, type Actor, type Context } from '#functions/context.ts'
import { Failure, kinds, type FailureKind } from '#functions/errors.ts'
import { Download } from '#functions/shapes/download.ts'

const open = { allow: 'api.read' } as const
const get = { method: 'get' } as const

/** A small tree of a noun that the kernel has never heard of. */
const tree = {
  core: { auth: { state: endpoint({ ...open, run: async () => ({ path: 'auth' }) }) } },
  boundary: {
    find: endpoint({
      ...open,
      cache: 'public, max-age=60',
      options: v.strictObject({ limit: v.optional(v.string()), filters: v.optional(v.unknown()) }),
      run: async (_ctx, { options }) => ({ results: [options], meta: { results: 1, total: 1 } }),
    }),
    findById: endpoint({
      ...open,
      run: async (_ctx, { params }) => (params.boundaryId === 'none' ? undefined : params),
    }),
    create: endpoint({
      ...open,
      data: v.strictObject({ name: v.string() }),
      run: async (_ctx, { data }) => data,
    }),
    deleteById: endpoint({ ...open, run: async () => null }),
    fail: endpoint({
      ...open,
      http: get,
      options: v.strictObject({ kind: v.string() }),
      run: async (_ctx, { options }) => {
        throw new Failure(options.kind as FailureKind, { cause: new Error('secret cause') })
      },
    }),
    crash: endpoint({ ...open, http: get, run: async () => Promise.reject(new Error('secret crash')) }),
    slow: endpoint({
      ...open,
      http: get,
      run: async () => Promise.reject(Object.assign(new Error('canceling statement'), { code: '57014' })),
    }),
    export: endpoint({
      ...open,
      http: { method: 'get', one: true },
      stream: true,
      run: async () => new Download('text/csv; charset=utf-8', 'a,b\r\n', 'trées.csv'),
    }),
    based: endpoint({
      ...open,
      http: get,
      options: v.strictObject({ limit: v.optional(v.string()) }),
      run: async (ctx, { options }) => {
        await ctx.basis({ 'source:a': dataVersion })
        runCount += 1
        // The headers are those of all questions here.
        ctx.responseHeaders.delete('link')
        if (options.limit === '3') ctx.responseHeaders.set('link', '</about>; rel="describedby"')
        return { results: [options], meta: { results: 1, total: 2, next: 'abc' } }
      },
    }),
    upload: endpoint({
      ...open,
      multipart: true,
      data: v.union([
        v.strictObject({ file: v.instance(File), note: v.string() }),
        v.strictObject({ name: v.string() }),
      ]),
      run: async (_ctx, { data }) => ('file' in data ? { name: data.file.name, size: data.file.size } : data),
    }),
    replaced: endpoint({
      ...open,
      run: async (ctx) => {
        ctx.responded.status = 202
        return { ok: true }
      },
    }),
    tagged: endpoint({
      ...open,
      http: get,
      run: async (ctx) => {
        ctx.responseHeaders.set('etag', '"v1"')
        return { ok: true }
      },
    }),
  },
}

let dataVersion = 1
let runCount = 0
const v1 = serve(tree)
let ctx: Context
let reported: unknown[]

beforeEach(() => {
  reported = []
  ctx = kernelContext({ report: (error) => void reported.push(error) })
})

const ask = (path: string, init: RequestInit = {}) => v1(new Request(`http://hub.test${path}`, init), ctx)
const json = { 'content-type': 'application/json' }
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  ask(path, { method: 'POST', body: JSON.stringify(body), headers: { ...json, ...headers } })
const body = async (response: Promise<Response>) =>
  (await response).json() as Promise<Record<string, unknown>>

describe('routes', () => {
  test('names give paths, and names of their own win over ids', async () => {
    expect(await body(ask('/v1/boundaries/us-ny'))).toEqual({ boundaryId: 'us-ny' })
    expect((await ask('/v1/boundaries/tagged')).headers.get('etag')).toBe('"v1"')
    expect(await body(post('/v1/core/auth/state', {}))).toEqual({ path: 'auth' })
  })

  test('the map tells path, method and instance of each', async () => {
    const response = await ask('/v1')
    expect(await response.json()).toMatchObject({
      core: { auth: { state: { path: '/v1/core/auth/state', method: 'post', instance: false } } },
      boundary: {
        find: { path: '/v1/boundaries', method: 'get', instance: false },
        export: { path: '/v1/boundaries/:boundaryId/export', method: 'get', instance: true },
      },
    })
  })

  test('statuses: 201 created, 204 nothing, empty with response=false', async () => {
    expect((await post('/v1/boundaries', { name: 'x' })).status).toBe(201)
    expect((await ask('/v1/boundaries/x', { method: 'DELETE' })).status).toBe(204)
    const response = await post('/v1/boundaries?response=false', { name: 'x' })
    expect([response.status, await response.text()]).toEqual([201, ''])
    const read = await ask('/v1/boundaries?response=false')
    expect([read.status, await read.text()]).toEqual([204, ''])
  })

  test('a HEAD is a GET without a body', async () => {
    const response = await ask('/v1/boundaries/us-ny', { method: 'HEAD' })
    expect([response.status, await response.text()]).toEqual([200, ''])
  })
})

describe('options', () => {
  test('the key never reaches an endpoint', async () => {
    expect(await body(ask('/v1/boundaries?key=secret&limit=5'))).toMatchObject({ results: [{ limit: '5' }] })
  })

  test('a large GET comes as a POST; its body lies over the query', async () => {
    const response = await post(
      '/v1/boundaries?limit=1&filters[a]=b',
      { limit: '2', key: 'secret' },
      { 'x-http-method-override': 'GET' },
    )
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ results: [{ limit: '2', filters: { a: 'b' } }] })
  })

  test('no other method is tunnelled', async () => {
    const response = await post('/v1/boundaries', { name: 'x' }, { 'x-http-method-override': 'DELETE' })
    expect(response.status).toBe(201)
  })

  test.each([
    ['an unknown option', '/v1/boundaries?limt=5', 400, ['limt']],
    ['too deep a filter', `/v1/boundaries?filters${'[a]'.repeat(40)}=1`, 400, ['filters', 'a', 'a']],
    ['a deep one', `/v1/boundaries?filters${'[a]'.repeat(5000)}=1`, 400, ['filters', 'a', 'a']],
  ])('%s', async (_what, path, status, issue) => {
    // One that took time by its depth would not end before the test's own limit.
    const response = await ask(path)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ fields: [{ path: issue }] })
  })

  test('an address that is too long', async () => {
    expect((await ask(`/v1/boundaries?limit=${'1'.repeat(17_000)}`)).status).toBe(413)
  })

  test('a rewritten GET that is too large or too wide', async () => {
    const headers = { 'x-http-method-override': 'get' }
    expect((await post('/v1/boundaries', { filters: 'x'.repeat(1_000_001) }, headers)).status).toBe(413)
    expect((await post('/v1/boundaries', { filters: Array(20_000).fill(1) }, headers)).status).toBe(400)
    expect((await post('/v1/boundaries', [], headers)).status).toBe(400)
  })
})

describe('errors', () => {
  test.each(Object.entries(kinds))('%s answers %i in the one shape', async (kind, status) => {
    const response = await ask(`/v1/boundaries/fail?kind=${kind}`)
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('application/json')
    const text = await response.text()
    expect(text).not.toContain('secret')
    expect(JSON.parse(text)).toEqual({
      error: { status, kind, message: expect.any(String) as string, fields: [] },
      fields: [],
      requestId: 'r-1',
    })
  })

  test('what no one expected is reported and not told', async () => {
    const response = await ask('/v1/boundaries/crash')
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('secret')
    expect(reported).toHaveLength(1)
  })

  test('a statement that the database gave up is too slow, not broken', async () => {
    const response = await ask('/v1/boundaries/slow')
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
    expect(reported).toEqual([])
  })

  test.each([
    ['404 for no route', '/v1/nothing', {}, 404, 'notFound'],
    ['404 for no row', '/v1/boundaries/none', {}, 404, 'notFound'],
    ['405', '/v1/boundaries/us-ny', { method: 'PUT' }, 405, 'methodNotAllowed'],
    ['406', '/v1/boundaries', { headers: { accept: 'text/csv' } }, 406, 'notAcceptable'],
    ['415', '/v1/boundaries', { method: 'POST', body: 'name=x' }, 415, 'unsupportedMediaType'],
    ['400 for no JSON', '/v1/boundaries', { method: 'POST', body: '{', headers: json }, 400, 'invalid'],
    ['400 for no body', '/v1/boundaries', { method: 'POST' }, 400, 'invalid'],
  ])('%s', async (_what, path, init, status, kind) => {
    const response = await ask(path, init)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ error: { status, kind }, requestId: 'r-1' })
  })

  test('405 names what is allowed', async () => {
    expect((await ask('/v1/boundaries', { method: 'PATCH' })).headers.get('allow')).toBe('GET, POST')
  })

  test('issues come in both places, with the path the sender used', async () => {
    const issue = { path: ['name'], message: 'Required.', validator: 'required' }
    const extra = { path: ['nme'], message: 'Unknown field.' }
    expect(await body(post('/v1/boundaries', { nme: 'x' }))).toMatchObject({
      error: { kind: 'invalid', message: 'Validation Error', fields: [issue, extra] },
      fields: [issue, extra],
    })
  })
})

describe('browsers', () => {
  const person = { ...anonymous, kind: 'user', user: { id: 'u' }, session: { id: 's' } } as Actor

  test('public answers are for any site, without credentials', async () => {
    const response = await ask('/v1/boundaries', { headers: { origin: 'http://evil.test' } })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-allow-credentials')).toBeNull()
    expect(response.headers.get('cache-control')).toBe('public, max-age=60')
  })

  test('the answer to a session is for no other site and no cache', async () => {
    ctx.actor = person
    const response = await ask('/v1/boundaries', { headers: { origin: 'http://hub.test.evil.test' } })
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    expect(response.headers.get('cache-control')).toBe('private, no-cache')
  })

  test('a preflight never gives credentials', async () => {
    const response = await ask('/v1/boundaries', { method: 'OPTIONS', headers: { origin: 'null' } })
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-credentials')).toBeNull()
    expect(response.headers.get('access-control-allow-headers')).toContain('x-http-method-override')
  })

  test.each<[string, Record<string, string>, number]>([
    ['its own page', { cookie: 'a=b', origin: 'http://hub.test', 'sec-fetch-site': 'same-origin' }, 201],
    ['another site', { cookie: 'a=b', origin: 'http://evil.test', 'sec-fetch-site': 'cross-site' }, 403],
    [
      'a hub of the same site',
      { cookie: 'a=b', origin: 'http://x.hub.test', 'sec-fetch-site': 'same-site' },
      403,
    ],
    ['no origin', { cookie: 'a=b' }, 403],
    ['a null origin', { cookie: 'a=b', origin: 'null' }, 403],
    ['a suffix of ours', { cookie: 'a=b', origin: 'http://hub.test.evil.test' }, 403],
    ['another site, without a cookie', { origin: 'http://evil.test' }, 403],
    ['no browser', {}, 201],
  ])('a change sent from %s', async (_what, headers, status) => {
    ctx.actor = person
    expect((await post('/v1/boundaries', { name: 'x' }, headers)).status).toBe(status)
  })

  test('a key without a cookie may come from any site', async () => {
    ctx.actor = { ...person, session: null }
    const headers = { origin: 'http://other.test', 'sec-fetch-site': 'cross-site' }
    expect((await post('/v1/boundaries', { name: 'x' }, headers)).status).toBe(201)
    expect((await post('/v1/boundaries', { name: 'x' }, { ...headers, cookie: 'a=b' })).status).toBe(403)
  })
})

test('a download is sent as it is, under its name', async () => {
  const response = await ask('/v1/boundaries/x/export', { headers: { accept: 'text/csv' } })
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(response.headers.get('content-disposition')).toBe(
    `attachment; filename="tr_es.csv"; filename*=UTF-8''tr%C3%A9es.csv`,
  )
  expect(await response.text()).toBe('a,b\r\n')
})

test('who has it already gets 304', async () => {
  expect((await ask('/v1/boundaries/tagged', { headers: { 'if-none-match': 'W/"v1"' } })).status).toBe(304)
  expect((await ask('/v1/boundaries/tagged', { headers: { 'if-none-match': '"v2"' } })).status).toBe(200)
})

describe('what the asker has already', () => {
  const based = (query = '', tag?: string, actor: Actor = anonymous) => {
    ctx = {
      ...ctx,
      actor,
      responseHeaders: new Headers(),
      request: { ...ctx.request, headers: new Headers(tag ? { 'if-none-match': tag } : {}) },
    }
    return ask(`/v1/boundaries/based${query}`, tag ? { headers: { 'if-none-match': tag } } : {})
  }
  const person = { ...anonymous, kind: 'user', user: { id: 'ada', role: null } } as unknown as Actor

  test('is not made again, until the data or the question change', async () => {
    const first = await based('?limit=1')
    const tag = first.headers.get('etag') as string
    const before = runCount
    const again = await based('?limit=1', tag)
    expect([again.status, await again.text(), again.headers.get('etag'), runCount]).toEqual([
      304,
      '',
      tag,
      before,
    ])
    expect((await based('?limit=2', tag)).status).toBe(200)
    expect((await based('?limit=1', tag, person)).status).toBe(200)
    dataVersion += 1
    const response = await based('?limit=1', tag)
    expect([response.status, response.headers.get('etag') === tag]).toEqual([200, false])
  })

  test('is told by its content where no versions are known', async () => {
    const tag = (await ask('/v1/boundaries/us-ny')).headers.get('etag') as string
    const again = await ask('/v1/boundaries/us-ny', { headers: { 'if-none-match': `"other", ${tag}` } })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  test('the next page is linked, without the key', async () => {
    const response = await based('?limit=1&key=')
    expect(response.headers.get('link')).toBe(
      '<http://hub.test/v1/boundaries/based?limit=1&next=abc>; rel="next"',
    )
    // Beside what the endpoint itself links to.
    expect((await based('?limit=3')).headers.get('link')).toBe(
      '</about>; rel="describedby", <http://hub.test/v1/boundaries/based?limit=3&next=abc>; rel="next"',
    )
    const rewritten = await post('/v1/boundaries/based', { limit: '1' }, { 'x-http-method-override': 'GET' })
    expect([rewritten.status, rewritten.headers.get('link')]).toEqual([200, null])
  })
})

describe('bodies', () => {
  test('a file comes as a form, and only where files are taken', async () => {
    const form = new FormData()
    form.set('file', new File(['a,b'], 'table.csv'))
    form.set('note', 'x')
    const encoded = new Request('http://hub.test/', { method: 'POST', body: form })
    const bytes = await encoded.arrayBuffer()
    const headers = {
      'content-type': encoded.headers.get('content-type') ?? '',
      'content-length': `${bytes.byteLength}`,
    }
    const response = await ask('/v1/boundaries/upload', { method: 'POST', body: bytes, headers })
    expect(await response.json()).toEqual({ name: 'table.csv', size: 3 })
    expect((await ask('/v1/boundaries', { method: 'POST', body: bytes, headers })).status).toBe(415)
    const large = { ...headers, 'content-length': '27000000' }
    expect((await ask('/v1/boundaries/upload', { method: 'POST', body: bytes, headers: large })).status).toBe(
      413,
    )
    const brokenHeaders = { ...headers, 'content-type': 'multipart/form-data; boundary=none' }
    expect(
      (await ask('/v1/boundaries/upload', { method: 'POST', body: bytes, headers: brokenHeaders })).status,
    ).toBe(400)
    expect(await body(post('/v1/boundaries/upload', { name: 'n' }))).toEqual({ name: 'n' })
  })

  test('an endpoint may say another status', async () => {
    expect((await post('/v1/boundaries/replaced', {})).status).toBe(202)
  })
})
