import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { recheckDomains } from './domain-checks.ts'
import { openEvents } from '#functions/domain/outbox/outbox-reader.ts'
import { call } from '#functions/api/call.ts'
import { requireConforming } from '#functions/api/conform.ts'
import type { Context, Settings } from '#functions/context.ts'
import { resolve } from '#functions/edge/hub/resolve.ts'
import { publishOutbox } from '#functions/jobs/publish/publish.ts'
import { readSnapshot } from '#functions/edge/hub/snapshot.ts'
import { v1 } from '#functions/v1/index.ts'
import { city } from '#db/worlds/city.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { openWorld, settings, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())
beforeEach(async () => {
  const { db } = openContext('system')
  await db.deleteFrom('placeDomain').execute()
  await db.deleteFrom('outbox').execute()
  zone.clear()
  lookups.length = 0
  answer = {}
})

/** The DNS records by name. */
const zone = new Map<string, { type: number; data: string }[]>()
const lookups: string[] = []
/** How the resolver fails. */
let answer: { status?: number; code?: number; body?: string; fails?: boolean } = {}

/** The status that the host itself answers over TLS. */
let hostAnswers = 301

const resolver: typeof fetch = async (input, init) => {
  const url = new URL(input instanceof Request ? input.url : String(input))
  if (url.host !== 'dns.test') return new Response(null, { status: hostAnswers })
  expect(new Headers(init?.headers).get('accept')).toBe('application/dns-json')
  const name = url.searchParams.get('name') ?? ''
  lookups.push(name)
  if (answer.fails) throw new TypeError('No network.')
  if (answer.body !== undefined) return new Response(answer.body)
  const records = zone.get(name) ?? []
  const recordType = Number(url.searchParams.get('type'))
  const Answer = records
    .filter(({ type }) => type === recordType || type === 5)
    .map((each) => ({ name, TTL: 60, ...each }))
  const Status = answer.code ?? (records.length ? 0 : 3)
  return Response.json(
    { Status, TC: false, Question: [{ name, type: recordType }], Answer },
    { status: answer.status ?? 200 },
  )
}

/** One connection a person, however often they ask. */
const people = new Map<Person, Context>()
function openContext(person: Person, changes: Partial<Context> = {}): Context {
  const personContext = people.get(person) ?? world.as(person)
  people.set(person, personContext)
  return { ...personContext, fetch: resolver, ...changes }
}
const admin = (placeId: string) => openContext(placeId === 'oakton' ? 'organization_admin' : 'stranger')

async function verify(placeId: string, domain: string) {
  const done = await call(v1.place.domain.verify, admin(placeId), { params: { placeId }, data: { domain } })
  requireConforming({ name: 'verify', endpoint: v1.place.domain.verify }, done)
  return done
}

/** Adds the requested record of a place to DNS. */
async function prove(placeId: string, domain: string, by: 'TXT' | 'CNAME' = 'TXT') {
  const { records } = await verify(placeId, domain)
  const record = records.find(({ type, name }) => type === by && name.startsWith('_commonplace.'))
  if (!record) throw new Error('No record to put into DNS.')
  const data =
    by === 'TXT' ? `"${record.expected.slice(0, 10)}" "${record.expected.slice(10)}"` : `${record.expected}.`
  zone.set(record.name, [{ type: by === 'TXT' ? 16 : 5, data }])
}

const rows = () => openContext('system').db.selectFrom('placeDomain').selectAll().orderBy('host').execute()
const shiftClock = (days: number) => ({ now: () => new Date(Date.now() + days * 86_400_000) })

