import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { send } from './testing/ask.testing.ts'
import { bombs, get, nested, rewritten, times } from './testing/bombs.testing.ts'
import { writeMeasurements } from './testing/figures.testing.ts'
import { openProofWorld, type ProofWorld } from './testing/world.testing.ts'

/** Expensive queries are rejected before they are run. */
let world: ProofWorld
beforeAll(async () => {
  world = await openProofWorld()
})
const measurements = { bombs: 0, 'worst of them, ms': 0 }
afterAll(async () => {
  writeMeasurements('bombs', measurements)
  await world.close()
})

/** CPU milliseconds of the fastest of five runs; waiting does not count. */
async function cost(run: () => Promise<unknown>): Promise<number> {
  let least = Infinity
  for (let i = 0; i < 5; i += 1) {
    const before = process.cpuUsage()
    await run()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

describe.each(bombs)('%s', (_name, make, status, path) => {
  test(`is ${status}, in less than 100 ms`, async () => {
    const asker = world.asker('anonymous')
    const wire = make()
    const answer = await send(world, asker, wire)
    expect(answer.reported).toEqual([])
    const { fields } = answer.json as { fields: { path: unknown[] }[] }
    expect([answer.status, answer.text.slice(0, 300)]).toEqual([status, expect.any(String)])
    if (path) expect(fields[0]?.path.slice(0, path.length)).toEqual(path)
    expect(answer.text.length).toBeLessThan(200_000)
    const ms = await cost(() => send(world, asker, wire))
    measurements.bombs += 1
    measurements['worst of them, ms'] = Math.max(measurements['worst of them, ms'], ms)
    expect(ms).toBeLessThan(100)
  })
})

test('queries just within the limits are answered', async () => {
  const asker = world.asker('anonymous')
  for (const wire of [
    rewritten({ filters: [{ $or: times(500, (i) => ({ 'data.type': `Type ${i}` })) }] }),
    get(`search=${'x'.repeat(150)}`, '/sources'),
    rewritten(`{"filters":${nested(5)}}`),
  ])
    expect((await send(world, asker, wire)).status).toBe(200)
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
})
