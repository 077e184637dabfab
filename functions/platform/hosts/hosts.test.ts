import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { cloudflareHosts } from './cloudflare.ts'
import { localHosts } from './local.ts'
import { HostsError } from './port.ts'
import { openService } from './service.testing.ts'

let service: Awaited<ReturnType<typeof openService>>
beforeAll(async () => {
  service = await openService('secret-token')
})
afterAll(() => service.close())
beforeEach(() => {
  service.hosts.clear()
  service.asked.length = 0
  service.heal()
})

const hosts = (token = 'secret-token') =>
  cloudflareHosts({ zoneId: 'zone', token, endpoint: service.endpoint }, fetch)
const host = 'data.city.org'
const becomes = (status: string, ssl: Record<string, unknown>) => {
  const storedHost = service.hosts.get(host)
  if (!storedHost) throw new Error('There is no such host.')
  storedHost.status = status
  Object.assign(storedHost.ssl, ssl)
}
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error as HostsError,
  )

describe('registering a custom hostname', () => {
  test('looks it up, then creates it, and returns the DNS records that can be set before the switch', async () => {
    expect(await hosts().ensure(host, { isHere: false })).toEqual({
      certificate: 'pending',
      reason: 'The certificate is made once the address leads here, or once the TXT records below are found.',
      records: [
        { type: 'TXT', name: `_cf-custom-hostname.${host}`, value: 'owner' },
        { type: 'TXT', name: `_acme-challenge.${host}`, value: 'acme' },
      ],
      expiresAt: null,
    })
    expect(service.asked).toEqual([`GET custom_hostnames?hostname=${host}`, 'POST custom_hostnames'])
    // Again, it stays as it is.
    await hosts().ensure(host, { isHere: false })
    expect(service.asked.slice(2)).toEqual([`GET custom_hostnames?hostname=${host}`])
  })

  test('is validated over HTTP once the address points here, also when it waited for a TXT record', async () => {
    await hosts().ensure(host, { isHere: false })
    await hosts().ensure(host, { isHere: true })
    expect(service.hosts.get(host)?.ssl.method).toBe('http')
    await hosts().ensure('other.city.org', { isHere: true })
    expect(service.hosts.get('other.city.org')?.ssl.method).toBe('http')
  })

  test.each([
    ['active', { status: 'active', certificates: [{ expires_on: '2027-02-01T00:00:00Z' }] }, 'active', null],
    ['active', { status: 'pending_deployment' }, 'pending', /being made/],
    ['pending', { status: 'active' }, 'pending', /does not lead here yet/],
    ['moved', { status: 'active' }, 'failed', /does so no more/],
    ['blocked', { status: 'pending_validation' }, 'failed', /blocked/],
    ['pending', { status: 'validation_timed_out' }, 'failed', /in time/],
    ['active', { status: 'expired' }, 'failed', /has run out/],
    [
      'pending',
      { status: 'pending_validation', validation_errors: [{ message: 'caa_error: CAA record' }] },
      'failed',
      /CAA record forbids/,
    ],
  ])('that is %s with %j', async (status, ssl, certificate, reason) => {
    await hosts().ensure(host, { isHere: true })
    becomes(status, ssl)
    const state = await hosts().find(host)
    expect(state?.certificate).toBe(certificate)
    if (reason) expect(state?.reason).toMatch(reason)
    else
      expect(state).toEqual({
        certificate: 'active',
        reason: null,
        records: [],
        expiresAt: new Date('2027-02-01'),
      })
    expect(state?.reason ?? '').not.toMatch(/cloudflare/i)
  })

  test('starts again after the validation has expired', async () => {
    await hosts().ensure(host, { isHere: true })
    becomes('pending', { status: 'validation_timed_out' })
    expect(await hosts().ensure(host, { isHere: true })).toMatchObject({ certificate: 'pending' })
  })

  test('does not confuse it with another of which it is a prefix', async () => {
    await hosts().ensure(`${host}.uk`, { isHere: true })
    expect(await hosts().find(host)).toBeNull()
  })
})