describe('a host', () => {
  test('belongs to the place once its proof is in DNS, and not before', async () => {
    const before = await verify('oakton', 'Data.Oakton.Example.')
    expect(before).toEqual({
      verified: false,
      lights: expect.arrayContaining([]) as unknown[],
      records: [
        {
          type: 'TXT',
          name: '_commonplace.data.oakton.example',
          expected: expect.stringMatching(/^commonplace-verify=[0-9a-f]{32}$/) as string,
          found: [],
        },
        {
          type: 'CNAME',
          name: '_commonplace.data.oakton.example',
          expected: expect.stringMatching(/^[0-9a-f]{32}\.verify\.localhost$/) as string,
          found: [],
        },
        { type: 'CNAME', name: 'data.oakton.example', expected: 'oakton.localhost', found: [] },
      ],
    })
    expect(await rows()).toEqual([])
    await prove('oakton', 'data.oakton.example')
    zone.set('data.oakton.example', [{ type: 5, data: 'Oakton.localhost.' }])
    const after = await verify('oakton', 'data.oakton.example')
    expect(after.verified).toBe(true)
    expect(after.records[2]?.found).toEqual(['oakton.localhost'])
    expect(before.lights.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'ownership bad',
      'address bad',
      'caa good',
      'certificate waiting',
      'content waiting',
    ])
    expect(after.lights.slice(0, 3).map(({ state }) => state)).toEqual(['good', 'good', 'good'])
    expect(await rows()).toMatchObject([{ host: 'data.oakton.example', placeId: 'oakton', failures: 0 }])
    expect(await openEvents(openContext('system'))).toMatchObject([{ kind: 'hub', placeId: 'oakton' }])
    const place = await call(v1.place.findById, openContext('anonymous'), { params: { placeId: 'oakton' } })
    expect(place).toMatchObject({ domain: 'data.oakton.example' })
    const listResponse = await call(v1.place.domain.find, admin('oakton'), { params: { placeId: 'oakton' } })
    requireConforming({ name: 'find', endpoint: v1.place.domain.find }, listResponse)
    expect(listResponse).toMatchObject({
      results: [{ id: 'data.oakton.example', certificate: 'pending' }],
      meta: { total: 1 },
    })
    // Repeating it changes nothing and emits no event.
    expect((await verify('oakton', 'data.oakton.example')).verified).toBe(true)
    expect(await openEvents(openContext('system'))).toHaveLength(1)
    const trail = await openContext('viewer')
      .db.selectFrom('activity')
      .select('verb')
      .where('targetType', '=', 'domain')
      .execute()
    expect(trail).toEqual([{ verb: 'created' }])
  })

  test('can be proven by a CNAME that contains the token', async () => {
    await prove('oakton', 'data.oakton.example', 'CNAME')
    expect((await verify('oakton', 'data.oakton.example')).verified).toBe(true)
  })

  test('is not proven by another place’s token, nor by pointing to the place', async () => {
    const { records } = await verify('elmsford', 'data.oakton.example')
    zone.set('_commonplace.data.oakton.example', [{ type: 16, data: `"${records[0]?.expected ?? ''}"` }])
    zone.set('data.oakton.example', [{ type: 5, data: 'oakton.localhost.' }])
    expect((await verify('oakton', 'data.oakton.example')).verified).toBe(false)
  })

  test.each([
    'data.oakton.example',
    'DATA.Oakton.EXAMPLE',
    'data.oakton.example.',
    'www.data.oakton.example',
    ' Www.data.oakton.example. ',
    'ｄata.oakton。example',
  ])('is denied to another place as %s', async (spelling) => {
    await prove('oakton', 'data.oakton.example')
    await verify('oakton', 'data.oakton.example')
    lookups.length = 0
    await expect(verify('elmsford', spelling)).rejects.toMatchObject({
      kind: 'conflict',
      issues: [{ path: ['domain'] }],
    })
    expect(lookups).toEqual([])
  })

  test('keeps its proof when the secret of the product is rotated', async () => {
    const before = settings.authSecret
    const fresh = { ...settings, authSecret: 'the secret that comes in its place, long enough' }
    const verifyWithSettings = (its: Settings, domain: string) =>
      call(
        v1.place.domain.verify,
        { ...admin('oakton'), settings: its },
        {
          params: { placeId: 'oakton' },
          data: { domain },
        },
      )
    await prove('oakton', 'data.oakton.example')
    expect((await verify('oakton', 'data.oakton.example')).verified).toBe(true)
    // A pending claim, whose record was created with the previous secret.
    await prove('oakton', 'maps.oakton.example')
    const both = { ...fresh, previousAuthSecret: before }
    const [firstRecord] = (await verifyWithSettings(both, 'new.oakton.example')).records
    expect(firstRecord).toEqual((await verifyWithSettings(fresh, 'new.oakton.example')).records[0])
    expect((await verifyWithSettings(fresh, 'maps.oakton.example')).verified).toBe(false)
    expect((await verifyWithSettings(both, 'maps.oakton.example')).verified).toBe(true)
    // Without the previous secret, verified hosts remain so: on another request, in the daily check, and
    // after a release and a new claim.
    for (const host of ['data.oakton.example', 'maps.oakton.example']) {
      const again = await verifyWithSettings(fresh, host)
      expect(again.verified).toBe(true)
      expect(again.records[0]?.found).toEqual([again.records[0]?.expected])
    }
    const asSystem = openContext('system', { settings: fresh, ...shiftClock(1) })
    expect(await recheckDomains(asSystem)).toEqual({ checked: 2, released: 0 })
    expect(await rows()).toMatchObject([{ failures: 0 }, { failures: 0 }])
    await call(v1.place.domain.deleteById, admin('oakton'), {
      params: { placeId: 'oakton', domainId: 'data.oakton.example' },
    })
    expect((await verifyWithSettings(fresh, 'data.oakton.example')).verified).toBe(true)
    const other = await call(
      v1.place.domain.verify,
      { ...admin('elmsford'), settings: both },
      {
        params: { placeId: 'elmsford' },
        data: { domain: 'new.oakton.example' },
      },
    )
    expect(other.verified).toBe(false)
  })

  test('in another script equals its punycode form', async () => {
    await prove('oakton', 'bücher.example')
    await verify('oakton', 'BÜCHER.example')
    expect(await rows()).toMatchObject([{ host: 'xn--bcher-kva.example' }])
    await expect(verify('elmsford', 'xn--bcher-kva.example')).rejects.toMatchObject({ kind: 'conflict' })
  })

  test('that two places prove concurrently goes to one of them', async () => {
    await prove('oakton', 'race.example')
    const [txt] = zone.get('_commonplace.race.example') ?? []
    await prove('elmsford', 'www.race.example')
    if (txt) zone.set('_commonplace.race.example', [txt])
    const done = await Promise.allSettled([
      verify('oakton', 'race.example'),
      verify('elmsford', 'www.race.example'),
    ])
    expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await rows()).toHaveLength(1)
  })

  test('only requested by one place goes to the place that proves it', async () => {
    await verify('elmsford', 'data.oakton.example')
    await prove('oakton', 'data.oakton.example')
    expect((await verify('oakton', 'data.oakton.example')).verified).toBe(true)
  })

  test.each([
    ...['oakton', 'co.uk', 'gov.uk', 'k12.ny.us', 'github.io', '127.0.0.1', '0x7f.1', '[::1]', '2130706433'],
    ...[
      'http://a.example',
      'a.example/x',
      'a.example:80',
      'u@a.example',
      'a b.example',
      '-a.example',
      'a..example',
    ],
    ...[
      'a_b.example',
      `${'a'.repeat(64)}.example`,
      'printer.local',
      'x.localhost',
      'elmsford.localhost',
      'localhost',
      '',
      'a%2eb.example',
    ],
  ])('cannot be %s', async (domain) => {
    await expect(verify('oakton', domain)).rejects.toMatchObject({
      kind: 'invalid',
      issues: [{ path: ['domain'] }],
    })
    expect(lookups).toEqual([])
  })
})

