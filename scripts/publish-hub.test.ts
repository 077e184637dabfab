import { afterAll, beforeAll, expect, test } from 'vitest'
import { city } from '#db/worlds/city.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { openWorld, type TestContext, type TestWorld } from '#db/worlds/world.ts'
import type { VisitPath } from '#functions/jobs/publish/make-hub.ts'
import { publishOutbox } from '#functions/jobs/publish/publish.ts'
import { publishHubs } from './publish-hub.ts'

let world: TestWorld
let ctx: TestContext
let clock = Date.UTC(2026, 10, 22)

beforeAll(async () => {
  world = await openWorld(city)
  ctx = world.as('system', { hubs: memoryBucket(), files: memoryBucket() })
  ctx.now = () => new Date(clock)
  await ctx.db.updateTable('place').set({ isHub: true }).where('id', '=', 'oakton').execute()
})
afterAll(() => world.close())

const statuses: Record<string, number> = { '/error': 500, '/404': 404 }
/** Each page takes a whole step. */
const visit: VisitPath = async (_hub, path, languages) => {
  clock += 31_000
  const page = { status: statuses[path] ?? 200, type: 'text/html', body: path, files: [], tags: [] }
  return languages.map((locale) => ({ locale, ...page }))
}

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
  const { worker, count } = openQueue((places) => publishOutbox(ctx, visit, () => {}, places))
  await publishHubs(worker, world.database.env, ['oakton'], 0)
  expect(count.messages).toBeGreaterThan(3)
  const hub = await ctx.db
    .selectFrom('hub')
    .select('manifest')
    .where('placeId', '=', 'oakton')
    .executeTakeFirst()
  expect(hub?.manifest).toBeGreaterThan(0)
})

test('a queue in which nothing happens is not waited for', async () => {
  await ctx.db.insertInto('outbox').values({ kind: 'hub', placeId: 'oakton', payload: '{}' }).execute()
  const { worker } = openQueue(async () => {})
  await expect(publishHubs(worker, world.database.env, ['oakton'], 0)).rejects.toThrow('makes no progress')
})
