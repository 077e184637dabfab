import { afterAll, beforeAll, expect, test } from 'vitest'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'
import { openHubs } from '#functions/jobs/publish/trouble.testing.ts'
import { publishHubs } from './publish-hub.ts'

let world: TestWorld
let hubs: ReturnType<typeof openHubs>
let clock = Date.UTC(2026, 10, 22)

beforeAll(async () => {
  world = await openWorld(city)
  hubs = openHubs(world)
  hubs.ctx.now = () => new Date(clock)
  // Each page takes a whole step.
  hubs.state.instead = () => void (clock += 31_000)
  await hubs.ctx.db.updateTable('place').set({ isHub: true }).where('id', '=', 'oakton').execute()
})
afterAll(() => world.close())

/** A Worker that handles one message of its queue; only the first names hubs. */
function openQueue(handle: (places: string[]) => Promise<void>) {
  const count = { messages: 0 }
  type Message = { body: { placeId?: string } }
  const queue = async (_name: string, messages: readonly unknown[]) => {
    count.messages += 1
    await handle((messages as Message[]).flatMap(({ body }) => body.placeId ?? []))
    return {
      outcome: 'ok' as const,
      retryBatch: { retry: false },
      ackAll: true,
      retryMessages: [],
      explicitAcks: [],
    }
  }
  return { worker: { queue }, count }
}

test('a first stage of many steps is progress, although it serves nothing until its end', async () => {
  const { worker, count } = openQueue(hubs.publish)
  await publishHubs(worker, world.database.env, ['oakton'], 0)
  expect(count.messages).toBeGreaterThan(3)
  const hub = await hubs.ctx.db
    .selectFrom('hub')
    .select('manifest')
    .where('placeId', '=', 'oakton')
    .executeTakeFirst()
  expect(hub?.manifest).toBeGreaterThan(0)
})

test('a queue in which nothing happens is not waited for', async () => {
  await hubs.emit('hub', {})
  const { worker } = openQueue(async () => {})
  await expect(publishHubs(worker, world.database.env, ['oakton'], 0)).rejects.toThrow('makes no progress')
})
