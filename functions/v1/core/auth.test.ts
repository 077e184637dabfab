import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase, type TestDatabase } from '#db/testing.ts'
import { serve } from '#functions/api/serve.ts'
import { emailsTo, settings, tokenIn, visitor } from '#functions/domain/identity/testing.ts'
import { core } from './index.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.close())

const answerTo = serve({ core })
const origin = `${settings.scheme}://${settings.appHost}`

/** The response to a browser's POST from one of our pages. */
async function post(browser: ReturnType<typeof visitor>, path: string, body?: unknown, from = origin) {
  const response = await browser.ask((ctx) => {
    const headers = new Headers(ctx.request.headers)
    headers.set('origin', from)
    headers.set('sec-fetch-site', from === origin ? 'same-origin' : 'cross-site')
    if (body !== undefined) headers.set('content-type', 'application/json')
    const init = body === undefined ? {} : { body: JSON.stringify(body) }
    return answerTo(new Request(`${origin}/v1/core/auth/${path}`, { method: 'POST', headers, ...init }), ctx)
  })
  const text = await response.text()
  return {
    status: response.status,
    body: (text ? JSON.parse(text) : null) as Record<string, unknown>,
    response,
  }
}

const ada = { email: 'Ada@Example.org', password: 'correct horse battery' }

test('from sign-up to sign-out over HTTP', async () => {
  const browser = visitor(database)
  expect(await post(browser, 'signup', { name: 'Ada', ...ada })).toMatchObject({
    status: 200,
    body: { ok: true },
  })
  expect((await post(browser, 'login', ada)).status).toBe(403)
  const token = tokenIn((await emailsTo(database, 'ada@example.org'))[0])
  expect((await post(browser, 'confirm', { token })).status).toBe(200)
  const { status, body, response } = await post(browser, 'state', {})
  expect([status, response.headers.get('cache-control')]).toEqual([200, 'private, no-cache'])
  expect(body).toMatchObject({ session: { user: { email: 'ada@example.org', verified: true } }, hub: null })
  expect((await post(browser, 'logout')).body).toEqual({ ok: true })
  expect((await post(browser, 'login', ada)).body).toMatchObject({ user: { name: 'Ada' } })
})

test('signed out, the state is 401 with session, hub and config beside the error, also without a body', async () => {
  for (const body of [undefined, {}, { hostname: 'nowhere.hubs.test' }]) {
    const answer = await post(visitor(database), 'state', body)
    expect(answer.status).toBe(401)
    expect(answer.body).toMatchObject({
      error: { status: 401, kind: 'unauthenticated' },
      session: null,
      hub: body?.hostname ? { place: null, invalid: true } : null,
      config: { clientKey: 'cpw_app' },
    })
  }
})

test.each([
  ['signup', { name: 'A', email: 'a@example.org', password: 'too short' }, [['password']]],
  ['signup', { name: 'A', email: 'not an address', password: 'long enough for it' }, [['email']]],
  ['signup', { name: '<b>A</b>', email: 'a@example.org', password: 'long enough for it' }, [['name']]],
  ['signup', { name: 'A', ...ada, role: 'super_admin' }, [['role']]],
  ['signup', { name: 'A', ...ada, emailVerified: true }, [['emailVerified']]],
  ['login', {}, [['email'], ['password']]],
  ['reset', { token: 'x', password: 'short' }, [['password']]],
  ['confirm', { token: 'made up' }, [['token']]],
])('%s of %j is 400 at the field', async (path, body, paths) => {
  const answer = await post(visitor(database), path, body)
  expect(answer.status).toBe(400)
  expect((answer.body.fields as { path: string[] }[]).map((issue) => issue.path)).toEqual(paths)
})

test('another site cannot sign anyone in or out', async () => {
  const browser = visitor(database)
  for (const path of ['login', 'logout', 'signup', 'confirm'])
    expect((await post(browser, path, { ...ada }, 'https://evil.example')).status).toBe(403)
  expect(browser.session()).toBeNull()
})
