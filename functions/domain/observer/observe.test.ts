import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { claim } from './claim.ts'
import { queryObserved } from './query-observed.ts'
import { observe } from './observe.ts'
import { storeObservation } from './store-observation.ts'
import { countAggregation, openObserverFixture, summed, type ObserverFixture } from './testing.ts'
import * as observers from './observers.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { wipe } from '#functions/domain/records/remove.ts'
import { updateRecord } from '#functions/domain/records/single.ts'
import type { Condition } from '#functions/shapes/observer.ts'
import { hasRealPostgres } from '#db/testing.ts'
import { isCrossSection } from '#functions/v1/testing/figures.testing.ts'

let bed: ObserverFixture
let n = 0
beforeAll(async () => {
  bed = await openObserverFixture()
})
afterAll(() => bed.close())
beforeEach(async () => {
  const { db } = bed.world.as('system')
  await db.updateTable('observer').set({ deletedAt: new Date() }).execute()
  for (const id of ['open', 'inner', 'secret', 'mine']) await wipe(bed.world.as('system'), id)
  await bed.observe()
})

const system = () => bed.world.as('system')
const ingestCalls = (sourceId: string, ...minutes: number[]) =>
  ingest(
    system(),
    sourceId,
    minutes.map((each) => ({ type: each % 2 ? 'odd' : 'even', minutes: each, receivedAt: toTimestamp(n++) })),
  )
const toTimestamp = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString()
const replace = (value: number) =>
  ingest(system(), 'open', [{ type: 'x', minutes: value }], { mode: 'replace' })
