import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { v1 } from './index.ts'
import { serveV1 } from './serve.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { call } from '#functions/api/call.ts'
import { getEventTags } from '#functions/domain/outbox/events.ts'
import { profileSources, maintainProfiles } from '#functions/domain/records/profile/profile-sources.ts'
import { storeReadAsEmpty } from '#functions/domain/records/profile/read-as-empty.ts'
import type { FieldProfile, ProfileState, ReadAsEmpty } from '#functions/shapes/field-profile.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => void (world = await openWorld(city)))
afterAll(() => world.close())

const sources = ['open', 'inner', 'secret', 'mine', 'far-open', 'far-inner']

/** Each source has some values of its own, and one shared by all. */
beforeEach(async () => {
  const system = world.as('system')
  for (const [i, source] of sources.entries()) {
    const own = Array.from({ length: i + 2 }, (_none, n) => ({
      id: `${source}-${n}`,
      type: `of ${source}`,
      minutes: 100 * i + n,
    }))
    await ingest(system, source, [...own, { id: `${source}-all`, type: 'all', minutes: 5000 }], {
      mode: 'replace',
    })
  }
  await profileSources(system, sources)
})

interface Entry {
  field: string
  profile?: FieldProfile | null
  readAsEmpty?: ReadAsEmpty | null
}
interface Answer {
  status: number
  tag: string | null
  entries: Map<string, Entry>
  profile?: ProfileState
  text: string
}

async function get(path: string, person: Person, tag: string | null = null): Promise<Answer> {
  const headers = new Headers(tag === null ? {} : { 'if-none-match': tag })
  const ctx = world.as(person)
  const response = await serveV1(new Request(`http://localhost:8787/v1${path}`, { headers }), {
    ...ctx,
    request: { ...ctx.request, headers },
  })
  const text = await response.text()
  const body = (text && response.status === 200 ? JSON.parse(text) : { results: [], meta: {} }) as {
    results: Entry[]
    meta: { profile?: ProfileState }
  }
  const entries = new Map(body.results.map((entry) => [entry.field, entry]))
  return {
    status: response.status,
    tag: response.headers.get('etag'),
    entries,
    text,
    ...(body.meta.profile && { profile: body.meta.profile }),
  }
}

const typePath = '/places/oakton/dataTypes/call'
const inPlaces: [person: Person, path: string, seen: string[]][] = [
  ['anonymous', typePath, ['open']],
  ['stranger', typePath, ['open']],
  ['viewer', typePath, ['open', 'inner']],
  ['member', typePath, ['open', 'inner', 'mine']],
  ['organization_admin', typePath, ['open', 'inner', 'secret', 'mine']],
  ['organization_admin', `${typePath}?maxVisibility=public`, ['open']],
  ['anonymous', '/places/elmsford/dataTypes/call', ['far-open']],
  ['organization_admin', '/places/elmsford/dataTypes/call', ['far-open']],
  ['stranger', '/places/elmsford/dataTypes/call', ['far-open', 'far-inner']],
]

const withProfile = (path: string) => {
  const [base, query] = path.split('?')
  return `${base}/fields?profile=1${query ? `&${query}` : ''}`
}

test.each(inPlaces)('%s sees in %s only what is in %s', async (person, path, visibleSources) => {
  const { status, entries, profile, text } = await get(withProfile(path), person)
  expect([status, profile?.state, profile?.sources]).toEqual([200, 'ready', visibleSources.length])
  const all = visibleSources.flatMap((source) => {
    const i = sources.indexOf(source)
    return [
      ...Array.from({ length: i + 2 }, (_none, n) => [`of ${source}`, 100 * i + n] as const),
      ['all', 5000] as const,
    ]
  })
  const numbers = all.map(([, minutes]) => minutes).sort((a, b) => a - b)
  const counts = new Map<string, number>()
  for (const [type] of all) counts.set(type, (counts.get(type) ?? 0) + 1)
  expect(profile?.records).toBe(all.length)
  expect(entries.get('data.minutes')?.profile).toMatchObject({
    ...{
      count: all.length,
      empty: 0,
      distinct: { count: new Set(numbers).size },
      min: numbers[0],
      max: 5000,
    },
    quantiles: {
      values: expect.arrayContaining([{ percent: 50, value: numbers[Math.ceil(numbers.length / 2) - 1] }]),
    },
  })
  const top = [...counts]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([value, count]) => ({ value, count }))
  expect(entries.get('data.type')?.profile?.top).toEqual({
    values: top,
    of: { count: top.length },
    others: 0,
  })
  for (const source of sources)
    expect([source, text.includes(`of ${source}"`)]).toEqual([source, visibleSources.includes(source)])
})

