import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort, openWorker } from '../local.ts'
import { publishHubs } from '../publish-hub.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { createAccountKey } from '#functions/domain/identity/keys.ts'

/** A Worker and a database of this file alone, because the last test stops them. */
let world: TestWorld
let worker: Awaited<ReturnType<typeof openWorker>>
let origin: string
let key: string
let isStopped = false

beforeAll(async () => {
  world = await openWorld(city)
  const system = world.as('system')
  const types = ['noise', 'fire', 'noise', 'tree']
  await ingest(
    system,
    'open',
    types.map((type, minutes) => ({ type, minutes })),
  )
  key = (await createAccountKey(system.db, 'organization_admin', 'walk')).key
  const port = await findFreePort()
  origin = `http://127.0.0.1:${port}`
  const vars = { APP_HOST: `127.0.0.1:${port}`, ENVIRONMENT: 'test' }
  worker = await openWorker({
    env: world.database.env,
    port,
    folder: null,
    vars,
  })
  await publish()
}, 180_000)
afterAll(async () => {
  await worker?.close()
  if (!isStopped) await world?.close()
})

/** Processes the pending events by the queue's consumer. */
async function publish() {
  await publishHubs(worker.worker, world.database.env, ['oakton'])
  await new Promise((resolve) => setTimeout(resolve, 2100))
}

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${origin}/v1${path}`, { headers })
  const how = /desc="([\w-]+)"/.exec(response.headers.get('server-timing') ?? '')?.[1]
  return { status: response.status, how, headers: response.headers, text: await response.text() }
}

const count = 'aggregations[0][alias]=n&aggregations[0][value][function]=count'
const questions = [
  '/sources/open/data?limit=2',
  '/places/oakton/sources/open/data',
  '/places/oakton/sources/open/fields',
  '/places/oakton/sources/open/values?field=data.type',
  '/places/oakton/sources/open/data/cluster?zoom=3',
  `/places/oakton/sources/open/analytics?${count}`,
  '/places/oakton/dataTypes/call/data',
  `/places/oakton/dataTypes/call/analytics?${count}&groupings[0][field]=data.type`,
  '/places/oakton/insights/calls/analytics',
  '/places/oakton/insights/calls/analytics?limit=1',
]

test.each(questions)('computes %s once', async (path) => {
  const first = await get(path)
  expect([first.status, first.how]).toEqual([200, 'miss'])
  const again = await get(path)
  expect([again.status, again.how, again.text]).toEqual([200, 'hit-memory', first.text])
  const notModified = await get(path, { 'if-none-match': first.headers.get('etag') ?? '' })
  expect([notModified.status, notModified.how, notModified.text]).toEqual([304, 'hit-memory', ''])
  // A stored answer has all headers of a live one, except those about the request.
  const names = (headers: Headers) => [...headers.keys()].filter((name) => name !== 'date').sort()
  expect(names(again.headers)).toEqual(names(first.headers))
  for (const name of names(first.headers))
    if (name !== 'x-request-id' && name !== 'server-timing')
      expect([name, again.headers.get(name)]).toEqual([name, first.headers.get(name)])
  // Computed live, with the same ETag: an answer to an API key is private, so it is not stored.
  const own = await get(path, { authorization: `Bearer ${key}` })
  expect([own.status, own.how, own.headers.get('cache-control')]).toEqual([
    200,
    undefined,
    'private, no-cache',
  ])
})

test('never stores what is not public', async () => {
  for (const path of ['/sources/inner/data', '/places/oakton/insights/inner-calls/analytics']) {
    expect((await get(path, { authorization: `Bearer ${key}` })).status).toBe(200)
    for (let i = 0; i < 2; i += 1) expect(await get(path)).toMatchObject({ status: 404, how: 'miss' })
  }
})

test('shows new records once their event is processed, and no old answer after that', async () => {
  const path = `/places/oakton/dataTypes/call/analytics?${count}`
  const before = await get(path)
  expect(before.text).toContain('"n":4')
  await ingest(world.as('system'), 'open', [{ type: 'late', minutes: 9 }])
  await publish()
  const after = await get(path)
  expect([after.how, after.text.includes('"n":5')]).toEqual(['miss', true])
  expect((await get(path)).how).toBe('hit-memory')
})

test('a source that turns private is gone within five seconds, and back when it is public again', async () => {
  const setVisibility = async (visibility: string) => {
    const { version } = JSON.parse((await get('/sources/open', { authorization: `Bearer ${key}` })).text) as {
      version: number
    }
    const response = await fetch(`${origin}/v1/sources/open`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ visibility, version }),
    })
    expect(response.status).toBe(200)
    return Date.now()
  }
  for (const path of questions) expect((await get(path)).status).toBe(200)
  const at = await setVisibility('private')
  await expect.poll(async () => (await get(questions[0] ?? '')).status, { timeout: 5000 }).toBe(404)
  expect(Date.now() - at).toBeLessThan(5000)
  for (const path of questions.filter((each) => each.includes('/sources/')))
    expect([path, (await get(path)).status]).toEqual([path, 404])
  // Questions about all public sources are answered without it.
  const insight = await get('/places/oakton/insights/calls/analytics')
  expect(insight.text).toContain('"total":0')
  await setVisibility('public')
  await expect.poll(async () => (await get(questions[0] ?? '')).status, { timeout: 5000 }).toBe(200)
})

test('with the database stopped, earlier questions are still answered', async () => {
  await publish()
  for (const path of questions) expect((await get(path)).status).toBe(200)
  isStopped = true
  await world.close()
  expect((await get('/sources/open/data?limit=3')).status).toBeGreaterThanOrEqual(500)
  for (const path of questions) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => get(path)))
    expect([path, ...new Set(answers.map(({ status, how }) => `${status} ${how}`))]).toEqual([
      path,
      '200 hit-memory',
    ])
  }
}, 60_000)
