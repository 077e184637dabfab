import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { recheckDomains } from './domain-checks.ts'
import { maintainHosts } from './domain-hosting.ts'
import { network, type Zone } from './lights/zone.testing.ts'
import { call } from '#functions/api/call.ts'
import type { Context } from '#functions/context.ts'
import { cloudflareHosts } from '#functions/platform/hosts/cloudflare.ts'
import { openService } from '#functions/platform/hosts/service.testing.ts'
import { writeEdges } from '#functions/jobs/publish/edge.ts'
import { publishOutbox } from '#functions/jobs/publish/publish.ts'
import { resolve, sendOn } from '#functions/edge/hub/resolve.ts'
import { readHost } from '#functions/edge/hub/snapshot.ts'
import { v1 } from '#functions/v1/index.ts'
import { city } from '#db/worlds/city.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { openWorld, settings, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
let service: Awaited<ReturnType<typeof openService>>
beforeAll(async () => {
  world = await openWorld(city)
  service = await openService('secret-token')
})
afterAll(async () => {
  await world.close()
  await service.close()
})
beforeEach(async () => {
  const { db } = openContext('system')
  for (const table of ['placeDomain', 'outbox', 'mail'] as const) await db.deleteFrom(table).execute()
  service.hosts.clear()
  service.heal()
  service.asked.length = 0
  minutes = 0
})

/** Minutes by which the clock is moved on. */
let minutes = 0
const startMs = Date.now()
const people = new Map<Person, Context>()
const hubs = memoryBucket()
let zone: Zone = {}
function openContext(person: Person): Context {
  const personContext = people.get(person) ?? world.as(person)
  people.set(person, personContext)
  const { fetch } = network(zone)
  const hosts = cloudflareHosts(
    { zoneId: 'zone', token: 'secret-token', endpoint: service.endpoint },
    globalThis.fetch,
  )
  return { ...personContext, fetch, hosts, hubs, now: () => new Date(startMs + minutes * 60_000) }
}

const params = { placeId: 'oakton' }
const verify = (domain: string) =>
  call(v1.place.domain.verify, openContext('organization_admin'), { params, data: { domain } })
const release = (domainId: string) =>
  call(v1.place.domain.deleteById, openContext('organization_admin'), { params: { ...params, domainId } })
const row = () => openContext('system').db.selectFrom('placeDomain').selectAll().executeTakeFirst()
const letters = async () => {
  const rows = await openContext('system')
    .db.selectFrom('mail')
    .select(['to', 'subject'])
    .orderBy('createdAt', 'desc')
    .execute()
  return rows.map(({ to, subject }) => `${to}: ${subject}`)
}

/** Puts the proof into DNS, and where the hosts lead. */
async function prove(domain: string, ...leading: string[]) {
  zone = {}
  const { records } = await verify(domain)
  const [txt] = records
  zone = {
    'oakton.localhost': [['A', '151.101.1.10']],
    [txt?.name ?? '']: [['TXT', `"${txt?.expected ?? ''}"`]],
    ...Object.fromEntries(leading.map((host) => [host, [['CNAME', 'oakton.localhost.']] as Zone[string]])),
  }
}

/** Sets the response of the certificate service for a host. */
function becomes(host: string, status: string, ssl: Record<string, unknown>) {
  const hostEntry = service.hosts.get(host)
  if (!hostEntry) throw new Error('There is no such host.')
  hostEntry.status = status
  Object.assign(hostEntry.ssl, ssl)
}

const publish = () =>
  publishOutbox(
    openContext('system'),
    async (_hub, _path, languages) =>
      languages.map((locale) => ({
        locale,
        status: 200,
        type: 'text/html',
        body: 'page',
        tags: [],
        files: [],
      })),
    () => {},
  )
const find = (host: string) => readHost(hubs, host)
const means = (host: string) => resolve(host, settings, find)

