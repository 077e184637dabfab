import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { endpoint } from './endpoint.ts'
import { routes } from './routes.ts'
import { serve } from './serve.ts'
import {
  anonymous,
  system,
  type Actor,
  type Context,
  type Limiter,
  type LimitName,
} from '#functions/context.ts'
import { createLimiter, parseRates } from '#functions/platform/limits.ts'
import type { Env } from '#functions/settings.ts'
import { v1 } from '#functions/v1/index.ts'

const read = endpoint({ allow: 'api.read', http: { method: 'get' }, run: async () => ({ ok: true }) })
const answerTo = serve({ boundary: { cheap: read, dear: { ...read, heavy: true } } })

/** Counts in memory: each may ask as often a minute as the numbers say, and no minute ever ends. */
function counting(rates: Record<LimitName, number>): Limiter {
  const counts = new Map<string, number>()
  return {
    rates,
    async consumeToken(name, who) {
      const count = (counts.get(`${name} ${who}`) ?? 0) + 1
      counts.set(`${name} ${who}`, count)
      return count <= rates[name]
    },
  }
}

const person = (id: string) => ({ ...anonymous, kind: 'user', user: { id, role: null } }) as unknown as Actor

function ask(
  limits: Limiter | null,
  verb: string,
  actor = anonymous,
  ip = '203.0.113.1',
  forwarded?: string,
) {
  const headers = new Headers(forwarded ? { 'x-forwarded-for': forwarded } : {})
  const ctx = {
    actor,
    limits,
    site: { mode: 'main', host: 'hub.test', origin: 'http://hub.test' },
    request: { id: 'r', headers, ip },
    responseHeaders: new Headers(),
    responded: { status: null },
    about: { placeId: null, dataTypeId: null, isExport: false },
    placeId: null,
    settings: { environment: 'test' } as Context['settings'],
  } as Partial<Context> as Context
  return answerTo(new Request(`http://hub.test/v1/boundaries/${verb}`, { headers }), ctx)
}

const times = async (count: number, run: (i: number) => Promise<Response>) =>
  (await Promise.all(Array.from({ length: count }, (_, i) => run(i)))).map((response) => response.status)

test('beyond the limit: 429 with when to come back and which limit it was', async () => {
  const limits = counting({ anonymous: 60, key: 600, heavy: 30 })
  expect(await times(60, () => ask(limits, 'cheap'))).toEqual(Array(60).fill(200))
  const response = await ask(limits, 'cheap')
  expect(response.status).toBe(429)
  expect(response.headers.get('retry-after')).toBe('60')
  expect(response.headers.get('ratelimit')).toBe('"anonymous";r=0;t=60')
  expect(await response.json()).toMatchObject({
    error: { kind: 'tooMany', message: 'No more than 60 such requests a minute.' },
  })
  expect((await ask(limits, 'cheap', anonymous, '203.0.113.2')).status).toBe(200)
})

test('who has a key has more, and questions that cost much have a limit of their own', async () => {
  const limits = counting({ anonymous: 2, key: 5, heavy: 3 })
  expect(await times(6, () => ask(limits, 'cheap', person('ada')))).toEqual([
    ...Array<number>(5).fill(200),
    429,
  ])
  expect(await times(4, () => ask(limits, 'dear', person('bob')))).toEqual([200, 200, 200, 429])
  const answer = await ask(limits, 'dear', person('cleo'))
  expect(answer.headers.get('ratelimit-policy')).toBe('"key";q=5;w=60, "heavy";q=3;w=60')
})

test('an address that the sender only claims does not help', async () => {
  const limits = counting({ anonymous: 10, key: 1, heavy: 1 })
  const statuses = await times(50, (i) => ask(limits, 'cheap', anonymous, '203.0.113.9', `198.51.100.${i}`))
  expect(statuses.filter((status) => status === 200)).toHaveLength(10)
})

test('the product itself is not counted, and without numbers no one is', async () => {
  expect(await times(5, () => ask(counting({ anonymous: 1, key: 1, heavy: 1 }), 'dear', system))).toEqual(
    Array(5).fill(200),
  )
  const answer = await ask(null, 'dear')
  expect([answer.status, answer.headers.get('ratelimit-policy')]).toEqual([200, null])
})

test('the numbers are said once, and the limiters that count have the same', () => {
  const toml = readFileSync(new URL('../../wrangler.toml', import.meta.url), 'utf8')
  const rates = parseRates(/^RATE_LIMITS = "(.*)"$/m.exec(toml)?.[1] ?? '')
  const bound = [...toml.matchAll(/name = "RATE_(\w+)"[^[]*?simple = \{ limit = (\d+), period = 60 \}/g)]
  expect(
    Object.fromEntries(bound.map(([, name = '', limit]) => [name.toLowerCase(), Number(limit)])),
  ).toEqual(rates)
  expect(rates).toEqual({ anonymous: 60, key: 600, heavy: 30 })
})

test('numbers without a limiter, or numbers that are none, stop the Worker with a reason', async () => {
  expect(createLimiter({ RATE_LIMITS: '' } as Env)).toBeNull()
  expect(() => parseRates('anonymous=60,key=many')).toThrow(/"key"/)
  const limits = createLimiter({ RATE_LIMITS: 'anonymous=1,key=1,heavy=1' } as Env)
  await expect(limits?.consumeToken('key', 'x')).rejects.toThrow(/no limiter/)
})

test('what costs much has a limit of its own, wherever it stands', () => {
  const dear = routes(v1).filter(({ endpoint }) => endpoint.heavy)
  const verbs = new Set(dear.map(({ verb }) => verb.replace(/\..*/, '')))
  expect([...verbs].sort()).toEqual([
    'analytics',
    // Of boundary sets, which are read and repaired.
    'create',
    'csv',
    'export',
    'geojson',
    'import',
    'importArchive',
    'png',
    'replace',
    'schema',
    'switchOn',
    'test',
    'texts',
    'tryArchive',
    'trySwitchOn',
  ])
  const asks = routes(v1).filter(({ verb }) => /^(analytics|export)/.test(verb))
  expect(asks.filter(({ endpoint }) => !endpoint.heavy).map(({ name }) => name)).toEqual([])
})
