import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { call } from '#functions/api/call.ts'
import { v1 } from '#functions/v1/index.ts'
import { expectFailure } from '../testing.ts'
import { signInAt } from './provider.testing.ts'
import { hostile, real, registration, ssoWorld, type Browser } from './world.testing.ts'

const all = await ssoWorld()
const { db, world, evil, createBrowser, signInByPassword, save, prove } = all
const { begin, finish, completeSignIn, readActorEmail, sessions, readLastError, evilQuery } = all
afterAll(() => all.close())

describe('hostile answers', () => {
  beforeAll(async () => {
    const admin = await signInByPassword('admin@city.example')
    await save(admin, { issuer: hostile })
    await prove(admin, 'city.example')
    await db.deleteFrom('session').where('ssoPlaceId', 'is not', null).execute()
  })
  afterEach(() => evil.self.reset())
  const answer =
    (changes: object, by?: Parameters<typeof evil.token>[1]) =>
    async (nonce: string): Promise<object> =>
      evil.toTokenResponse(await evil.token(evil.claims(nonce, changes), by))
  const now = () => Math.floor(Date.now() / 1000)

  /**
   * Each attack violates a part of the protocol. The query of the redirect is correct unless stated
   * otherwise.
   */
  const attacks: [name: string, play: (browser: Browser) => Promise<string>][] = [
    ['without a state', (browser) => honestBut(browser, { state: null })],
    ['with another state', (browser) => honestBut(browser, { state: 'another' })],
    ['with a state twice', async (browser) => `${await honestBut(browser, {})}&state=another`],
    ['naming another issuer beside the code', (browser) => honestBut(browser, { iss: real })],
    [
      'naming no issuer beside the code, though it says it does',
      (browser) => honestBut(browser, { iss: null }),
    ],
    ['with an error', (browser) => honestBut(browser, { error: 'access_denied', code: null })],
    ['with a token in the query', (browser) => honestBut(browser, { id_token: 'x.y.z', code: null })],
    ['with the nonce of another try', async (browser) => says(browser, answer({ nonce: 'another' }))],
    ['without a nonce', async (browser) => says(browser, answer({ nonce: undefined }))],
    ['for another client', async (browser) => says(browser, answer({ aud: 'another' }))],
    [
      'for two clients, issued to the other',
      async (browser) => says(browser, answer({ aud: ['commonplace', 'another'], azp: 'another' })),
    ],
    ['of another issuer', async (browser) => says(browser, answer({ iss: real }))],
    ['that has ended', async (browser) => says(browser, answer({ exp: now() - 120 }))],
    ['that begins later', async (browser) => says(browser, answer({ nbf: now() + 600 }))],
    ['without an end', async (browser) => says(browser, answer({ exp: undefined }))],
    ['that nobody signed', async (browser) => says(browser, answer({}, 'none'))],
    [
      'signed with the client’s secret',
      async (browser) => says(browser, answer({}, { secret: registration.secret })),
    ],
    ['signed with a key that is not published', async (browser) => says(browser, answer({}, 'other'))],
    [
      'changed after it was signed',
      async (browser) =>
        says(browser, async (nonce) => {
          const [head, , signature] = (await evil.token(evil.claims(nonce))).split('.')
          const body = Buffer.from(JSON.stringify(evil.claims(nonce, { sub: 'changed' }))).toString(
            'base64url',
          )
          return evil.toTokenResponse(`${head}.${body}.${signature}`)
        }),
    ],
    [
      'without an identity token',
      async (browser) => says(browser, async () => ({ access_token: 'at', token_type: 'Bearer' })),
    ],
    ['about nobody', async (browser) => says(browser, answer({ sub: '' }))],
    [
      'about somebody with a name of 300 characters',
      async (browser) => says(browser, answer({ sub: 'x'.repeat(300) })),
    ],
    [
      'with an address of a domain that is not proved',
      async (browser) => says(browser, answer({ email: 'mayor@elsewhere.example' })),
    ],
    [
      'with an address of a part of the domain',
      async (browser) => says(browser, answer({ email: 'mayor@sub.city.example' })),
    ],
    [
      'with an address that ends like one of the domain',
      async (browser) => says(browser, answer({ email: 'mayor@elsewhere.example@city.example' })),
    ],
    [
      'with an address that it says itself is not verified',
      async (browser) => says(browser, answer({ email_verified: false })),
    ],
    ['without an address', async (browser) => says(browser, answer({ email: undefined }))],
    [
      'with the address of a super admin',
      async (browser) => says(browser, answer({ sub: 'r', email: 'root@city.example' })),
    ],
    [
      'with UserInfo of somebody else',
      async (browser) => {
        evil.self.metadata = { ...evil.self.metadata, userinfo_endpoint: `${hostile}/userinfo` }
        evil.self.userinfo = { sub: 'another', email: 'someone@city.example' }
        return says(browser, answer({ email: undefined }))
      },
    ],
    [
      'too old, where a fresh proof was asked for',
      async (browser) => {
        evil.self.tokens = answer({ auth_time: now() - 3600 })
        return evilQuery(browser, {}, true)
      },
    ],
    [
      'without the time, where a fresh proof was asked for',
      async (browser) => {
        evil.self.tokens = answer({})
        return evilQuery(browser, {}, true)
      },
    ],
    [
      'after which it names another issuer',
      async (browser) => {
        const query = await says(browser, answer({}))
        evil.self.metadata = { ...evil.self.metadata, issuer: 'https://idp.third.example' }
        return query
      },
    ],
    [
      'after which its tokens come by http',
      async (browser) => {
        const query = await says(browser, answer({}))
        evil.self.metadata = { ...evil.self.metadata, token_endpoint: 'http://idp.other.example/token' }
        return query
      },
    ],
    [
      'after which its tokens come from a private network',
      async (browser) => {
        const query = await says(browser, answer({}))
        evil.self.metadata = { ...evil.self.metadata, token_endpoint: 'https://169.254.169.254/token' }
        return query
      },
    ],
    [
      'after which its keys come from a private network',
      async (browser) => {
        const query = await says(browser, answer({}))
        evil.self.metadata = { ...evil.self.metadata, jwks_uri: 'https://inside.city.example/keys' }
        return query
      },
    ],
    [
      'after which its token endpoint redirects',
      async (browser) => {
        const query = await says(browser, answer({}))
        evil.self.answer = (request, response) => {
          if (!request.url?.startsWith('/token')) return false
          response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
          return true
        }
        return query
      },
    ],
    [
      'of a megabyte',
      async (browser) => {
        const query = await says(browser, answer({}))
        evil.self.answer = (request, response) => {
          if (!request.url?.startsWith('/token')) return false
          response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(`{"a":"${'x'.repeat(1_000_000)}"}`)
          return true
        }
        return query
      },
    ],
  ]
  /** The provider is honest; the query that the browser comes back with is changed. */
  function honestBut(browser: Browser, changes: Record<string, string | null>) {
    evil.self.tokens = answer({})
    return evilQuery(browser, changes)
  }
  async function says(browser: Browser, tokens: (nonce: string) => Promise<object>) {
    evil.self.tokens = tokens
    return evilQuery(browser)
  }

  test('the same provider without an attack is accepted, so the attacks fail by their change', async () => {
    const browser = createBrowser()
    expect(await finish(browser, await says(browser, answer({})))).toMatchObject({ outcome: 'signedIn' })
    await db.deleteFrom('session').where('ssoPlaceId', 'is not', null).execute()
  })

  test.each(attacks)('rejects an answer %s', async (_name, play) => {
    const browser = createBrowser()
    const query = await play(browser)
    expect(await expectFailure(finish(browser, query))).toMatchObject({ kind: 'unauthenticated' })
    expect(await readActorEmail(browser)).toBeNull()
    expect(await sessions()).toBe(0)
  })

  test('rejects an answer the second time, in another browser, or after ten minutes', async () => {
    const browser = createBrowser()
    const query = await says(browser, answer({}))
    expect(await expectFailure(finish(createBrowser(), query))).toMatchObject({ kind: 'unauthenticated' })
    await finish(browser, query)
    await browser.ask((ctx) => call(v1.core.auth.logout, ctx, {}))
    expect(await expectFailure(finish(browser, query))).toMatchObject({ kind: 'unauthenticated' })
    await db.deleteFrom('session').where('ssoPlaceId', 'is not', null).execute()
    let late = 0
    const slow = createBrowser({ now: () => new Date(Date.now() + late) })
    const old = await says(slow, answer({}))
    late = 11 * 60_000
    expect(await expectFailure(finish(slow, old))).toMatchObject({ kind: 'unauthenticated' })
    expect(await sessions()).toBe(0)
  })

  test('never repeats texts of the provider', async () => {
    const browser = createBrowser()
    const query = await evilQuery(browser, {
      code: null,
      error: 'server_error',
      error_description: '<b>call 555-0199</b>',
    })
    const { message } = await expectFailure(finish(browser, query))
    expect(message).not.toMatch(/555|<b>/)
    expect(await readLastError()).toBe('The provider sent an error instead of signing in.')
  })

  test('a person removed from the place, or made a super admin, is not let in, and their session ends', async () => {
    const browser = createBrowser()
    await finish(browser, await says(browser, answer({})))
    const { id } = await db
      .selectFrom('user')
      .select('id')
      .where('email', '=', 'someone@city.example')
      .executeTakeFirstOrThrow()
    await db.updateTable('user').set({ role: 'super_admin' }).where('id', '=', id).execute()
    expect(await readActorEmail(browser)).toBeNull()
    const again = createBrowser()
    expect(await expectFailure(finish(again, await says(again, answer({}))))).toMatchObject({
      kind: 'unauthenticated',
    })
    await db.updateTable('user').set({ role: null }).where('id', '=', id).execute()
    await db.deleteFrom('placeUser').where('userId', '=', id).execute()
    expect(await expectFailure(finish(again, await says(again, answer({}))))).toMatchObject({
      kind: 'unauthenticated',
    })
  })

  test('turning it off ends the sessions it opened, and lets nobody in any more', async () => {
    const admin = await signInByPassword('admin@city.example')
    await save(admin)
    const browser = createBrowser()
    await completeSignIn(browser, 'ann')
    const query = await signInAt(world, await begin(browser), 'ann')
    await save(admin, { isOn: false })
    expect(await readActorEmail(browser)).toBeNull()
    expect(await expectFailure(finish(browser, query))).toMatchObject({ kind: 'unauthenticated' })
    expect(await expectFailure(begin(createBrowser()))).toMatchObject({ kind: 'notFound' })
    await save(admin)
    await admin.ask((ctx) => call(v1.place.removeSso, ctx, { params: { placeId: 'city' } }))
    expect(await expectFailure(begin(createBrowser()))).toMatchObject({ kind: 'notFound' })
    await save(admin)
  })
})