test.each([
  ['does not answer', { fails: true }],
  ['answers nonsense', { body: '<html>' }],
  ['answers without end', { body: `{"Status":0,"Answer":[{"type":16,"data":"${'x'.repeat(200_000)}"}]}` }],
  ['is ill', { code: 2 }],
  ['is broken', { status: 502 }],
])('is neither verified nor lost when a resolver %s', async (_what, unwell) => {
  await prove('oakton', 'data.oakton.example')
  await verify('oakton', 'data.oakton.example')
  answer = unwell
  const { verified, records } = await verify('oakton', 'data.oakton.example')
  expect({ verified, found: records.map(({ found: values }) => values) }).toEqual({
    verified: false,
    found: [null, null, null],
  })
  for (const days of [1, 2, 3, 4]) await recheckDomains(openContext('system', shiftClock(days)))
  expect((await rows())[0]).toMatchObject({ failures: 0 })
  expect((await rows())[0]?.verifiedAt).not.toBeNull()
})

describe('a host that is given up', () => {
  const release = (placeId: string, domainId: string) =>
    call(v1.place.domain.deleteById, admin(placeId), { params: { placeId, domainId } })

  test('is reserved for 30 days, and can be taken back by the place at once', async () => {
    await prove('oakton', 'data.oakton.example')
    await verify('oakton', 'data.oakton.example')
    await expect(release('elmsford', 'data.oakton.example')).rejects.toMatchObject({ kind: 'notFound' })
    expect(await release('oakton', 'DATA.oakton.example')).toEqual({ id: 'data.oakton.example' })
    await expect(release('oakton', 'data.oakton.example')).rejects.toMatchObject({ kind: 'notFound' })
    await expect(verify('elmsford', 'www.data.oakton.example')).rejects.toMatchObject({ kind: 'conflict' })
    expect((await verify('oakton', 'data.oakton.example')).verified).toBe(true)
    await release('oakton', 'data.oakton.example')
    await recheckDomains(openContext('system', shiftClock(29)))
    await expect(verify('elmsford', 'data.oakton.example')).rejects.toMatchObject({ kind: 'conflict' })
    await recheckDomains(openContext('system', shiftClock(31)))
    expect((await verify('elmsford', 'data.oakton.example')).verified).toBe(false)
  })

  test('is unassigned at the edge: its snapshot is removed when the queue is processed', async () => {
    const hubs = memoryBucket()
    const system = () => openContext('system', { hubs })
    const publish = () =>
      publishOutbox(
        system(),
        async () => [{ locale: 'en', status: 200, type: 'text/html', body: 'page', tags: [], files: [] }],
        () => {},
      )
    // Its pages are of no interest here, and a place without a hub has none.
    await openContext('system')
      .db.updateTable('place')
      .set({ isHub: false })
      .where('id', '=', 'oakton')
      .execute()
    await prove('oakton', 'data.oakton.example')
    await verify('oakton', 'data.oakton.example')
    await publish()
    const find = (host: string) => readSnapshot(hubs, host)
    expect(await find('data.oakton.example')).toMatchObject({
      placeId: 'oakton',
      canonicalHost: 'data.oakton.example',
    })
    await release('oakton', 'data.oakton.example')
    await publish()
    expect(await find('data.oakton.example')).toBeNull()
    expect(await resolve('data.oakton.example', settings, find)).toBeNull()
    expect(await find('oakton.localhost')).toMatchObject({
      placeId: 'oakton',
      canonicalHost: 'oakton.localhost',
    })
    await openContext('system')
      .db.updateTable('place')
      .set({ isHub: true })
      .where('id', '=', 'oakton')
      .execute()
  })
})

