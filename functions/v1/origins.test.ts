import { afterAll, beforeEach, expect, test } from 'vitest'
import { v1 } from './index.ts'
import { serveV1 } from './serve.ts'
import { isFullRun, writeMeasurements } from './testing/figures.testing.ts'
import { kernelContext } from '#functions/api/context.testing.ts'
import { routes, type Route } from '#functions/api/routes.ts'
import { anonymous, type Actor, type Context } from '#functions/context.ts'

const own = 'http://hub.test'
const person = { ...anonymous, kind: 'user', user: { id: 'u' }, session: { id: 's' } } as Actor
const all = routes(v1)
const unsafe = all.filter(({ method }) => method !== 'get')

/** Calls to services: a rejected request must make none. */
let touched: string[]
const createTrap = (name: string) =>
  new Proxy(
    {},
    {
      get(_, key) {
        touched.push(`${name}.${String(key)}`)
        throw new Error('Nothing is to be asked here.')
      },
    },
  )
const createContext = (actor: Actor) =>
  kernelContext({
    actor,
    report: () => {},
    db: createTrap('db') as Context['db'],
    files: createTrap('files') as Context['files'],
  })

beforeEach(() => {
  touched = []
})

const buildUrl = ({ path }: Route) => `${own}/v1${path.replaceAll(/:\w+/g, 'a1b2')}`
const ask = (route: Route, actor: Actor, headers: Record<string, string>, body?: string) =>
  serveV1(
    new Request(buildUrl(route), { method: route.method.toUpperCase(), headers, body: body ?? null }),
    createContext(actor),
  )

const cookie = { cookie: '__Host-session=it-is-hers' }
const json = { 'content-type': 'application/json' }
const evil = 'https://evil.test'
/** Requests that other sites can make a browser send, and one without an origin. */
const forged: [what: string, headers: Record<string, string>, body?: string][] = [
  ['a page of another site', { ...json, origin: evil, 'sec-fetch-site': 'cross-site' }, '{}'],
  ['JSON as plain text', { 'content-type': 'text/plain', origin: evil }, '{"name":"x"}'],
  ['a form', { 'content-type': 'application/x-www-form-urlencoded', origin: evil }, 'name=x'],
  ['a frame without an origin', { ...json, origin: 'null', 'sec-fetch-site': 'cross-site' }, '{}'],
  ['no type and no body', { origin: evil, 'sec-fetch-mode': 'no-cors' }],
  ['a host of the same site', { ...json, origin: 'http://a.hub.test', 'sec-fetch-site': 'same-site' }, '{}'],
  ['our name with another behind it', { ...json, origin: `${own}.evil.test` }, '{}'],
  ['no word of a browser', { ...json }, '{}'],
]

test('there are routes that change something', () => expect(unsafe.length).toBeGreaterThan(100))

test.each(forged)('no changing route of /v1 accepts %s with a cookie', async (_, headers, body) => {
  for (const route of unsafe) {
    const requestBody = route.method === 'delete' ? undefined : body
    const response = await ask(route, person, { ...cookie, ...headers }, requestBody)
    expect([route.name, response.status, touched]).toEqual([route.name, 403, []])
  }
})

test('a method override header opens no route to another site', async () => {
  for (const { method, ...route } of unsafe) {
    const headers = { ...cookie, ...json, origin: evil, 'x-http-method-override': method.toUpperCase() }
    const response = await ask({ ...route, method: 'post' }, person, headers, '{}')
    expect(response.status, route.name).toBeGreaterThanOrEqual(400)
    expect(touched, route.name).toEqual([])
  }
})

const origins = [
  ...[
    evil,
    'null',
    '',
    '*',
    'http://evil.test',
    `${own}.evil.test`,
    'http://evilhub.test',
    'http://a.hub.test',
  ],
  ...['https://hub.test', `${own}:8080`, 'http://hub.test@evil.test', 'http://HUB.TEST', 'http://hub.test.'],
  ...['http://hub.test%00.evil.test', 'http://hub.test%60.evil.test', 'http://hub_test', 'file://'],
  ...['chrome-extension://abcdef', 'http://localhost', 'http://127.0.0.1', own],
]
const credentials = 'access-control-allow-credentials'
const allowed = 'access-control-allow-origin'

/**
 * `npm test` sends our own origin, a foreign one and each sixth of the others to every endpoint; all combinations: `npm run test:full
 * -- origins`.
 */
const asking = (route: number) =>
  origins.filter((origin, i) => isFullRun || origin === own || origin === evil || (i + route) % 6 === 0)
let answered = 0
afterAll(() =>
  writeMeasurements('origins', { answers: answered, origins: origins.length, endpoints: all.length }),
)

test.each([
  ['someone signed in', person, null],
  ['a stranger', anonymous, '*'],
])(
  'an answer to %s is the same for every origin, and never allows credentials',
  async (_, actor, allowedOrigin) => {
    for (const [n, route] of all.entries()) {
      const answers = new Set<string>()
      for (const origin of asking(n)) {
        answered += 1
        const requestBody = route.method === 'get' || route.method === 'delete' ? undefined : '{}'
        const signedIn = actor.session ? cookie : {}
        const { headers } = await ask(route, actor, { ...signedIn, ...json, origin }, requestBody)
        expect([route.name, headers.get(credentials)]).toEqual([route.name, null])
        answers.add(String(headers.get(allowed)))
      }
      // The response depends on the actor and never on the origin, so caches need not vary by it.
      expect([route.name, ...answers]).toEqual([route.name, String(allowedOrigin)])
    }
  },
)

test('a preflight of 16 KB is answered like any other, in less than 50 ms, on every route', async () => {
  const preflightHeaders = { origin: evil, 'access-control-request-headers': 'x-forged,'.repeat(1821) }
  const times: number[] = []
  for (const route of all) {
    const request = new Request(buildUrl(route), { method: 'OPTIONS', headers: preflightHeaders })
    const startMs = performance.now()
    const response = await serveV1(request, createContext(person))
    times.push(performance.now() - startMs)
    expect([response.status, response.headers.get(credentials), response.headers.get(allowed)]).toEqual([
      204,
      null,
      '*',
    ])
    expect(JSON.stringify([...response.headers])).not.toContain('x-forged')
  }
  // The median, as a single one may have to wait on a busy machine.
  expect(times.sort((a, b) => a - b)[times.length >> 1]).toBeLessThan(50)
  expect(touched).toEqual([])
})
