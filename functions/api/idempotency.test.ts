import { afterAll, beforeAll, expect, test } from 'vitest'
import { forgetKept } from './idempotency.ts'
import { serveV1 } from '#functions/v1/serve.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

function create(key: string, body: unknown, person: Person = 'organization_admin', noun = 'collections') {
  const headers = { 'content-type': 'application/json', 'idempotency-key': key }
  const request = new Request(`http://localhost:8787/v1/places/oakton/${noun}`, {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return serveV1(request, world.as(person))
}

const countCollections = async (name: string) => {
  const { db } = world.as('system')
  const { count } = await db
    .selectFrom('collection')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return Number(count)
}

test('the same request sent again gets the first answer, and nothing is made twice', async () => {
  const first = await create('k1', { name: 'Once' })
  const again = await create('k1', { name: 'Once' })
  expect([first.status, again.status]).toEqual([201, 201])
  expect(await again.json()).toEqual(await first.json())
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect(await countCollections('Once')).toBe(1)
})

test('ten at once make one', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => create('k2', { name: 'Crowd' })))
  const statuses = answers.map((answer) => answer.status)
  expect(statuses.every((status) => status === 201 || status === 409)).toBe(true)
  expect(statuses).toContain(201)
  expect(await countCollections('Crowd')).toBe(1)
})

test('another request with the same key is refused; another person or noun has keys of its own', async () => {
  await create('k3', { name: 'Mine' })
  const other = await create('k3', { name: 'Other' })
  expect([other.status, ((await other.json()) as { fields: { path: string[] }[] }).fields[0]?.path]).toEqual([
    400,
    ['Idempotency-Key'],
  ])
  expect((await create('k3', { name: 'Mine' }, 'content_admin')).status).toBe(201)
  expect((await create('k3', { title: 'Page', type: 'blank' }, 'organization_admin', 'pages')).status).toBe(
    201,
  )
  expect(await countCollections('Mine')).toBe(2)
})

test('a refusal is not kept: what was wrong may be mended under the same key', async () => {
  expect((await create('k4', { name: '' })).status).toBe(400)
  expect((await create('k4', { name: 'Mended' })).status).toBe(201)
  expect((await create('k4b', '['.repeat(20_000) + ']'.repeat(20_000))).status).toBe(400)
  expect((await create('k'.repeat(201), { name: 'Long' })).status).toBe(400)
})

test('an answer is kept for a day, and a request that died holds its key for 15 minutes', async () => {
  const { db } = world.as('system')
  await db
    .updateTable('idempotency')
    .set({ createdAt: new Date(Date.now() - 25 * 3_600_000) })
    .execute()
  await forgetKept(world.as('system'))
  expect(await db.selectFrom('idempotency').select('key').execute()).toEqual([])
  await create('k5', { name: 'Died' })
  const pendingAnswer = { status: null, body: null }
  await db.updateTable('idempotency').set(pendingAnswer).execute()
  expect((await create('k5', { name: 'Died' })).status).toBe(409)
  await db
    .updateTable('idempotency')
    .set({ createdAt: new Date(Date.now() - 16 * 60_000) })
    .execute()
  expect((await create('k5', { name: 'Died' })).status).toBe(201)
})