describe('the daily check', () => {
  test('takes a host away after three days without the proof, and no sooner', async () => {
    await prove('oakton', 'data.oakton.example')
    await verify('oakton', 'data.oakton.example')
    await openContext('system').db.deleteFrom('outbox').execute()
    zone.clear()
    for (const [days, failures] of [
      [1, 1],
      [2, 2],
    ] as const) {
      expect(await recheckDomains(openContext('system', shiftClock(days)))).toEqual({
        checked: 1,
        released: 0,
      })
      // A second check on the same day does not count.
      expect(await recheckDomains(openContext('system', shiftClock(days + 0.1)))).toEqual({
        checked: 0,
        released: 0,
      })
      expect(await rows()).toMatchObject([{ failures }])
    }
    expect(await openEvents(openContext('system'))).toEqual([])
    expect(await recheckDomains(openContext('system', shiftClock(3)))).toEqual({ checked: 1, released: 1 })
    expect(await rows()).toMatchObject([{ verifiedAt: null }])
    expect(await openEvents(openContext('system'))).toMatchObject([{ kind: 'hub', placeId: 'oakton' }])
    await expect(verify('elmsford', 'data.oakton.example')).rejects.toMatchObject({ kind: 'conflict' })
  })

  test('resets failures once the proof is back', async () => {
    await prove('oakton', 'data.oakton.example')
    await verify('oakton', 'data.oakton.example')
    const proof = new Map(zone)
    zone.clear()
    await recheckDomains(openContext('system', shiftClock(1)))
    for (const [name, records] of proof) zone.set(name, records)
    await recheckDomains(openContext('system', shiftClock(2)))
    expect(await rows()).toMatchObject([{ failures: 0 }])
  })

  test('checks whether the host answers over TLS', async () => {
    await prove('oakton', 'data.oakton.example')
    await verify('oakton', 'data.oakton.example')
    const https = { settings: { ...settings, scheme: 'https' } }
    for (const [days, status, certificate] of [
      [1, 301, 'active'],
      [2, 526, 'failed'],
      [3, 'inside', 'failed'],
    ] as const) {
      const isInside = status === 'inside'
      hostAnswers = isInside ? 301 : status
      zone.set('data.oakton.example', [{ type: 1, data: isInside ? '10.0.0.7' : '93.184.216.34' }])
      await recheckDomains(openContext('system', { ...https, ...shiftClock(days) }))
      expect(await rows()).toMatchObject([{ certificate }])
    }
    const all = await call(v1.internal.domains, openContext('super_admin'), {})
    requireConforming({ name: 'domains', endpoint: v1.internal.domains }, all)
    expect(all).toMatchObject({
      results: [{ id: 'data.oakton.example', placeId: 'oakton', certificate: 'failed' }],
    })
  })
})
