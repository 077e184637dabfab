import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MapData } from '#app/islands/map-data.ts'
import { hubSource } from '../hub-source.server.ts'
import { livePlaceMap } from '../place-map.server.ts'
import { liveSourceMap } from '../source-map.server.ts'
import { call } from '#functions/api/call.ts'
import { profileSources } from '#functions/domain/records/profile/profile-sources.ts'
import { manifestKey } from '#functions/engine/tile/manifest.ts'
import { allLanguages } from '#functions/shapes/locale.ts'
import { v1 } from '#functions/v1/index.ts'
import { city } from '#db/worlds/city.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'

let world: TestWorld
const tiles = memoryBucket()
const types = {
  sight: { at: { name: 'At', type: 'date', precision: 'day' } },
  spot: { kind: { name: 'Kind', type: 'text' } },
}
const days = ['2024-01-03', '2024-01-09', '2024-02-01']

beforeAll(async () => {
  world = await openWorld(city)
  await tiles.put(manifestKey, JSON.stringify({ sets: [], boundaries: [] }))
  const { db } = world.as('system')
  for (const [id, own] of Object.entries(types)) {
    const schema = JSON.stringify({ where: { name: 'Where', type: 'point' }, ...own })
    await db.insertInto('dataType').values({ id, name: id, schema, ownerPlaceId: null }).execute()
    const source = { id: `${id}s`, name: `The ${id}s`, placeId: 'oakton', dataTypeId: id, createdBy: null }
    await db
      .insertInto('source')
      .values({ ...source, visibility: 'public' })
      .execute()
    const data = days.map((day, n) => ({
      where: { type: 'Point', coordinates: [-73 - n / 10, 40.5] },
      ...(id === 'sight' ? { at: day } : { kind: 'Oak' }),
    }))
    await call(v1.source.datum.create, world.as('super_admin'), { params: { sourceId: source.id }, data })
  }
  await profileSources(world.as('system'), ['sights', 'spots'])
})
afterAll(() => world.close())

const buildArgs = (params: Record<string, string>, changes: object = {}) =>
  ({
    request: new Request('http://localhost:8787/map'),
    params,
    context: { ctx: world.as('organization_admin', { tiles, ...changes }), nonce: '' },
  }) as unknown as LoaderFunctionArgs

test('the map of a source with dates has a time slider, on its page and in the workspace', async () => {
  const time = {
    ...{ unit: 'day', from: '2024-01-03', to: '2024-02-01' },
    layers: [{ source: 'points-layer-1', field: 'data.at', isCalendar: true, name: 'The sights' }],
  }
  expect((await liveSourceMap(buildArgs({ sourceId: 'sights' })))?.time).toEqual(time)
  const files: string[] = []
  const attach = async (_type: string, body: string) => `/f/${files.push(body)}`
  const site = {
    ...{ mode: 'hub', placeId: 'oakton', host: 'oakton.hub.test', origin: 'https://oakton.hub.test' },
    ...{ canonicalHost: 'oakton.hub.test', locale: 'en', languages: allLanguages },
  }
  const params = { dataTypeId: 'sight', sourceId: 'sights', placeId: 'oakton' }
  await hubSource(buildArgs(params, { site, placeId: 'oakton', attach }))
  const live = JSON.parse(files.find((body) => body.includes('"darkStyle"')) ?? 'null') as MapData
  expect(live.time).toEqual(time)
  expect(await liveSourceMap(buildArgs({ sourceId: 'spots' }))).not.toHaveProperty('time')
})

test('the data that hydrate a map say where the data of each layer are from, and of when', async () => {
  const live = await livePlaceMap(buildArgs({}))
  const matchCredit = (name: string) =>
    expect.stringMatching(`^Source: ${name} · data of \\w+ \\d+, \\d{4}$`) as string
  expect(live?.credits).toEqual([
    { of: 'layer-1', text: matchCredit('The sights') },
    { of: 'layer-2', text: matchCredit('The spots') },
  ])
})
