import { describe, expect, test } from 'vitest'
import { secureResponse, securityText, strictTransport } from './transport.ts'

const settings = { scheme: 'https', appHost: 'app.test', publicHost: 'hubs.test', hstsSeconds: 31_536_000 }
const now = Date.UTC(2026, 10, 23)
const ago = (seconds: number) => now / 1000 - seconds

describe('Strict-Transport-Security', () => {
  test('is absent without TLS', () => {
    expect(strictTransport('app.test', { ...settings, scheme: 'http' }, null, now)).toBeNull()
  })

  test('on hosts of the product has the configured duration', () => {
    expect(strictTransport('app.test:443', settings, null, now)).toBe('max-age=31536000; includeSubDomains')
    expect(strictTransport('oakton.hubs.test', settings, null, now)).toBe('max-age=31536000')
    expect(strictTransport('oakton.hubs.test', { ...settings, hstsSeconds: 300 }, null, now)).toBe(
      'max-age=300',
    )
  })

  test.each([
    [null, 300],
    [ago(0), 300],
    [ago(-60), 300],
    [ago(86_400), 86_400],
    [ago(900 * 86_400), 31_536_000],
  ])('of a domain connected at %s is %s seconds, without subdomains', (since, seconds) => {
    expect(strictTransport('data.oakton.gov', settings, since, now)).toBe(`max-age=${seconds}`)
    // It only ends like one of the product's hosts.
    expect(strictTransport('evilhubs.test', settings, since, now)).toBe(`max-age=${seconds}`)
  })
})

test('every response has nosniff, and keeps its content', async () => {
  const originalResponse = new Response('body', { status: 404, headers: { 'cache-control': 'no-store' } })
  const answer = secureResponse(originalResponse, 'max-age=300')
  expect([answer.status, await answer.text()]).toEqual([404, 'body'])
  expect(Object.fromEntries(answer.headers)).toEqual({
    'cache-control': 'no-store',
    'content-type': 'text/plain;charset=UTF-8',
    'strict-transport-security': 'max-age=300',
    'x-content-type-options': 'nosniff',
  })
  expect(
    secureResponse(new Response(null, { status: 304 }), null).headers.has('strict-transport-security'),
  ).toBe(false)
})

test('security.txt has the fields of RFC 9116, and does not expire while a copy may be cached', async () => {
  const about = { scheme: 'https', appHost: 'app.test', securityContact: 'mailto:security@app.test' }
  const text = await securityText(about, new Date(now + 5000)).text()
  expect(text).toBe(await securityText(about, new Date(now)).text())
  expect(text.split('\n')).toEqual([
    'Contact: mailto:security@app.test',
    'Expires: 2027-05-22T00:00:00.000Z',
    'Preferred-Languages: en',
    'Canonical: https://app.test/.well-known/security.txt',
    '',
  ])
})