describe('a call with an unknown outcome', () => {
  test.each([
    ['the connection breaks after the work', { method: 'POST', isSilent: true, afterWork: true }],
    [
      'another was faster (409)',
      {
        method: 'POST',
        status: 409,
        body: { success: false, errors: [{ code: 1406, message: 'Duplicate custom hostname found.' }] },
      },
    ],
  ] as const)('makes nothing twice: %s', async (_what, trouble) => {
    if ('status' in trouble) {
      // The look-up before finds nothing; who is faster is there when it is made.
      service.trouble({ method: 'GET', status: 200, body: { success: true, result: [] } })
      await hosts().ensure(host, { isHere: true })
      service.asked.length = 0
      service.trouble({ method: 'GET', status: 200, body: { success: true, result: [] } })
    } else service.trouble(trouble)
    expect(await hosts().ensure(host, { isHere: true })).toMatchObject({ certificate: 'pending' })
    expect(service.hosts.size).toBe(1)
    expect(service.asked.map((line) => line.split(' ')[0])).toEqual(['GET', 'POST', 'GET'])
  })

  test.each([
    ['too many', { method: 'POST', status: 429 }, /Too many certificates/, false],
    [
      'a gateway that fails',
      { method: 'POST', status: 502, body: '<html>Bad gateway</html>' },
      /unwell/,
      false,
    ],
    ['an answer that is no JSON', { method: 'GET', status: 200, body: 'hello' }, /unwell/, false],
    ['no answer', { method: 'GET', isSilent: true }, /could not be reached/, false],
    [
      'a success that says it is none',
      { method: 'POST', status: 200, body: { success: false, errors: [] } },
      /unwell/,
      false,
    ],
  ] as const)('is said in plain words: %s', async (_what, trouble, words, isFinal) => {
    service.trouble(trouble)
    const error = await failure(hosts().ensure(host, { isHere: true }))
    expect(error).toBeInstanceOf(HostsError)
    expect(error?.message).toMatch(words)
    expect(error?.message).not.toMatch(/cloudflare|token|zone/i)
    expect(error?.isFinal).toBe(isFinal)
    // It works again as soon as the service does.
    service.heal()
    expect(await hosts().ensure(host, { isHere: true })).toMatchObject({ certificate: 'pending' })
  })

  test('is not retried where a retry cannot succeed', async () => {
    expect(await failure(hosts('wrong').ensure(host, { isHere: true }))).toMatchObject({ isFinal: true })
    expect(await failure(hosts().ensure('a.test', { isHere: true }))).toMatchObject({ isFinal: true })
    // A token is told to no one.
    const error = await failure(hosts('wrong').ensure(host, { isHere: true }))
    expect(JSON.stringify([error?.message, String(error?.cause)])).not.toContain('wrong')
  })

  test('times out when the service is too slow', async () => {
    const slow: typeof fetch = (_input, init) =>
      new Promise((_resolve, reject) => {
        const signal = init?.signal
        expect(signal).toBeInstanceOf(AbortSignal)
        reject(new DOMException('Timed out.', 'TimeoutError'))
      })
    const service = cloudflareHosts({ zoneId: 'zone', token: 't' }, slow)
    expect(await failure(service.find(host))).toMatchObject({
      isFinal: false,
      message: expect.stringContaining('could not be reached') as string,
    })
  })
})

describe('removing a custom hostname', () => {
  test('deletes it, and succeeds where it does not exist', async () => {
    await hosts().ensure(host, { isHere: true })
    await hosts().remove(host)
    expect(service.hosts.size).toBe(0)
    await hosts().remove(host)
  })

  test('succeeds when only the response was lost, and fails when nothing was deleted', async () => {
    await hosts().ensure(host, { isHere: true })
    service.trouble({ method: 'DELETE', isSilent: true, afterWork: true })
    await hosts().remove(host)
    await hosts().ensure(host, { isHere: true })
    service.trouble({ method: 'DELETE', status: 503 })
    expect(await failure(hosts().remove(host))).toBeInstanceOf(HostsError)
  })
})

test('the local stand-in advances with the clock', async () => {
  let now = Date.parse('2026-01-01')
  const local = localHosts(() => new Date(now))
  expect(await local.find(host)).toBeNull()
  expect(await local.ensure(host, { isHere: true })).toMatchObject({ certificate: 'pending' })
  now += 6000
  const active = await local.find(host)
  expect(active).toMatchObject({ certificate: 'active', reason: null })
  expect(active?.expiresAt?.getTime()).toBeGreaterThan(now + 89 * 86_400_000)
  now += 70 * 86_400_000
  expect((await local.find(host))?.expiresAt?.getTime()).toBeGreaterThan(now + 60 * 86_400_000)
  await local.remove(host)
  expect(await local.find(host)).toBeNull()
})
