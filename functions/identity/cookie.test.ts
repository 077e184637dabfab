import { makeSignature } from 'better-auth/crypto'
import { expect, test } from 'vitest'
import { cookieName, sessionCookie, tokenFrom } from './cookie.ts'

const secret = 'a secret of these tests, thirty-two characters and more'
const token = 'b4Zt0kenOfThirtyTwoCharacters123'
const read = (cookie: string, by = secret) => tokenFrom(new Headers({ cookie }), by)
const pair = (text: string) => text.split(';')[0] ?? ''

test('a cookie of ours is read back', async () => {
  expect(await read(pair(await sessionCookie(token, secret)))).toBe(token)
})

test('the attributes keep it to this host, to HTTP and away from other sites', async () => {
  const [, ...attributes] = (await sessionCookie(token, secret)).split('; ')
  expect(attributes).toEqual(['Max-Age=2592000', 'Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax'])
  expect(cookieName).toBe('__Host-session')
})

test('nothing else is', async () => {
  const good = pair(await sessionCookie(token, secret))
  expect(await read(good, 'another secret, just as long as the first one is')).toBeNull()
  expect(await read(good.replace('=b4', '=b5'))).toBeNull()
  expect(await read(`${cookieName}=${token}`)).toBeNull()
  expect(await read(`${cookieName}=${token}.`)).toBeNull()
  expect(await read(`${cookieName}=%E0%A4%A`)).toBeNull()
  expect(await read(good.replace('__Host-', ''))).toBeNull()
  expect(await read('')).toBeNull()
})

test('twice is not at all, wherever the planted one stands', async () => {
  const good = pair(await sessionCookie(token, secret))
  expect(await read(`${good}; ${cookieName}=planted`)).toBeNull()
  expect(await read(`${cookieName}=planted; ${good}`)).toBeNull()
  expect(await read(`${good}; ${good}`)).toBeNull()
  expect(await read(`a=1; ${good}; b=2`)).toBe(token)
})

test("the library's signature is ours, as written and as sent", async () => {
  const value = `${token}.${await makeSignature(token, secret)}`
  expect(await read(`${cookieName}=${value}`)).toBe(token)
  expect(pair(await sessionCookie(token, secret))).toBe(`${cookieName}=${encodeURIComponent(value)}`)
})
