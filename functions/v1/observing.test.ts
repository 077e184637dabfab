import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveV1 } from './serve.ts'
import { observe } from '#functions/domain/observer/observe.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

async function ask<Answer>(person: Person, method: string, path: string, body?: unknown) {
  const init: RequestInit = { method }
  if (body !== undefined) {
    init.body = JSON.stringify(body)
    init.headers = { 'content-type': 'application/json', origin: 'http://localhost:8787' }
  }
  const ctx = world.as(person)
  const response = await serveV1(new Request(`http://localhost:8787/v1${path}`, init), ctx)
  expect(response.status, path).toBeLessThan(300)
  return { answer: (await response.json()) as Answer, woken: ctx.woken() }
}
const countUnread = async (observerId: string) => {
  const { answer } = await ask<{ byObserver: Record<string, number> }>(
    'viewer',
    'GET',
    '/places/oakton/observers/unread',
  )
  return answer.byObserver[observerId] ?? 0
}

test('observer, data, alert, unread, read: through the API alone', async () => {
  const { answer: createdObserver } = await ask<{ id: string }>(
    'organization_admin',
    'POST',
    '/places/oakton/observers',
    {
      name: 'Noise',
      dataTypeId: 'call',
      condition: { operator: 'each' },
      filters: { 'data.type': 'noise' },
    },
  )
  const base = `/places/oakton/observers/${createdObserver.id}`
  const { woken } = await ask('content_admin', 'POST', '/sources/inner/data', [
    { type: 'noise', minutes: 3 },
    { type: 'fire', minutes: 4 },
  ])
  expect(woken).toBe(1)
  // Runs the queue's work.
  await observe(world.as('system'))
  expect(await countUnread(createdObserver.id)).toBe(1)
  const { answer: list } = await ask<{ results: { id: string; title: string; datumIds: string[] }[] }>(
    'viewer',
    'GET',
    `${base}/alerts`,
  )
  expect(list.results).toMatchObject([{ title: 'Noise: 1 new record', value: 1, read: false }])
  const [alert] = list.results
  const { answer: datum } = await ask(
    'viewer',
    'GET',
    `/places/oakton/dataTypes/call/data/${alert?.datumIds[0] ?? ''}`,
  )
  expect(datum).toMatchObject({ data: { type: 'noise', minutes: 3 } })
  const { answer: read } = await ask('viewer', 'GET', `${base}/alerts/${alert?.id ?? ''}`)
  expect(read).toMatchObject({ read: true, kind: 'alert' })
  expect(await countUnread(createdObserver.id)).toBe(0)
  const { answer: observer } = await ask('viewer', 'GET', base)
  expect(observer).toMatchObject({ unreadCount: 0, error: null, dueAt: null })
  expect(observer).toHaveProperty('lastAlertAt', expect.any(String))
})