describe('with and without www', () => {
  test.each([
    ['oakton.example', 'www.oakton.example'],
    ['www.oakton.example', 'oakton.example'],
    ['xn--bcher-kva.example', 'www.xn--bcher-kva.example'],
  ])('%s answers, and %s redirects to it with path and query', async (host, alias) => {
    await prove(host, host)
    expect((await verify(host)).verified).toBe(true)
    await publish()
    expect(await means(host)).toMatchObject({ site: { placeId: 'oakton', canonicalHost: host } })
    const on = await means(`${alias.toUpperCase()}.:8787`)
    expect(on).toEqual({ redirect: `http://${host}:8787`, status: 308 })
    if (!on || !('redirect' in on)) throw new Error('It does not lead on.')
    const response = sendOn(on, new URL(`http://${alias}:8787//evil.example/a%2Fb?x=1&y=%20`))
    expect(response.status).toBe(308)
    expect(response.headers.get('location')).toBe(`http://${host}:8787//evil.example/a%2Fb?x=1&y=%20`)
    expect(new URL(response.headers.get('location') ?? '').hostname).toBe(host)
    await release(host)
    // The releasing request does this at once, before any page is rendered.
    await writeEdges(openContext('system'), ['oakton'])
    expect([await find(host), await find(alias)]).toEqual([null, null])
  })

  test('one can be exchanged for the other at once, and they do not count twice', async () => {
    await prove('oakton.example', 'oakton.example')
    await verify('oakton.example')
    await expect(verify('www.oakton.example')).rejects.toMatchObject({ kind: 'conflict' })
    await release('oakton.example')
    await prove('www.oakton.example', 'www.oakton.example')
    expect((await verify('www.oakton.example')).verified).toBe(true)
    await publish()
    expect(await find('oakton.example')).toEqual({
      redirect: 'www.oakton.example',
      at: expect.any(Number) as number,
    })
    expect(await row()).toMatchObject({ host: 'www.oakton.example' })
  })
})

test.each([
  '[::1]',
  '[::1]:8787',
  '127.0.0.1',
  '*.oakton.localhost',
  `${'a'.repeat(260)}.example`,
  'oakton.localhost..',
  '',
  '.',
  'a..b',
  '%2e',
  'oakton_.localhost',
  '../site/oakton',
  'bücher.example',
])('the host %s is unassigned', async (host) => expect(await means(host)).toBeNull())

test('a place without a hub redirects its visitors to the workspace, on every host of its own', async () => {
  const open = (isHub: boolean) =>
    openContext('system').db.updateTable('place').set({ isHub }).where('id', '=', 'oakton').execute()
  await prove('oakton.example', 'oakton.example')
  await verify('oakton.example')
  await open(false)
  await publish()
  for (const host of ['oakton.localhost:8787', 'oakton.example'])
    expect(await means(host)).toEqual({ redirect: 'http://localhost:8787/explore', status: 302 })
  await open(true)
})

