import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { chartDraft, mapDraft } from './source-chart.server.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

let draftCount = 0

/** The query of the first chart of a new source with these fields and records. */
async function createChartDraft(schema: FieldSchema, records: object[], primary: string | null = null) {
  const system = world.as('system')
  const id = `drawn-${(draftCount += 1)}`
  await system.db
    .insertInto('dataType')
    .values({
      ...{ id, name: id, schema: JSON.stringify(schema), ownerPlaceId: null },
      temporal: primary === null ? null : JSON.stringify({ primary }),
    })
    .execute()
  await system.db
    .insertInto('source')
    .values({ id, placeId: 'oakton', dataTypeId: id, name: id, visibility: 'public', createdBy: null })
    .execute()
  await ingest(system, id, records as never)
  const ctx = world.as('organization_admin')
  const args = { request: new Request('http://x/'), params: {}, context: { ctx, nonce: '' } }
  return chartDraft(args as unknown as LoaderFunctionArgs, { id, dataTypeId: id, schema, primary })
}

const number = (name: string) => ({ name, type: 'number' }) as const
const text = (name: string) => ({ name, type: 'text' }) as const
const times = (count: number, of: (n: number) => object) => Array.from({ length: count }, (_, n) => of(n))
const days = (n: number) => new Date(Date.UTC(2020, 0, 1 + n)).toISOString()

/** The aggregations of a draft. */
const readAggregations = (draft: Awaited<ReturnType<typeof createChartDraft>>) =>
  draft && (draft.query.aggregations as { value: unknown }[]).map(({ value }) => value)

test('readings over time show the mean of the measure, not of identifiers or positions', async () => {
  const schema = {
    ...{ stationId: number('Station'), zip: number('ZIP'), year: number('Year'), latitude: number('Lat.') },
    ...{ level: number('Water level'), at: { name: 'At', type: 'date' } as const },
  }
  const draft = await createChartDraft(
    schema,
    times(40, (n) => ({ stationId: n, zip: 98101, year: 2020, latitude: 47, level: n % 7, at: days(n) })),
    'at',
  )
  expect(readAggregations(draft)).toEqual([
    { function: 'bucket', arguments: ['day', { field: 'data.at' }] },
    { function: 'average', arguments: [{ field: 'data.level' }] },
  ])
})

test('without a measure readings are counted: no identifier is averaged', async () => {
  const schema = { caseId: number('Case'), code: number('Code'), at: { name: 'At', type: 'date' } as const }
  const draft = await createChartDraft(
    schema,
    times(40, (n) => ({ caseId: n, code: n % 3, at: days(n) })),
    'at',
  )
  expect(readAggregations(draft)?.[1]).toEqual({ function: 'count' })
})

test('many records per moment are counted, unless a field is additive', async () => {
  const at = { name: 'At', type: 'date' } as const
  const records = times(90, (n) => ({ trips: n, bike: `${n}`, at: days(n % 30) }))
  const schema = { trips: number('Trips'), bike: text('Bike'), at }
  expect(readAggregations(await createChartDraft(schema, records, 'at'))?.[1]).toEqual({ function: 'count' })
  const additiveSchema = { ...schema, trips: { ...number('Trips'), additive: true as const } }
  expect(readAggregations(await createChartDraft(additiveSchema, records, 'at'))?.[1]).toEqual({
    ...{ function: 'sum', arguments: [{ field: 'data.trips' }] },
  })
})

test.each([
  ['day', ['2020-01-01', '2020-01-02', '2020-01-03'], 'day'],
  ['month', ['2020-01-01', '2020-02-01', '2020-03-01'], 'month'],
  ['year', ['2018-01-01', '2019-01-01', '2020-01-01'], 'year'],
  ['day', ['2014-03-05', '2017-08-02', '2020-02-07'], 'month'],
] as const)('dates as exact as a %s are never cut finer: %j', async (precision, dates, bucket) => {
  const at = { name: 'At', type: 'date', precision } as const
  const draft = await createChartDraft(
    { at },
    dates.map((date) => ({ at: date })),
    'at',
  )
  expect(readAggregations(draft)?.[0]).toEqual({
    function: 'bucket',
    arguments: [bucket, { field: 'data.at' }],
  })
})

test('years that are numbers are a time axis, also where a date has only one value', async () => {
  const year = { ...number('Year'), measurement: { type: 'datePart', value: 'year' } } as const
  const schema = { year, fossil: number('Fossil fuels'), nuclear: number('Nuclear energy') }
  const records = times(17, (n) => ({ year: 2001 + n, fossil: 300 - n, nuclear: 40 + n }))
  const byYear = [{ field: 'data.year' }, { function: 'average', arguments: [{ field: 'data.fossil' }] }]
  const draft = await createChartDraft(schema, records)
  expect(readAggregations(draft)).toEqual(byYear)
  expect(draft?.query).toMatchObject({ orderings: [{ value: { field: 'time' }, direction: 'asc' }] })
  const at = { name: 'Published', type: 'date' } as const
  const datedRecords = records.map((record) => ({ ...record, at: days(0) }))
  expect(readAggregations(await createChartDraft({ ...schema, at }, datedRecords, 'at'))).toEqual(byYear)
})

test('many records per year are counted, and a single year is no time axis', async () => {
  const year = { ...number('Year'), measurement: { type: 'datePart', value: 'year' } } as const
  const schema = { year, size: number('Size'), kind: text('Kind') }
  const buildRecords = (years: number) =>
    times(60, (n) => ({ year: 2000 + (n % years), size: n, kind: `Kind ${n % 3}` }))
  expect(readAggregations(await createChartDraft(schema, buildRecords(6)))).toEqual([
    { field: 'data.year' },
    { function: 'count' },
  ])
  expect(readAggregations(await createChartDraft(schema, buildRecords(1)))).toEqual([
    { field: 'data.kind' },
    { function: 'count' },
  ])
})

test('without a date records are counted by the field with the fewest values, with all groups if they are few', async () => {
  const schema = { id: text('ID'), kind: text('Kind'), ward: text('Ward') }
  const draft = await createChartDraft(
    schema,
    times(60, (n) => ({ id: `${n}`, kind: `Kind ${n % 20}`, ward: `Ward ${n % 25}` })),
  )
  expect(readAggregations(draft)).toEqual([{ field: 'data.kind' }, { function: 'count' }])
  expect(draft?.query).not.toHaveProperty('limit')
})

test('too many groups are limited, and the result says so', async () => {
  const schema = { kind: text('Kind'), n: number('N') }
  const draft = await createChartDraft(
    schema,
    times(500, (n) => ({ kind: `Kind ${n % 240}`, n })),
  )
  expect(draft?.query).toMatchObject({ limit: 12 })
})

test('a field that is unique per record is not counted', async () => {
  expect(
    await createChartDraft(
      { name: text('Name'), id: text('ID') },
      times(30, (n) => ({ name: `No ${n}`, id: `${n}` })),
    ),
  ).toBeNull()
})

test('a map shows fields of its points that are no identifiers', () => {
  const schema = {
    caseId: text('Case ID'),
    street: text('Street'),
    at: { name: 'At', type: 'point' } as const,
  }
  const draft = mapDraft({ id: 's', dataTypeId: 'd', schema, primary: null }, null)
  expect(draft?.query.aggregations).toMatchObject([{ value: { field: 'data.street' } }, {}])
})
