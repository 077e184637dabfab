import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '#functions/api/call.ts'
import { requireConforming } from '#functions/api/conform.ts'
import { computeFreshness } from '#functions/engine/catalogue/cadence.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { computeCompleteness } from '#functions/shapes/completeness.ts'
import { v1 } from '#functions/v1/index.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

const bare = {
  ...{ notes: ' ', licence: null, contact: null, cadence: null, tags: [], topic: null },
  ...{ count: 3, extent: null, customFields: {} },
}
const point = { name: 'Where', type: 'point' as const, notes: 'Its door.' }
const dateField = { name: 'Made', type: 'date' as const, notes: 'When it was built.' }
const level = { name: 'Level', type: 'number' as const }

test.each([
  ['nothing is said', bare, null, { done: 0, of: 5, next: 'description' }],
  ['the topic is that of its data type', bare, { category: 'Water', schema: {} }, { done: 1, of: 5 }],
  [
    'a number without a unit or a sentence is not explained',
    { ...bare, notes: 'x', licence: 'CC0', contact: 'a@b.example', cadence: 'daily', topic: 'Water' },
    { category: null, schema: { level } },
    { done: 5, of: 6, next: 'fields' },
  ],
  [
    'one date is plain, and records without a place are missing theirs',
    { ...bare, notes: 'x', licence: 'CC0', contact: 'a@b.example', cadence: 'daily', tags: ['water'] },
    { category: null, schema: { point, made: dateField } },
    { done: 7, of: 8, next: 'geography' },
  ],
  [
    'of two dates someone has to say which is meant; before there are records nobody asks where they are',
    { ...bare, count: 0 },
    { category: null, schema: { point, made: dateField, ended: dateField } },
    { done: 1, of: 7, missing: ['description', 'licence', 'contact', 'cadence', 'categories', 'time'] },
  ],
])('%s', (_what, source, dataType, expectedCompleteness) => {
  expect(computeCompleteness(source, dataType && { temporal: null, ...dataType }, [])).toMatchObject(
    expectedCompleteness,
  )
})

test('counts each required field of the organization, and lists the empty ones', () => {
  const field = (key: string, required: boolean) => ({ key, title: `The ${key}`, required })
  const fields = [field('method', true), field('steward', true), field('remark', false)]
  const source = { ...bare, customFields: { method: 'By hand' } }
  expect(computeCompleteness(source, null, fields)).toMatchObject({
    ...{ done: 1, of: 7, missingFields: [{ key: 'steward', title: 'The steward' }] },
    missing: expect.arrayContaining(['customFields']) as unknown,
  })
  const whole = { ...source, customFields: { method: 'By hand', steward: 'Ann' } }
  expect(computeCompleteness(whole, null, fields)).toMatchObject({ done: 2, of: 7, missingFields: [] })
})

test.each([
  ['daily', null, '2026-03-01', { state: 'empty', expected: null, daysLate: 0 }],
  [null, '2026-01-31', '2026-03-01', { state: 'unknown', expected: null, daysLate: 0 }],
  ['never', '2006-01-31', '2026-03-01', { state: 'unknown', expected: null, daysLate: 0 }],
  ['monthly', '2026-01-31', '2026-02-28', { state: 'fresh', expected: '2026-02-28', daysLate: 0 }],
  ['monthly', '2026-01-31', '2026-03-02', { state: 'late', expected: '2026-02-28', daysLate: 2 }],
] as const)('%s, last data %s: the status on %s', (cadence, last, today, expectedFreshness) => {
  expect(computeFreshness(cadence, last, today)).toEqual(expectedFreshness)
})

test('the list, the rows and the alerts agree which data are late, and none shows invisible sources', async () => {
  await ingest(world.as('system'), 'open', [{ type: 'noise', minutes: 1 }])
  const { db } = world.as('system')
  await db.updateTable('source').set({ cadence: 'weekly' }).where('id', '=', 'open').execute()
  const params = { placeId: 'oakton' }
  const findLateSources = async (person: Person, days: number) => {
    const ctx = world.as(person, { now: () => new Date(Date.now() + days * 86_400_000) })
    const endpoint = v1.place.source.completeness
    const list = await call(endpoint, ctx, { params })
    requireConforming({ name: 'place.source.completeness', endpoint }, list)
    const { staleSources } = await call(v1.place.attention, ctx, { params })
    const rows = await call(v1.place.source.find, ctx, { params })
    return {
      rows: rows?.results.flatMap(({ id, isLate }) => (isLate ? [id] : [])),
      ids: list?.results.map(({ id }) => id),
      late: list?.results.flatMap(({ id, freshness }) => (freshness.state === 'late' ? [id] : [])),
      needs: staleSources.map(({ id }) => id),
    }
  }
  expect(await findLateSources('viewer', 7)).toMatchObject({ late: [], needs: [], rows: [] })
  expect(await findLateSources('viewer', 8)).toMatchObject({
    late: ['open'],
    needs: ['open'],
    rows: ['open'],
  })
  const [viewer, admin] = [await findLateSources('viewer', 0), await findLateSources('organization_admin', 0)]
  expect(viewer.ids).toContain('open')
  expect(admin.ids?.length).toBeGreaterThan(viewer.ids?.length ?? 0)
  await expect(call(v1.place.source.completeness, world.as('anonymous'), { params })).rejects.toMatchObject({
    kind: 'unauthenticated',
  })
})