const kinds = async (id: string) => (await bed.alerts(id)).map(({ kind }) => kind)
const readObserver = (id: string) =>
  system().db.selectFrom('observer').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('an observer', () => {
  test('alerts once when its condition becomes true, and once when it becomes false', async () => {
    const { id } = await bed.createObserver()
    await ingestCalls('open', 1, 2, 3)
    await bed.observe()
    expect(await bed.alerts(id)).toEqual([])
    await ingestCalls('inner', 4, 5, 6)
    await bed.observe()
    await ingestCalls('open', 7)
    await bed.observe()
    expect(await bed.alerts(id)).toMatchObject([
      { kind: 'alert', title: 'Calls: 6 is above 5', value: 6, datumIds: [] },
    ])
    expect(await readObserver(id)).toMatchObject({ isCrossed: true, isTold: true, lastValue: 7, dueAt: null })
    await wipe(system(), 'open')
    await bed.observe()
    await bed.observe()
    expect((await bed.alerts(id)).at(-1)).toMatchObject({
      kind: 'recovery',
      title: 'Calls: 3 is no longer above 5',
    })
    expect(await kinds(id)).toEqual(['alert', 'recovery'])
  })

  test('follows random values like a slow model, with repeated events', async () => {
    const conditions: Condition[] = [
      ...(['gt', 'gte', 'lt', 'lte', 'eq'] as const).map((operator) => ({
        operator,
        aggregation: summed,
        value: 2,
      })),
      { operator: 'change', aggregation: summed },
    ]
    await replace(9)
    const createdObservers = []
    for (const condition of conditions) createdObservers.push(await bed.createObserver({ condition }))
    await bed.observe()
    const holds = (operator: string, value: number) =>
      ({ gt: value > 2, gte: value >= 2, lt: value < 2, lte: value <= 2, eq: value === 2 })[operator] ?? false
    let state = 7
    const values = [9]
    for (let i = 0; i < (hasRealPostgres && !isCrossSection ? 20 : 8); i++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      const value = (state >>> 20) % 5
      await replace(value)
      if (i % 3 === 0) await bed.requeueEvents()
      await bed.observe()
      values.push(value)
    }
    for (const [i, { id }] of createdObservers.entries()) {
      const operator = conditions[i]?.operator ?? ''
      const right = values.flatMap((value, k) => {
        const before = values[k - 1]
        if (operator === 'change') return before === undefined || before === value ? [] : [`alert ${value}`]
        const [was, is] = [before !== undefined && holds(operator, before), holds(operator, value)]
        return was === is ? [] : [`${is ? 'alert' : 'recovery'} ${value}`]
      })
      const alertTexts = (await bed.alerts(id)).map(({ kind, value }) => `${kind} ${value}`)
      expect(alertTexts, operator).toEqual(right)
      expect(alertTexts.length).toBeGreaterThan(1)
    }
  }, 180_000)

  test('of each record reports new matches once', async () => {
    await ingestCalls('open', 1, 3, 5)
    const { id } = await bed.createObserver({
      condition: { operator: 'each' },
      filters: { 'data.type': 'odd' },
    })
    await ingestCalls('open', 7, 8, 9)
    await ingestCalls('inner', 11)
    await bed.observe()
    await bed.requeueEvents()
    await bed.observe()
    expect(await bed.alerts(id)).toMatchObject([{ title: 'Calls: 3 new records', value: 3 }])
    await ingestCalls('inner', ...Array.from({ length: 150 }, (_, i) => 101 + 2 * i))
    await ingestCalls('open', 12)
    await bed.observe()
    const [, last] = await bed.alerts(id)
    expect(last).toMatchObject({ title: 'Calls: 150 new records', value: 150 })
    expect(last?.datumIds).toHaveLength(100)
    expect(new Set(last?.datumIds).size).toBe(100)
    // Changed and deleted records are not new.
    await updateRecord(system(), 'inner', last?.datumIds[0] ?? '', { minutes: 1001 })
    await bed.observe()
    await wipe(system(), 'inner')
    await bed.observe()
    expect(await bed.alerts(id)).toHaveLength(2)
  })

  test('is silent between two alerts, and loses neither the later alert nor the recovery', async () => {
    const { id } = await bed.createObserver({
      condition: { operator: 'gt', aggregation: summed, value: 5 },
      cooldown: 'PT1H',
    })
    const { id: each } = await bed.createObserver({ condition: { operator: 'each' }, cooldown: 'PT1H' })
    await replace(9)
    await bed.observe()
    await replace(1)
    await bed.observe()
    expect(await kinds(id)).toEqual(['alert', 'recovery'])
    expect(await kinds(each)).toEqual(['alert'])
    await replace(8)
    await bed.observe()
    expect(await kinds(id)).toEqual(['alert', 'recovery'])
    expect(await readObserver(id)).toMatchObject({ isCrossed: true, isTold: false })
    await bed.wait('59 minutes')
    await bed.observe()
    expect(await kinds(id)).toEqual(['alert', 'recovery'])
    await bed.wait('2 minutes')
    await bed.observe()
    expect(await kinds(id)).toEqual(['alert', 'recovery', 'alert'])
    // Records added meanwhile that still exist are notified together.
    expect(await bed.alerts(each)).toMatchObject([{ value: 1 }, { value: 1 }])
    // A crossing that ends within the cooldown is not notified at all.
    await replace(1)
    await bed.observe()
    await replace(7)
    await bed.observe()
    await replace(2)
    await bed.observe()
    expect(await kinds(id)).toEqual(['alert', 'recovery', 'alert', 'recovery'])
  })

  test('with a schedule evaluates at its time, whatever happens to the data', async () => {
    const { id } = await bed.createObserver({ schedule: '0 8 * * *' })
    await ingestCalls('open', 1, 2, 3, 4, 5, 6, 7)
    expect(await bed.observe()).toBe(0)
    const { dueAt } = await readObserver(id)
    expect(dueAt?.getTime()).toBeGreaterThan(Date.now())
    await bed.wait('1 day')
    expect(await bed.observe()).toBe(1)
    expect(await kinds(id)).toEqual(['alert'])
    const [hour] = new Intl.DateTimeFormat('en', {
      timeZone: 'America/New_York',
      hour: '2-digit',
      hour12: false,
    })
      .formatToParts((await readObserver(id)).dueAt ?? 0)
      .map(({ value }) => value)
    expect(hour).toBe('08')
  })
})

describe('data that not everyone in the place may see', () => {
  test('are never reported', async () => {
    const { id } = await bed.createObserver({ condition: { operator: 'each' } })
    const { id: sum } = await bed.createObserver({
      condition: { operator: 'gt', aggregation: countAggregation, value: 0 },
    })
    await ingestCalls('secret', 1, 2, 3)
    await ingestCalls('mine', 1, 2, 3)
    await ingest(system(), 'far-open', [{ type: 'x', minutes: 1 }])
    await bed.observe()
    expect([...(await bed.alerts(id)), ...(await bed.alerts(sum))]).toEqual([])
    await ingestCalls('open', 1)
    await bed.observe()
    expect(await bed.alerts(id)).toMatchObject([{ value: 1 }])
    expect(await bed.alerts(sum)).toMatchObject([{ value: 1 }])
  })

  test('of a private source are not reported, only the reason', async () => {
    const { db } = system()
    const { id } = await bed.createObserver({
      sourceId: 'open',
      condition: { operator: 'lt', aggregation: countAggregation, value: 1 },
    })
    await ingestCalls('open', 1)
    await bed.observe()
    expect(await kinds(id)).toEqual([])
    await db.updateTable('source').set({ visibility: 'private' }).where('id', '=', 'open').execute()
    await db
      .updateTable('observer')
      .set({ dueAt: new Date(0) })
      .where('id', '=', id)
      .execute()
    await bed.observe()
    await db.updateTable('source').set({ visibility: 'public' }).where('id', '=', 'open').execute()
    expect(await kinds(id)).toEqual([])
    const { error, failures, dueAt } = await readObserver(id)
    expect({ error, failures }).toEqual({
      error: 'The source it watches is not open to all of the place.',
      failures: 1,
    })
    expect(dueAt?.getTime()).toBeGreaterThan(Date.now())
    await bed.wait('1 hour')
    await bed.observe()
    expect(await readObserver(id)).toMatchObject({ error: null, failures: 0 })
  })
})

