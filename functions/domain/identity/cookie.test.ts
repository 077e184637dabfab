import { makeSignature } from 'better-auth/crypto'
import { expect, test } from 'vitest'
import {
  isToSignAnew,
  clearSessionCookie,
  clearSignUpCookie,
  sessionCookie,
  sessionCookieName,
  signUpCookie,
  signUpSecretFrom,
  tokenFrom,
  type CookieSettings,
} from './cookie.ts'

const secret = 'a secret of these tests, thirty-two characters and more'
const settings: CookieSettings = { scheme: 'https', appHost: 'app.test:8787', authSecret: secret }
const local: CookieSettings = { scheme: 'http', appHost: 'localhost:8787', authSecret: secret }
const cookieName = sessionCookieName(settings)
const token = 'b4Zt0kenOfThirtyTwoCharacters123'
const read = (cookie: string, by = secret) =>
  tokenFrom(new Headers({ cookie }), { ...settings, authSecret: by })
const pair = (text: string) => text.split(';')[0] ?? ''

test('reads a valid cookie', async () => {
  expect(await read(pair(await sessionCookie(token, settings)))).toBe(token)
})

test('the attributes restrict it to this host, to HTTP and to the same site', async () => {
  const [, ...attributes] = (await sessionCookie(token, settings)).split('; ')
  expect(attributes).toEqual(['Max-Age=2592000', 'Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax'])
  expect(cookieName).toBe('__Host-session')
})

test('ignores everything else', async () => {
  const good = pair(await sessionCookie(token, settings))
  expect(await read(good, 'another secret, just as long as the first one is')).toBeNull()
  expect(await read(good.replace('=b4', '=b5'))).toBeNull()
  expect(await read(`${cookieName}=${token}`)).toBeNull()
  expect(await read(`${cookieName}=${token}.`)).toBeNull()
  expect(await read(`${cookieName}=%E0%A4%A`)).toBeNull()
  expect(await read(good.replace('__Host-', ''))).toBeNull()
  expect(await read('')).toBeNull()
})

test('ignores a duplicated cookie, wherever the planted one is', async () => {
  const good = pair(await sessionCookie(token, settings))
  expect(await read(`${good}; ${cookieName}=planted`)).toBeNull()
  expect(await read(`${cookieName}=planted; ${good}`)).toBeNull()
  expect(await read(`${good}; ${good}`)).toBeNull()
  expect(await read(`a=1; ${good}; b=2`)).toBe(token)
})

test('the library’s signature equals ours, as written and as sent', async () => {
  const value = `${token}.${await makeSignature(token, secret)}`
  expect(await read(`${cookieName}=${value}`)).toBe(token)
  expect(pair(await sessionCookie(token, settings))).toBe(`${cookieName}=${encodeURIComponent(value)}`)
})

test('plain http on this machine: cookies that WebKit keeps, neither Secure nor __Host-', async () => {
  const all = [
    await sessionCookie(token, local),
    clearSessionCookie(local),
    signUpCookie('s3cret', local),
    clearSignUpCookie(local),
  ]
  expect(all.map((text) => text.split('=')[0])).toEqual(['session', 'session', 'signup', 'signup'])
  for (const text of all) expect(text).toMatch(/; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/)
  const buildHeaders = (text = '') => new Headers({ cookie: pair(text) })
  expect(await tokenFrom(buildHeaders(all[0]), local)).toBe(token)
  expect(signUpSecretFrom(buildHeaders(all[2]), local)).toBe('s3cret')
})

test('the configured origin decides, whatever host a request names: a plain name is rejected on https', async () => {
  const host = 'localhost:8787'
  const session = new Headers({ host, cookie: pair(await sessionCookie(token, local)) })
  const signUp = new Headers({ host, cookie: pair(signUpCookie('s3cret', local)) })
  expect(await tokenFrom(session, settings)).toBeNull()
  expect(signUpSecretFrom(signUp, settings)).toBeNull()
  const name = (scheme: string, appHost: string) => sessionCookieName({ scheme, appHost })
  for (const appHost of ['localhost', 'app.localhost:1', '127.0.0.1:8787', '[::1]:8787'])
    expect([appHost, name('http', appHost), name('https', appHost)]).toEqual([
      appHost,
      'session',
      '__Host-session',
    ])
  // Over plain http elsewhere a session would be sent in the clear.
  for (const appHost of ['app.test', 'localhost.evil.example', 'evillocalhost', '127.0.0.1.evil.example'])
    expect([appHost, name('http', appHost)]).toEqual([appHost, '__Host-session'])
})

test('reads a cookie signed with the previous secret while that is accepted, and marks it to be signed again', async () => {
  const before = 'the secret of before, thirty-two characters and more'
  const old = pair(await sessionCookie(token, { ...settings, authSecret: before }))
  const both = { ...settings, previousAuthSecret: before }
  expect(await read(old)).toBeNull()
  expect(await tokenFrom(new Headers({ cookie: old }), both)).toBe(token)
  expect(await isToSignAnew(new Headers({ cookie: old }), both)).toBe(true)
  const fresh = pair(await sessionCookie(token, both))
  expect(await read(fresh)).toBe(token)
  expect(await isToSignAnew(new Headers({ cookie: fresh }), both)).toBe(false)
  expect(await tokenFrom(new Headers({ cookie: old.replace('=b4', '=b5') }), both)).toBeNull()
})
