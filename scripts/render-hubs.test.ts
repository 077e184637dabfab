import { afterAll, beforeAll, expect, test } from 'vitest'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'
import { openHubs } from '#functions/jobs/publish/trouble.testing.ts'
import { renderHubs } from './render-hubs.ts'

let world: TestWorld
let hubs: ReturnType<typeof openHubs>

beforeAll(async () => {
  world = await openWorld(city)
  hubs = openHubs(world)
  await hubs.ctx.db
    .updateTable('place')
    .set({ isHub: true })
    .where('id', 'in', ['oakton', 'elmsford'])
    .execute()
})
afterAll(() => world.close())

test('reports a page that cannot be rendered, and stops neither the start nor another hub', async () => {
  hubs.state.instead = (placeId, path) => {
    if (placeId === 'elmsford' && path === '/about') throw new Error('no such chart')
  }
  const lines: string[] = []
  const kinds: string[] = []
  const worker = {
    async queue(name: string, messages: { body: unknown }[]) {
      const requests = messages.map(({ body }) => body as { kind: string; placeId?: string })
      kinds.push(...requests.map(({ kind }) => kind))
      if (name === 'events' && requests.every(({ kind }) => kind !== 'exports'))
        await hubs.publish(requests.flatMap(({ placeId }) => placeId ?? []))
      return { outcome: 'ok' }
    },
  }
  await renderHubs({ env: world.database.env }, worker, hubs.hubs as unknown as R2Bucket, (line) =>
    lines.push(line),
  )
  // What pages show of sources is made before them.
  expect(kinds.slice(0, 2)).toEqual(['exports', 'hub'])
  expect(lines.join('\n')).toMatch(
    /elmsford is not rendered yet, and is tried again in the background: something unexpected went wrong/,
  )
  expect((await hubs.read('/about', 'oakton')).text).toBe('first /about')
  expect(await (await hubs.hubs.get('build'))?.text()).toMatch(/^[0-9a-f]{16}$/)
})