describe('two evaluators at once', () => {
  test('an evaluator that lost its lease reports nothing', async () => {
    const { id } = await bed.createObserver({
      condition: { operator: 'gt', aggregation: countAggregation, value: 0 },
    })
    await ingestCalls('open', 1)
    const slow = await claim(system())
    if (!slow) throw new Error('Nothing is due.')
    const sight = await queryObserved(system(), slow)
    expect(await claim(system())).toBeNull()
    await wipe(system(), 'open')
    await bed.wait('2 minutes')
    await bed.observe()
    expect(await storeObservation(system(), slow, sight)).toBe(false)
    expect(await kinds(id)).toEqual([])
    expect(await readObserver(id)).toMatchObject({ isCrossed: false })
  })

  test('an observer changed during an evaluation is evaluated again', async () => {
    const { id } = await bed.createObserver({
      condition: { operator: 'gt', aggregation: countAggregation, value: 0 },
    })
    await ingestCalls('open', 1)
    const slow = await claim(system())
    if (!slow) throw new Error('Nothing is due.')
    const sight = await queryObserved(system(), slow)
    await observers.updateById(bed.world.as('organization_admin'), {
      params: { placeId: 'oakton', observerId: id },
      options: {},
      placeId: 'oakton',
      data: { condition: { operator: 'gt', aggregation: countAggregation, value: 5 } },
    })
    expect(await storeObservation(system(), slow, sight)).toBe(false)
    expect(await bed.observe()).toBe(1)
    expect(await kinds(id)).toEqual([])
  })

  test('data that arrive during an evaluation make it due again', async () => {
    const { id } = await bed.createObserver({
      condition: { operator: 'gt', aggregation: countAggregation, value: 1 },
    })
    await ingestCalls('open', 1)
    const slow = await claim(system())
    if (!slow) throw new Error('Nothing is due.')
    const sight = await queryObserved(system(), slow)
    await ingestCalls('open', 2)
    await bed.observe()
    expect(await storeObservation(system(), slow, sight)).toBe(true)
    await bed.observe()
    expect(await kinds(id)).toEqual(['alert'])
  })

  test.skipIf(!hasRealPostgres)('many concurrent evaluators report everything once', async () => {
    const createdObservers = []
    for (let i = 0; i < 6; i++)
      createdObservers.push(
        await bed.createObserver({ condition: { operator: 'gt', aggregation: summed, value: 5 } }),
      )
    const { id: each } = await bed.createObserver({ condition: { operator: 'each' } })
    let records = 0
    for (let round = 0; round < 8; round++) {
      await Promise.all([replace(round % 2 ? 1 : 9), bed.requeueEvents()])
      records += 1
      await Promise.all(Array.from({ length: 4 }, () => observe(system(), bed.net.ports)))
      await bed.requeueEvents()
      await Promise.all(Array.from({ length: 3 }, () => observe(system(), bed.net.ports)))
    }
    for (const { id } of createdObservers)
      expect(await kinds(id)).toEqual(Array.from({ length: 8 }, (_, i) => (i % 2 ? 'recovery' : 'alert')))
    const reportedCount = (await bed.alerts(each)).reduce((sum, { value }) => sum + (value ?? 0), 0)
    expect(reportedCount).toBe(records)
  })
})

test('one that fails does not block others, and says why', async () => {
  const { id: brokenId } = await bed.createObserver({ name: 'Broken' })
  const { id } = await bed.createObserver({
    condition: { operator: 'gt', aggregation: countAggregation, value: 0 },
  })
  const condition = {
    operator: 'gt',
    value: 0,
    aggregation: { function: 'max', arguments: [{ field: 'data.gone' }] },
  }
  await system()
    .db.updateTable('observer')
    .set({ condition: JSON.stringify(condition) })
    .where('id', '=', brokenId)
    .execute()
  await ingestCalls('open', 1)
  await bed.observe()
  expect(await kinds(id)).toEqual(['alert'])
  expect(await readObserver(brokenId)).toMatchObject({
    failures: 1,
    error: expect.stringContaining('data.gone') as string,
  })
})
