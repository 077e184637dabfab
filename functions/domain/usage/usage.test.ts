import { afterAll, beforeAll, expect, test } from 'vitest'
import { ingest } from '#functions/domain/records/ingest.ts'
import { snapshotUsage } from './usage-snapshot.ts'
import { call } from '#functions/api/call.ts'
import { requireConforming } from '#functions/api/conform.ts'
import { countRequest, flushUsage } from '#functions/jobs/usage/count.ts'
import { v1 } from '#functions/v1/index.ts'
import { city } from '#db/worlds/city.ts'
import { asReader } from '#functions/v1/testing/with-reason.testing.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

/** The clock of the tests: shortly after the end of February. */
const now = () => new Date('2026-03-01T00:30:00Z')

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
  const at = '2026-01-01T00:00:00Z'
  const record = (id: number) => ({ type: `t${id}`, minutes: id, receivedAt: at })
  await ingest(world.as('system'), 'open', [1, 2, 3].map(record))
  await ingest(world.as('system'), 'far-open', [record(4)])
  countRequest(new Date('2026-02-28T23:59:59Z'), 'oakton', 'call', 'export')
  countRequest(new Date('2026-03-01T00:00:00Z'), 'oakton', null, 'request')
  countRequest(new Date('2026-01-30T23:59:59Z'), 'oakton', null, 'request')
  countRequest(new Date('2026-01-31T00:00:00Z'), 'oakton', null, 'request')
  await flushUsage(world.as('system').db)
})
afterAll(() => world.close())

const readPlaceUsage = async (person: Person) => {
  const usage = await call(v1.place.usage, await asReader(world, person, { now }), {
    params: { placeId: 'oakton' },
  })
  requireConforming({ name: 'place.usage', endpoint: v1.place.usage }, usage)
  return usage
}

test('a place sees what it stores, and the requests on each of 30 days', async () => {
  const usage = await readPlaceUsage('organization_admin')
  const { days, ...figures } = usage
  // Three files of eight bytes each; the records are not counted in bytes yet.
  expect(figures).toEqual({ dataTypes: 2, sources: 4, data: 3, insights: 2, users: 5, storageBytes: 24 })
  expect(days).toHaveLength(30)
  expect(days[0]).toEqual({ day: '2026-01-31', requests: 1, exports: 0, records: null, storageBytes: null })
  expect(days.slice(-2)).toMatchObject([
    { day: '2026-02-28', requests: 1, exports: 1 },
    { day: '2026-03-01', requests: 1, exports: 0 },
  ])
  expect(days.reduce((sum, { requests }) => sum + requests, 0)).toBe(3)
  expect(await readPlaceUsage('support')).toEqual(usage)
  await expect(readPlaceUsage('member')).rejects.toMatchObject({ kind: 'forbidden' })
})

test('the daily count stores records and bytes, and is idempotent', async () => {
  for (let times = 0; times < 2; times++) await snapshotUsage(world.as('system', { now }))
  const { days, storageBytes } = await readPlaceUsage('organization_admin')
  const today = days.at(-1)
  expect(today).toMatchObject({ requests: 1, records: 3, storageBytes })
  const rows = await world
    .as('system')
    .db.selectFrom('usageDay')
    .select(['placeId', 'dataTypeId', 'records', 'storageBytes'])
    .where('records', 'is not', null)
    .orderBy('placeId')
    .orderBy('dataTypeId')
    .execute()
  expect(rows.map(({ placeId, dataTypeId, records }) => [placeId, dataTypeId, records])).toEqual([
    ['elmsford', '', '1'],
    ['elmsford', 'call', '1'],
    ['oakton', '', '3'],
    ['oakton', 'call', '3'],
  ])
  const bytes = (i: number) => Number(rows[i]?.storageBytes)
  expect(bytes(1)).toBeGreaterThan(0)
  // A table is shared by the number of records; files are the place's own.
  expect(bytes(3) / bytes(1)).toBeCloseTo(3, 2)
  expect(bytes(2) - bytes(3)).toBe(24)
})

test('a data type in a place: records, sources, last change, requests', async () => {
  const readDataTypeUsage = async (dataTypeId: string, person: Person = 'content_admin') => {
    const params = { placeId: 'oakton', dataTypeId }
    const usage = await call(v1.place.dataType.usage, world.as(person, { now }), { params })
    requireConforming({ name: 'place.dataType.usage', endpoint: v1.place.dataType.usage }, usage)
    return usage
  }
  const { days, ...figures } = await readDataTypeUsage('call')
  expect(figures).toEqual({ records: 3, sources: 4, lastUpdate: expect.any(Date) as Date, requests: 1 })
  expect(days.at(-2)).toMatchObject({ day: '2026-02-28', requests: 1, exports: 1 })
  expect(await readDataTypeUsage('tree')).toMatchObject({
    records: 0,
    sources: 0,
    lastUpdate: null,
    requests: 0,
  })
  await expect(readDataTypeUsage('lamp')).rejects.toMatchObject({ kind: 'notFound' })
})
