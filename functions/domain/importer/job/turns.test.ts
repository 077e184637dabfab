import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { claim, isAnyDue, Lease, type ClaimedRun } from './claim.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

const ctx = () => world.as('system')
const sourceByPlace: Record<string, string> = { oakton: 'inner', elmsford: 'far-inner' }

/** Runs that wait, in this order of their time: their places. */
async function queue(places: string[]) {
  const { db } = ctx()
  await db.deleteFrom('job').execute()
  for (const [i, placeId] of places.entries()) {
    const id = `${placeId}-${i}`
    const sourceId = sourceByPlace[placeId] ?? ''
    const created = { name: id, sources: '[]', mapping: '{}', createdBy: null }
    await db
      .insertInto('importer')
      .values({ id, sourceId, placeId, ...created })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const dueAt = new Date(Date.now() - 3600_000 + i * 1000)
    await db
      .insertInto('job')
      .values({ id, importerId: id, sourceId, placeId, trigger: 'manual', createdBy: null, dueAt })
      .execute()
  }
}
const claimId = async () => (await claim(ctx()))?.id ?? null
const end = (id: string) =>
  ctx()
    .db.updateTable('job')
    .set({ status: 'succeeded', finishedAt: new Date() })
    .where('id', '=', id)
    .execute()

beforeEach(() => queue([]))

test('two runs of a place are active at a time, and the next begins when one ends', async () => {
  await queue(['oakton', 'oakton', 'oakton'])
  expect([await claimId(), await claimId()]).toEqual(['oakton-0', 'oakton-1'])
  expect(await isAnyDue(ctx())).toBe(false)
  expect(await claimId()).toBeNull()
  await end('oakton-0')
  expect(await isAnyDue(ctx())).toBe(true)
  expect(await claimId()).toBe('oakton-2')
  expect(await claimId()).toBeNull()
})

test('a run between two steps keeps its slot, and one that waits for its server releases it', async () => {
  await queue(['oakton', 'oakton', 'oakton'])
  const [first, second] = [await claim(ctx()), await claim(ctx())]
  const lease = (job: ClaimedRun | null) => new Lease(ctx(), job ?? { id: '', fence: 0 })
  await lease(first).free()
  expect(await claimId()).toBe('oakton-0')
  await lease(second).wait(60, 'The server is busy.')
  expect(await claimId()).toBe('oakton-2')
  // It is due, but there is no free slot.
  await ctx()
    .db.updateTable('job')
    .set({ dueAt: new Date(0) })
    .where('id', '=', 'oakton-1')
    .execute()
  expect(await claimId()).toBeNull()
  await end('oakton-0')
  expect(await claimId()).toBe('oakton-1')
})

test('a run told to stop is processed regardless of the limit', async () => {
  await queue(['oakton', 'oakton', 'oakton'])
  const first = await claim(ctx())
  await new Lease(ctx(), first ?? { id: '', fence: 0 }).wait(60, 'The server is busy.')
  expect([await claimId(), await claimId()]).toEqual(['oakton-1', 'oakton-2'])
  await ctx().db.updateTable('job').set({ status: 'stopping' }).where('id', '=', 'oakton-0').execute()
  expect(await claimId()).toBe('oakton-0')
})

test('places take turns, however many runs of one wait', async () => {
  await queue(['oakton', 'oakton', 'oakton', 'oakton', 'elmsford', 'elmsford'])
  const turns: (string | null)[] = []
  for (let i = 0; i < 6; i += 1) {
    const job = await claim(ctx())
    turns.push(job?.placeId ?? null)
    // A step is over, and the run has more to do.
    if (job) await new Lease(ctx(), job).free()
  }
  expect(turns).toEqual(['oakton', 'elmsford', 'oakton', 'elmsford', 'oakton', 'elmsford'])
})

test('many concurrent workers get two runs of each place', async () => {
  const places = Array.from({ length: 8 }, (_, i) => (i % 2 ? 'elmsford' : 'oakton'))
  for (let round = 0; round < 5; round += 1) {
    await queue(places)
    const claimedRuns = await Promise.all(places.map(() => claim(ctx())))
    const of = claimedRuns.map((job) => job?.placeId).filter((placeId) => placeId !== undefined)
    expect(of.sort()).toEqual(['elmsford', 'elmsford', 'oakton', 'oakton'])
  }
})
