import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openHubs } from './trouble.testing.ts'
import { isAnyToPublish } from '#functions/domain/outbox/outbox-reader.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'
import { isFullRun, writeMeasurements } from '#functions/v1/testing/figures.testing.ts'

/**
 * The storage fails for one of three hubs, for ten minutes of a fake clock: delays in the database are
 * advanced instead of awaited, and queue messages arrive when due. Pages are read as a reader would.
 */
const outageSeconds = isFullRun ? 600 : 60
const seeds = isFullRun ? [1, 2, 3, 4, 5] : [1]
/** The maximum delay of a message in the queue (`max_batch_timeout`), in seconds. */
const batchSeconds = 1
const places = ['oakton', 'elmsford', 'ashford']

let world: TestWorld
let hubs: ReturnType<typeof openHubs>

beforeAll(async () => {
  world = await openWorld(city)
  hubs = openHubs(world)
  const { db } = hubs.ctx
  await db
    .insertInto('place')
    .values({
      ...{ id: 'ashford', name: 'Ashford', displayName: 'Ashford', timeZone: 'UTC' },
      ...{ theme: '{}', mapConfiguration: '{}', boundaryId: null, createdBy: null },
    })
    .execute()
  await db.updateTable('place').set({ isHub: true }).where('id', 'in', places).execute()
  await hubs.publish(places)
})
afterAll(() => world.close())

/** A seeded random generator. */
function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

test.each(seeds)(
  'other hubs are not affected, and the hub is correct soon after the storage recovers (seed %i)',
  async (seed) => {
    const random = vi.spyOn(Math, 'random').mockImplementation(chance(seed))
    let now = 0
    const queue: number[] = []
    hubs.ctx.wake = (_kind, delaySeconds = 0) => void queue.push(now + Math.ceil(delaySeconds) + batchSeconds)
    let messages = 0
    /** Advances the clock, delivering every due message and cron run. */
    const advanceClock = async (moment: number) => {
      while (now < moment) {
        const minute = (Math.floor(now / 60) + 1) * 60
        const next = Math.min(moment, minute, ...queue)
        await hubs.wait(next - now)
        now = next
        const due = queue.filter((time) => time <= now)
        if (due.length === 0 && now === minute && (await isAnyToPublish(hubs.ctx))) due.push(now)
        if (due.length === 0) continue
        queue.splice(0, queue.length, ...queue.filter((time) => time > now))
        messages += due.length
        await hubs.publish()
      }
    }
    const correct = async (placeId: string, words: string) => {
      hubs.state.words = words
      await hubs.emit('source', { id: 'open' }, placeId)
      hubs.ctx.wake('outbox')
    }
    const readAboutPage = async (placeId: string) => (await hubs.read('/about', placeId)).text

    hubs.fault.fails = (key) => key.startsWith('hubs/oakton/') || key.startsWith('site/oakton.')
    hubs.state.visited.length = 0
    await correct('oakton', `corrected ${seed}`)
    let slowest = 0
    for (let moment = 20; moment <= outageSeconds; moment += 20) {
      const [placeId = ''] = [['elmsford', 'ashford'][(moment / 20) % 2]]
      const words = `${seed} ${moment}`
      const before = now
      await correct(placeId, words)
      await advanceClock(now + 5)
      expect(await readAboutPage(placeId)).toBe(`${words} /about`)
      slowest = Math.max(slowest, now - before)
      await advanceClock(moment)
    }
    const attempts = hubs.state.visited.filter((each) => each === 'oakton /about').length
    const [during] = [messages]
    hubs.fault.fails = null
    hubs.state.words = `right ${seed}`
    const ended = now
    while (now < ended + 300 && (await hubs.open('oakton')) > 0) await advanceClock(now + 1)
    const seconds = now - ended
    expect(await readAboutPage('oakton')).toBe(`right ${seed} /about`)
    expect(await hubs.ctx.db.selectFrom('publishFailure').selectAll().execute()).toEqual([])
    expect(seconds).toBeLessThanOrEqual(10)
    // The storage is probed, and nothing is rendered while it fails.
    expect(attempts).toBeLessThanOrEqual(1)
    expect(during).toBeLessThan(outageSeconds)
    random.mockRestore()
    worst.seconds = Math.max(worst.seconds, seconds)
    worst.others = Math.max(worst.others, slowest)
    worst.messages = Math.max(worst.messages, during)
    writeMeasurements('hub-faults', {
      'seeds of failing storages': seeds.indexOf(seed) + 1,
      'seconds of failing storage': outageSeconds,
      'seconds until a hub was right after it': worst.seconds,
      'seconds until a change of another hub was seen': worst.others,
      'messages of the queue meanwhile': worst.messages,
    })
  },
)

const worst = { seconds: 0, others: 0, messages: 0 }
