import { afterAll, beforeAll, expect, test } from 'vitest'
import { ingest } from '#functions/domain/records/ingest.ts'
import { call } from '#functions/api/call.ts'
import { requireConforming } from '#functions/api/conform.ts'
import { v1 } from '#functions/v1/index.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
const getFutureDate = () => new Date(Date.now() + 91 * 86_400_000)
beforeAll(async () => {
  world = await openWorld(city)
  for (const source of ['open', 'inner', 'far-open'])
    await ingest(world.as('system'), source, [{ type: 'noise', minutes: 1 }])
})
afterAll(() => world.close())

async function ask(person: Person, now?: () => Date) {
  const { attention } = v1.place
  const result = await call(attention, world.as(person, now ? { now } : {}), {
    params: { placeId: 'oakton' },
  })
  requireConforming({ name: 'place.attention', endpoint: attention }, result)
  return result
}

test('reports data unchanged for 90 days, of what one may see in the place', async () => {
  expect((await ask('organization_admin')).staleSources).toEqual([])
  const ids = (await ask('organization_admin', getFutureDate)).staleSources.map(({ id }) => id).sort()
  expect(ids).toEqual(['inner', 'open'])
  await expect(ask('anonymous')).rejects.toMatchObject({ kind: 'unauthenticated' })
})

test('reports an importer after its last run failed, until one succeeds', async () => {
  const { db } = world.as('system')
  const importer = await db
    .selectFrom('importer')
    .selectAll()
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
  const run = (id: string, status: 'failed' | 'succeeded' | 'running', minute: number) =>
    db
      .insertInto('job')
      .values({
        ...{ id, importerId: importer.id, sourceId: importer.sourceId, placeId: importer.placeId, status },
        ...{ trigger: 'manual', error: status === 'failed' ? 'It broke.' : null },
        queuedAt: new Date(Date.UTC(2027, 0, 1, 0, minute)),
        finishedAt: status === 'running' ? null : new Date(Date.UTC(2027, 0, 1, 0, minute)),
        dueAt: new Date(),
      })
      .execute()
  const listFailingJobs = async () => (await ask('organization_admin')).importers.map(({ jobId }) => jobId)
  await run('broke', 'failed', 1)
  expect(await listFailingJobs()).toEqual(['broke'])
  await run('again', 'running', 2)
  expect(await listFailingJobs()).toEqual(['broke'])
  await db.updateTable('job').set({ status: 'succeeded' }).where('id', '=', 'again').execute()
  expect(await listFailingJobs()).toEqual([])
  // A run that succeeded may still have rejected rows.
  expect((await ask('organization_admin')).refusing).toEqual([])
  const counts = { read: 9, created: 7, updated: 0, unchanged: 0, removed: 0, rejected: 2 }
  await db
    .updateTable('job')
    .set({ counts: JSON.stringify(counts) })
    .where('id', '=', 'again')
    .execute()
  expect((await ask('organization_admin')).refusing).toMatchObject([{ jobId: 'again', rejected: 2, read: 9 }])
})
