import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { find } from '#functions/domain/dataset/dataset.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { withNames, type FieldVisitor } from './references.ts'
import { changeWorld, refusal, type ChangeWorld } from './testing.ts'

let world: ChangeWorld
beforeAll(async () => {
  world = await changeWorld()
})
afterAll(() => world.close())

const id = { name: 'Id', type: 'text' as const }
const instants = { id, at: { name: 'At', type: 'date' as const } }
const days = { id, at: { name: 'At', type: 'date' as const, precision: 'day' as const } }
const months = { id, at: { name: 'At', type: 'date' as const, precision: 'month' as const } }
const zone = 'America/New_York'

/** Midnight in New York, in winter and in summer. */
const midnights = [
  { id: '1', at: '2012-01-01T05:00:00Z' },
  { id: '2', at: '2012-07-01T04:00:00Z' },
]
const noon = { id: '3', at: '2012-07-02T16:00:00Z' }

const readDates = async (sourceId: string) =>
  Object.fromEntries(
    (await find(world.ctx, { sourceId }, {})).results.map(({ data }) => [data?.id, data?.at]),
  )

describe('instants are converted to calendar dates', () => {
  test('in the given time zone; which zone fits is counted', async () => {
    const { id, sourceId } = await world.createSource(instants, midnights, 'at')
    const [field] = (await world.change(id, { schema: days }, { dryRun: true }))?.fields ?? []
    expect(field).toMatchObject({ kinds: ['retyped'], values: 2, converts: 0 })
    expect(field?.zones).toEqual([
      { timeZone: zone, converts: 2 },
      { timeZone: 'UTC', converts: 0 },
    ])
    await world.change(id, { schema: days, timeZone: zone })
    expect(await readDates(sourceId)).toEqual({ 1: '2012-01-01', 2: '2012-07-01' })
    const { results } = await find(world.ctx, { sourceId }, { filters: { 'data.at': '2012-07-01' } })
    expect(results.map(({ data }) => data?.id)).toEqual(['2'])
    // And back, to the start of the day there.
    await world.change(id, {
      schema: { ...instants, at: { ...instants.at, precision: 'minute' } },
      timeZone: zone,
    })
    expect(await readDates(sourceId)).toEqual({
      1: '2012-01-01T05:00:00.000Z',
      2: '2012-07-01T04:00:00.000Z',
    })
  })

  test('stored questions ask for the same days', async () => {
    const { id } = await world.createSource(instants, midnights)
    const query = { filters: { 'data.at': { $gte: '2012-01-01T05:00:00Z', $lt: '2012-07-01T16:00:00Z' } } }
    await world.ctx.db
      .insertInto('insight')
      .values({
        ...{
          id: 'asked',
          name: 'Asked',
          placeId: 'oak',
          dataTypeId: id,
          visibility: 'place',
          createdBy: null,
        },
        ...{ visualization: '{"type":"table"}', query: JSON.stringify(query) },
      })
      .execute()
    await world.change(id, { schema: days, timeZone: zone })
    const storedInsight = await world.ctx.db
      .selectFrom('insight')
      .select('query')
      .where('id', '=', 'asked')
      .executeTakeFirstOrThrow()
    // Another time of day is not a calendar date: it stays, and the query is rejected with its path.
    expect(storedInsight.query).toEqual({
      filters: { 'data.at': { $gte: '2012-01-01', $lt: '2012-07-01T16:00:00Z' } },
    })
  })

  test('each source in its own time zone', async () => {
    const { id, sourceId } = await world.createSource(instants, midnights)
    const other = await world.source(id)
    await ingest(world.ctx, other, [{ id: '1', at: '2012-01-01T00:00:00Z' }])
    await world.change(id, { schema: days, timeZones: { [sourceId]: zone }, timeZone: 'UTC' })
    expect(await readDates(sourceId)).toEqual({ 1: '2012-01-01', 2: '2012-07-01' })
    expect(await readDates(other)).toEqual({ 1: '2012-01-01' })
  })

  test('instants other than midnight are counted and shown, and lose their time only on request', async () => {
    const { id, sourceId } = await world.createSource(instants, [...midnights, noon])
    const changeData = { schema: days, timeZone: zone }
    const failure = await refusal(world.change(id, changeData))
    expect(failure).toMatchObject({ kind: 'conflict' })
    const [field] = (await world.change(id, changeData, { dryRun: true }))?.fields ?? []
    expect(field).toMatchObject({ values: 3, converts: 2, lost: 1 })
    expect(field?.examples.map(({ value }) => value)).toEqual(['2012-07-02T16:00:00.000Z'])
    await world.change(id, { ...changeData, otherwise: 'null' })
    expect(await readDates(sourceId)).toEqual({ 1: '2012-01-01', 2: '2012-07-01', 3: '2012-07-02' })
  })

  test('images of records are converted too, so that a version can be rolled back', async () => {
    const { id, sourceId } = await world.createSource(instants, midnights)
    await ingest(world.ctx, sourceId, [{ id: '1', at: '2013-01-01T05:00:00Z' }])
    await world.change(id, { schema: days, timeZones: { [sourceId]: zone } })
    const rows = await world.ctx.db
      .selectFrom('dataHistory')
      .select('row')
      .where('sourceId', '=', sourceId)
      .execute()
    expect(rows.map(({ row }) => (row as { f_at?: unknown } | null)?.f_at)).toEqual(['2012-01-01'])
  })

  test('days become months only where they are the first of one', async () => {
    const { id, sourceId } = await world.createSource(days, [
      { id: '1', at: '2012-01-01' },
      { id: '2', at: '2012-07-15' },
    ])
    const [field] = (await world.change(id, { schema: months }, { dryRun: true }))?.fields ?? []
    expect(field).toMatchObject({ kinds: ['retyped'], values: 2, converts: 1, lost: 1 })
    await world.change(id, { schema: months, otherwise: 'null' })
    expect(await readDates(sourceId)).toEqual({ 1: '2012-01-01', 2: '2012-07-01' })
    // A month is a day as well: nothing is converted.
    expect((await world.change(id, { schema: days }))?.fields ?? []).toEqual([])
  })

  test('valid texts are converted to calendar dates', async () => {
    const texts = { id, at: { name: 'At', type: 'text' as const } }
    const dateTexts = [
      '2012-01-01',
      '2012-02-30',
      '2012-03',
      '2012-04-01T00:00:00Z',
      '2012-04-01T10:00:00Z',
      'soon',
    ]
    const { id: kind, sourceId } = await world.createSource(
      texts,
      dateTexts.map((at, i) => ({ id: String(i), at })),
    )
    await world.change(kind, { schema: days, otherwise: 'null' })
    expect(await readDates(sourceId)).toEqual({ 0: '2012-01-01', 2: '2012-03-01', 3: '2012-04-01' })
  })

  test('a schema without the setting keeps it; null removes it', async () => {
    const { id, sourceId } = await world.createSource(days, [{ id: '1', at: '2012-01-01' }])
    expect((await world.change(id, { schema: instants }))?.fields).toEqual([])
    expect(await readDates(sourceId)).toEqual({ 1: '2012-01-01' })
    const none = { ...instants, at: { ...instants.at, precision: null } } as unknown as typeof instants
    await world.change(id, { schema: none, timeZone: 'Pacific/Auckland' })
    expect(await readDates(sourceId)).toEqual({ 1: '2011-12-31T11:00:00.000Z' })
  })
})

test('constants compared with a field are distinguished from all others', () => {
  const visit: FieldVisitor = (key) => key
  visit.constant = (key, value) => (key === 'at' && value === 'x' ? 'y' : value)
  const query = {
    filters: {
      'data.at': { $gte: 'x', $in: ['x', 'z'] },
      data: { at: 'x', word: 'x' },
      $or: [{ 'data.at': 'x' }],
    },
    where: { function: 'gt', arguments: [{ field: 'data.at' }, 'x'] },
    aggregations: [
      {
        alias: 'x',
        value: { function: 'bucket', arguments: ['x', { field: 'data.word' }] },
        filters: { 'data.at': 'x' },
      },
    ],
  }
  expect(withNames(query, visit)).toEqual({
    filters: {
      'data.at': { $gte: 'y', $in: ['y', 'z'] },
      data: { at: 'y', word: 'x' },
      $or: [{ 'data.at': 'y' }],
    },
    where: { function: 'gt', arguments: [{ field: 'data.at' }, 'y'] },
    aggregations: [
      {
        alias: 'x',
        value: { function: 'bucket', arguments: ['x', { field: 'data.word' }] },
        filters: { 'data.at': 'y' },
      },
    ],
  })
})
