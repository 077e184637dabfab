import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '#functions/api/call.ts'
import { v1 } from '#functions/v1/index.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'
import { loader } from './explore.tsx'

// Oakton has a hub, Elmsford has none.
let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
  const records = Array.from({ length: 12 }, (_each, i) => ({ type: `Call ${i}`, minutes: i }))
  await call(v1.source.datum.create, world.as('system'), {
    params: { sourceId: 'far-open' },
    data: records,
  })
})
afterAll(() => world.close())

const visit = (search: string, who: 'anonymous' | 'viewer' = 'anonymous') =>
  loader({
    request: new Request(`http://localhost:8787/explore${search}`),
    params: {},
    context: { ctx: world.as(who), nonce: '' },
  } as unknown as LoaderFunctionArgs)
const leadsTo = async (who?: 'viewer') =>
  Object.fromEntries((await visit('', who)).rows.map(({ id, href }) => [id, href]))

test('every row leads visitors to what they can open: the hub at its own host, or a panel', async () => {
  const { 'far-open': panel, open = '' } = await leadsTo()
  expect(panel).toBe('/explore?source=far-open')
  expect(new URL(open).pathname).toBe('/domains/call/source/open')
  expect(new URL(open).hostname).toMatch(/^oakton\./)
  await world
    .as('system')
    .db.insertInto('placeDomain')
    .values({ host: 'data.oakton.test', placeId: 'oakton', token: 't', verifiedAt: new Date() })
    .execute()
  expect(new URL((await leadsTo()).open ?? '').hostname).toBe('data.oakton.test')
  expect((await leadsTo('viewer'))['far-open']).toBe('/sources/far-open')
})

test('the panel has the first records and their number; its files and API address are public', async () => {
  const { panel } = await visit('?source=far-open')
  if (!panel || panel.isMissing) throw new Error('There is no panel.')
  expect(panel).toMatchObject({
    name: 'far-open',
    place: 'Elmsford',
    dataType: 'Call',
    count: 12,
    hubUrl: null,
  })
  expect(panel.records.rows).toHaveLength(10)
  expect(panel.records.columns.map(({ label }) => label)).toEqual(['Type', 'Minutes', 'Received'])
  expect(panel.files.map(({ path }) => path)).toContain('/v1/places/elmsford/sources/far-open/export.csv')
  expect(panel.api).toMatch(/\/v1\/places\/elmsford\/sources\/far-open\/data$/)
})

test.each(['far-inner', 'inner', 'secret', 'nobody', '<script>'])(
  '%s is not found for a visitor',
  async (id) => {
    const { panel, rows } = await visit(`?source=${encodeURIComponent(id)}`)
    expect(panel).toEqual({ isMissing: true })
    expect(rows.length).toBeGreaterThan(0)
  },
)