test('of one source cover its own records only; those of a private one are hidden from strangers', async () => {
  const { entries, profile } = await get('/places/oakton/sources/inner/fields?profile=1', 'viewer')
  expect(profile).toEqual({ state: 'ready', sources: 1, records: 4 })
  expect(entries.get('data.type')?.profile?.top?.values).toEqual([
    { value: 'of inner', count: 3 },
    { value: 'all', count: 1 },
  ])
  expect((await get('/sources/inner/fields?profile=1', 'anonymous')).status).toBe(404)
})

test('a source that turned private is in no statistics for visitors', async () => {
  const { db } = world.as('system')
  const set = (visibility: 'public' | 'private') =>
    db.updateTable('source').set({ visibility }).where('id', '=', 'open').execute()
  await set('private')
  const { status, text } = await get(withProfile(typePath), 'anonymous')
  await set('public')
  expect([status, text.includes('of open')]).toEqual([404, false])
})

test('while outdated they are pending, and that answer is not cached', async () => {
  const path = '/places/oakton/sources/open/fields?profile=1'
  const before = await get(path, 'anonymous')
  expect(before.tag).toMatch(/^W\/"/)
  expect((await get(path, 'anonymous', before.tag)).status).toBe(304)
  await ingest(world.as('system'), 'open', [{ id: 'new', type: 'new', minutes: 1 }])
  const meanwhile = await get(path, 'anonymous', before.tag)
  expect([meanwhile.status, meanwhile.profile?.state]).toEqual([200, 'pending'])
  expect(meanwhile.entries.get('data.type')?.profile).toBeNull()
  expect(meanwhile.tag).not.toMatch(/^W\//)
  // If statistics of one source are not ready, those of its data type are pending: else they would be incomplete without saying so.
  expect((await get(withProfile(typePath), 'viewer')).profile?.state).toBe('pending')
  // A lost message is compensated for by the periodic job.
  expect(await maintainProfiles(world.as('system'))).toBe(1)
  const after = await get(path, 'anonymous')
  expect([after.profile?.state, after.entries.get('data.type')?.profile?.count]).toEqual(['ready', 4])
})

test('they are returned only on request', async () => {
  const { entries, profile } = await get('/places/oakton/sources/open/fields', 'anonymous')
  expect([profile, entries.get('data.type')?.profile]).toEqual([undefined, undefined])
  expect((await get('/places/oakton/sources/open/fields?profile=0', 'anonymous')).profile).toBeUndefined()
  expect((await get('/places/oakton/sources/open/fields?profile=all', 'anonymous')).status).toBe(400)
})

test('values read as empty are reported for visible sources, and added up', async () => {
  const system = world.as('system')
  const buildEmptyValues = (count: number, text: string) => ({
    minutes: { count, first: { from: `“${text}”`, to: null, row: 1 }, values: { [text]: count } },
  })
  await system.transaction(async (tx) => {
    await storeReadAsEmpty(tx, 'open', buildEmptyValues(250, 'N/A'))
    await storeReadAsEmpty(tx, 'inner', buildEmptyValues(3, '-'))
  })
  const readEmptyValues = async (person: Person) =>
    (await get(withProfile(typePath), person)).entries.get('data.minutes')?.readAsEmpty
  expect(await readEmptyValues('anonymous')).toEqual({
    count: 250,
    values: [{ value: 'N/A', count: 250 }],
    others: 0,
  })
  expect(await readEmptyValues('viewer')).toMatchObject({
    count: 253,
    values: [{ value: 'N/A' }, { value: '-', count: 3 }],
  })
})

test('what shows statistics is stale once they are made, also where it was rendered before them', async () => {
  const system = world.as('system')
  const readEvents = () =>
    system.db
      .selectFrom('outbox')
      .select(['kind', 'placeId', 'payload'])
      .where('kind', '=', 'profile')
      .orderBy('id')
      .execute()
  await system.db.deleteFrom('outbox').execute()
  await system.db.deleteFrom('fieldProfile').execute()
  const visitor = world.as('anonymous')
  const early = await call(v1.place.source.fields, visitor, {
    params: { placeId: 'oakton', sourceId: 'open' },
    options: { profile: true },
  })
  expect(early.meta.profile).toMatchObject({ state: 'pending' })
  await profileSources(system, sources)
  const events = await readEvents()
  // Pages have no private source.
  expect(events.map(({ payload }) => payload.id)).toEqual(['open', 'far-open'])
  expect(events.flatMap(getEventTags).filter((tag) => visitor.depends.has(tag))).toEqual(['profile:open'])
  // What is current already makes nothing stale.
  await profileSources(system, sources)
  expect(await readEvents()).toEqual(events)
})