describe('the certificate service', () => {
  test('is called when the proof is found, for www as well if that points here', async () => {
    await prove('oakton.example', 'oakton.example', 'www.oakton.example')
    const { lights } = await verify('oakton.example')
    expect([...service.hosts.keys()]).toEqual(['oakton.example', 'www.oakton.example'])
    expect(lights[3]).toMatchObject({ name: 'certificate', state: 'waiting', cause: 'certificatePending' })
    expect(await row()).toMatchObject({
      isHosted: true,
      certificate: 'pending',
      certificateReason: expect.any(String) as string,
    })
    // The sweeper requests the certificate until it is there.
    becomes('oakton.example', 'active', { status: 'active', expires_on: '2027-06-01T00:00:00Z' })
    minutes = 3
    expect(await maintainHosts(openContext('system'))).toBe(1)
    expect(await row()).toMatchObject({
      certificate: 'active',
      certificateReason: null,
      certificateExpiresAt: new Date('2027-06-01'),
    })
    minutes = 600
    expect(await maintainHosts(openContext('system'))).toBe(0)
    expect((await verify('oakton.example')).lights[3]).toMatchObject({ state: 'good' })
  })

  test.each([
    ['is down', { method: 'GET', isSilent: true, times: 99 }],
    ['has had enough', { method: 'POST', status: 429, times: 99 }],
    ['is broken', { method: 'POST', status: 500, times: 99 }],
    ['refuses us', { method: 'GET', status: 403, times: 99 }],
  ] as const)(
    'that %s does not block the verification of a host, and is retried with backoff',
    async (_what, trouble) => {
      await prove('oakton.example', 'oakton.example')
      service.trouble(trouble)
      const { verified, lights } = await verify('oakton.example')
      expect(verified).toBe(true)
      expect(lights[3]).toMatchObject({
        state: 'waiting',
        cause: 'serviceUnreached',
        says: expect.not.stringMatching(/cloudflare/i) as string,
      })
      const before = await row()
      expect(before).toMatchObject({
        certificate: 'pending',
        certificateReason: lights[3]?.says,
        asksUnsettled: 1,
      })
      const asks: number[] = []
      for (minutes = 1; minutes <= 40; minutes++)
        if (await maintainHosts(openContext('system'))) asks.push(minutes)
      expect(asks).toEqual([2, 6, 14, 30])
      service.heal()
      minutes = 200
      await maintainHosts(openContext('system'))
      expect([...service.hosts.keys()]).toEqual(['oakton.example'])
    },
  )

  test('releases a host that is given up; on failure the sweeper retries, and the row stays until then', async () => {
    await prove('oakton.example', 'oakton.example', 'www.oakton.example')
    await verify('oakton.example')
    service.trouble({ method: 'DELETE', status: 503, times: 99 })
    await release('oakton.example')
    expect(await row()).toMatchObject({ isHosted: true, verifiedAt: null })
    minutes = 31 * 24 * 60
    await recheckDomains(openContext('system'))
    expect(await row()).toBeDefined()
    service.heal()
    await maintainHosts(openContext('system'))
    expect(service.hosts.size).toBe(0)
    expect(await row()).toMatchObject({ isHosted: false })
    await recheckDomains(openContext('system'))
    expect(await row()).toBeUndefined()
  })
})

describe('emails to the admins', () => {
  const day = 24 * 60
  const to = 'organization_admin@example.com'

  test('at the first and the last check without the proof, not between', async () => {
    await prove('oakton.example', 'oakton.example')
    await verify('oakton.example')
    zone = {}
    const emailsByDay: string[][] = []
    for (const days of [1, 2, 3, 4]) {
      minutes = days * day
      await recheckDomains(openContext('system'))
      emailsByDay.push(await letters())
      await openContext('system').db.deleteFrom('mail').execute()
    }
    expect(emailsByDay).toEqual([
      [`${to}: oakton.example: its proof is gone from DNS`],
      [],
      [`${to}: oakton.example is not your hub's address any more`],
      [],
    ])
    expect(service.hosts.size).toBe(0)
  })

  test('14 days before a certificate expires, once; and when it has expired', async () => {
    await prove('oakton.example', 'oakton.example')
    await verify('oakton.example')
    const ends = new Date(startMs + 20 * day * 60_000).toISOString()
    becomes('oakton.example', 'active', { status: 'active', expires_on: ends })
    const emailDays: string[] = []
    for (let days = 1; days <= 19; days++) {
      minutes = days * day
      await recheckDomains(openContext('system'))
      if ((await letters()).length > emailDays.length) emailDays.push(`day ${days}`)
    }
    expect(emailDays).toEqual(['day 7'])
    expect(await letters()).toEqual([`${to}: oakton.example: its certificate ends soon`])
    becomes('oakton.example', 'moved', { status: 'expired' })
    service.trouble({ method: 'PATCH', status: 404 })
    zone = { ...zone, 'oakton.example': [['A', '151.101.9.9']] }
    minutes = 21 * day
    await recheckDomains(openContext('system'))
    expect((await letters())[0]).toBe(`${to}: oakton.example has no certificate`)
  })
})
