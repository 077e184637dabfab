import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api, ApiError } from './index.ts'
import { queryText } from './query.ts'
import { apiMap } from '#functions/api/map.ts'
import { parseQuery } from '#functions/engine/http/querystring.ts'
import { routes } from '#functions/api/routes.ts'
import { v1 } from '#functions/v1/index.ts'
import { serveV1 } from '#functions/v1/serve.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))

test('the table is the tree’s (UPDATE_META=1 npx vitest run app/client/api writes it)', () => {
  const map = `${JSON.stringify(apiMap(routes(v1), '/v1'), null, 2)}\n`
  if (process.env.UPDATE_META === '1') writeFileSync(here('meta.json'), map)
  expect(readFileSync(here('meta.json'), 'utf8')).toBe(map)
})

test('weighs at most 3 kB without its table', async () => {
  const entryPoints = [here('client.ts')]
  const { outputFiles } = await build({
    entryPoints,
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
  })
  expect(brotliCompressSync(outputFiles[0]?.contents ?? '').byteLength).toBeLessThan(3000)
})

test.each([
  [{ filters: [{ 'data.severity': { $gte: 0.5 } }], within: { xmin: -1 } }],
  [{ filters: [{ data: { type: null } }], search: '', exclusions: ['id', 'a & b'] }],
  [{ orderings: [{ direction: 'desc', value: { field: 'data.at' } }] }],
])('options %j reach the server unchanged, as text', (options) => {
  const asText = JSON.parse(JSON.stringify(options), (_key, value: unknown) =>
    typeof value === 'number' ? String(value) : value,
  ) as unknown
  expect(parseQuery(queryText(options))).toEqual(asText)
})

test('empty options are omitted', () => {
  expect(queryText({ a: undefined, b: [], c: {}, d: new Date('2026-01-01') })).toBe(
    'd=2026-01-01T00%3A00%3A00.000Z',
  )
})

describe('against the API', () => {
  let world: TestWorld
  beforeAll(async () => {
    world = await openWorld(city)
  })
  afterAll(() => world.close())

  /** A client that acts as a person, and the requests it sent. */
  function createPersonClient(person: Person) {
    const requests: { method: string; override: string | null; url: string }[] = []
    const client = api({
      origin: 'http://localhost:8787',
      fetch: (url, init) => {
        const request = new Request(String(url), init as RequestInit)
        const { method, headers } = request
        requests.push({ method, override: headers.get('x-http-method-override'), url: request.url })
        return serveV1(request, world.as(person))
      },
    })
    return { client, requests }
  }

  test('reads, creates, updates and deletes', async () => {
    const { client } = createPersonClient('organization_admin')
    const placeId = 'oakton'
    const { results } = await client.place.source.find({
      placeId,
      options: { filters: { visibility: 'public' }, limit: 1 },
    })
    expect(results.map(({ id }) => id)).toEqual(['open'])
    const collection = await client.place.collection.create({ placeId, data: { name: 'Mine' } })
    const params = { placeId, collectionId: collection?.id ?? '' }
    const data = { name: 'Ours', version: 1 }
    expect(await client.place.collection.updateById({ ...params, data })).toMatchObject({
      name: 'Ours',
      version: 2,
    })
    expect(await client.place.collection.deleteById(params)).toEqual({ id: params.collectionId })
  })

  test('sends a long query as POST, with the same result', async () => {
    const { client, requests: rejection } = createPersonClient('anonymous')
    const ids = Array.from({ length: 400 }, (_, i) => `source-${i}`)
    const { results } = await client.source.find({ options: { filters: { id: ['open', ...ids] } } })
    expect(results.map(({ id }) => id)).toEqual(['open'])
    expect(rejection).toEqual([{ method: 'POST', override: 'GET', url: 'http://localhost:8787/v1/sources' }])
  })

  test('throws errors with status, fields and the request id', async () => {
    const { client } = createPersonClient('anonymous')
    const requests = client.source.find({ options: { limit: 'many' } }).catch((error: unknown) => error)
    expect(await requests).toBeInstanceOf(ApiError)
    expect(await requests).toMatchObject({
      status: 400,
      kind: 'invalid',
      fields: [{ path: ['limit'] }],
      requestId: 'request-of-a-test',
    })
    await expect(client.place.user.find({ placeId: 'oakton' })).rejects.toMatchObject({ status: 401 })
  })

  test('makes no request without an id that the path needs', async () => {
    const { client, requests } = createPersonClient('anonymous')
    await expect(client.source.findById({ sourceId: '' })).rejects.toThrow('needs sourceId')
    expect(requests).toEqual([])
  })
})

describe('transient failures', () => {
  const answer = (status: number, headers: Record<string, string> = {}) =>
    Response.json(status === 200 ? { results: [] } : { error: { message: 'Later.' } }, { status, headers })

  /** A client that receives these responses in order, with the delays between its attempts. */
  function createStubbedClient(answers: (Response | null)[]) {
    const waited: number[] = []
    const keys: (string | null)[] = []
    const client = api({
      origin: 'http://x',
      wait: async (milliseconds) => void waited.push(milliseconds),
      fetch: async (_url, init) => {
        keys.push(new Headers(init?.headers).get('idempotency-key'))
        const next = answers.shift()
        if (!next) throw new TypeError('No network.')
        return next
      },
    })
    return { client, waited, keys }
  }

  test('are retried three times, after the delay that the server asks for', async () => {
    const { client, waited } = createStubbedClient([
      answer(503, { 'retry-after': '7' }),
      null,
      answer(502),
      answer(200),
    ])
    expect(await client.source.find()).toEqual({ results: [] })
    expect(waited).toEqual([7000, 500, 1000])
    const lost = createStubbedClient([answer(503), answer(503), answer(503), answer(503), answer(200)])
    await expect(lost.client.source.find()).rejects.toMatchObject({ status: 503, message: 'Later.' })
  })

  test('are not retried if repeating could do harm', async () => {
    const { client, waited } = createStubbedClient([
      answer(500),
      answer(429, { 'retry-after': '1' }),
      answer(200),
    ])
    await expect(client.source.wipe({ sourceId: 'a' })).rejects.toMatchObject({ status: 500 })
    await client.source.wipe({ sourceId: 'a' })
    expect(waited).toEqual([1000])
  })

  test('create one thing, however often the request is repeated', async () => {
    const { client, keys } = createStubbedClient([answer(503), answer(200)])
    await client.source.create({ data: { name: 'A', dataTypeId: 'call' } })
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(keys[1]).toBe(keys[0])
  })
})
