import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveV1 } from './serve.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
  await add()
})
afterAll(() => world.close())

let minutes = 5
/** Adds a new record. */
const add = () => ingest(world.as('system'), 'open', [{ minutes: (minutes += 1), type: 'fire' }])

async function get(path: string, tag: string | null = null, person: Person = 'anonymous') {
  const headers = new Headers(tag === null ? {} : { 'if-none-match': tag })
  const ctx = world.as(person)
  const requestContext = { ...ctx, request: { ...ctx.request, headers } }
  const response = await serveV1(new Request(`http://localhost:8787/v1${path}`, { headers }), requestContext)
  return { status: response.status, tag: response.headers.get('etag'), text: await response.text() }
}

const source = '/places/oakton/sources/open'
const count = 'aggregations[0][alias]=n&aggregations[0][value][function]=count'
const asks = [
  `${source}/analytics?${count}`,
  `${source}/data`,
  `${source}/data?limit=5`,
  `${source}/values?field=data.type`,
  `${source}/fields`,
  `${source}/export?format=csv`,
  `${source}/data/cluster?zoom=3`,
  '/places/oakton/dataTypes/call/analytics?' + count,
  '/places/oakton/insights/calls/analytics',
  '/places/oakton/insights/calls/analytics?limit=1',
]

test.each(asks)('%s is not computed again until the data change', async (path) => {
  const first = await get(path)
  expect([first.status, first.tag]).toEqual([200, expect.stringMatching(/^W\/"/)])
  expect(await get(path, first.tag)).toEqual({ status: 304, tag: first.tag, text: '' })
  await add()
  const newResponse = await get(path, first.tag)
  expect([newResponse.status, newResponse.tag === first.tag]).toEqual([200, false])
})

test('the dependencies of an answer differ by actor', async () => {
  const [path = ''] = asks
  const { tag } = await get(path, null, 'organization_admin')
  expect((await get(path, tag, 'anonymous')).status).toBe(200)
  expect((await get(path, tag, 'organization_admin')).status).toBe(304)
})

test('a query that depends on the current time has no versions', async () => {
  const last = 'filters[0][function]=gte&filters[0][arguments][0][field]=data.receivedAt'
  const path = `${source}/data?${last}&filters[0][arguments][1][function]=last&filters[0][arguments][1][arguments][0]=P7D`
  const first = await get(path)
  expect([first.status, first.tag]).toEqual([200, expect.stringMatching(/^"/)])
  const changes = await ingest(world.as('system'), 'open', [
    { id: 'now', receivedAt: new Date().toISOString().slice(0, 19) },
  ])
  expect(changes.created).toBe(1)
  expect((await get(path, first.tag)).status).toBe(200)
})

test('a changed insight is computed again', async () => {
  const path = '/places/oakton/insights/calls/analytics'
  const { tag } = await get(path)
  const { db } = world.as('system')
  await db.updateTable('insight').set({ version: 9 }).where('id', '=', 'calls').execute()
  expect((await get(path, tag)).status).toBe(200)
})
