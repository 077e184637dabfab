import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insights } from '#scripts/seed/insights.ts'
import { dataTypes } from '#scripts/seed/data-types.ts'
import { seattleWeather, wildlifeStrikes } from '#scripts/seed/records.ts'
import { anonymous, system, type Context } from '#functions/context.ts'
import type { Output, Visualization } from '#functions/shapes/analytics.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { analytics } from './dataset.ts'
import type { Scope } from './open.ts'
import { toPictureSubject } from '#functions/domain/insight/insight-subject.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { recordsWorld, type RecordsWorld } from '#functions/domain/records/testing.ts'
import { describeAnswer } from '#functions/engine/picture/subject.ts'

let world: RecordsWorld
let ctx: Context

beforeAll(async () => {
  world = await recordsWorld()
  ctx = world.as(system)
})
afterAll(() => world.close())

const call = (name: string, ...args: unknown[]) => ({ function: name, arguments: args })
const bucketed = (unit: string, field: string) => ({
  aggregations: [
    { alias: 'span', value: call('bucket', unit, { field: `data.${field}` }) },
    { alias: 'n', name: 'Events', value: call('count') },
  ],
  groupings: [{ field: 'span' }],
  orderings: [{ value: { field: 'span' }, direction: 'asc' }],
})

async function createSource(
  dataTypeId: string,
  rows: Record<string, unknown>[],
  visibility: 'public' | 'place' | 'private' = 'public',
): Promise<string> {
  const id = await world.source(dataTypeId, visibility)
  const { rejected } = await ingest(ctx, id, rows)
  expect(rejected).toEqual([])
  return id
}

async function readCoverage(
  scope: Scope,
  query: Record<string, unknown>,
  asker = ctx,
): Promise<Output['coverage']> {
  return (await analytics(asker, { placeId: 'oak', ...scope }, query)).output.coverage
}

describe('the demo', () => {
  const demoType = async (id: string) => {
    const dataType = dataTypes.find((each) => each.id === id)
    if (!dataType) throw new Error(`The demo has no ${id}.`)
    await world.dataType(id, dataType.schema as FieldSchema, dataType.temporal?.primary)
    return id
  }
  const answerInsight = async (id: string, sourceId: string) => {
    const insight = insights.find((each) => each.id === id)
    if (!insight) throw new Error(`The demo has no ${id}.`)
    const answer = await analytics(ctx, { placeId: 'oak', sourceId }, { ...insight.query })
    const { query, visualization, name } = insight
    const subject = toPictureSubject(
      { name, timeZone: null, query: { ...query }, visualization: { ...visualization } },
      answer,
    )
    const describeResult = (more: Partial<typeof subject> = {}) =>
      describeAnswer({ ...subject, ...more }).replace(/\u00a0/g, ' ')
    return { ...answer, describeResult }
  }

  test('compares years of strikes that the file covers: it begins on 8 January and ends in a July', async () => {
    const source = await createSource(
      await demoType('wildlife-strike'),
      wildlifeStrikes(() => true),
    )
    const { output, results, describeResult } = await answerInsight('us-strikes-by-year', source)
    expect(output.coverage).toEqual({
      alias: 'year',
      from: '1990-01-08',
      to: '2002-07-25',
      precision: 'day',
    })
    expect([results[0], results.at(-1)]).toEqual([
      { year: '1990-01-01', strikes: 463 },
      { year: '2002-01-01', strikes: 627 },
    ])
    expect(describeResult()).toBe('Strikes rose from 571 in 1991 to 1,095 in 2001.')
    // A bar chart makes the same claim.
    expect(describeResult({ visualization: { type: 'bar' } as Visualization })).toBe(
      'Strikes rose from 571 in 1991 to 1,095 in 2001.',
    )
  })

  test('compares a month of Seattle with the same one of the year before', async () => {
    const source = await createSource(await demoType('daily-weather'), seattleWeather())
    const { output, describeResult } = await answerInsight('seattle-temperature', source)
    expect(output.coverage).toEqual({
      alias: 'month',
      from: '2012-01-01',
      to: '2015-12-31',
      precision: 'day',
    })
    expect(describeResult()).toBe(
      'Mean daily high fell from 10.1 °C in December 2014 to 8.4 °C in December 2015.',
    )
    // Within one year each month occurs once.
    const inYear = {
      ...bucketed('month', 'day'),
      filters: { 'data.day': { $gte: '2013-01-01', $lt: '2014-01-01' } },
    }
    expect(await readCoverage({ sourceId: source }, inYear)).toMatchObject({
      from: '2013-01-01',
      to: '2013-12-31',
    })
  })
})

describe('the coverage of data', () => {
  const schema: FieldSchema = {
    id: { name: 'Id', type: 'text' },
    at: { name: 'At', type: 'date' },
    day: { name: 'Day', type: 'date', precision: 'day' },
    month: { name: 'Month', type: 'date', precision: 'month' },
    kind: { name: 'Kind', type: 'text' },
  }
  const row = (at: string, id = at) => ({
    id,
    at,
    day: at.slice(0, 10),
    month: `${at.slice(0, 7)}-01`,
    kind: 'a',
  })
  let source: string

  beforeAll(async () => {
    await world.dataType('event', schema, 'at')
    source = await createSource('event', [
      row('2019-12-31T12:00:00Z'),
      row('2020-06-15T06:30:00Z'),
      row('2021-03-01T05:30:00Z'),
    ])
  })

  // 12:00 UTC on 31 December and 05:30 UTC on 1 March, by the clocks of the place.
  test.each([
    ['UTC', '2019-12-31', '2021-03-01'],
    ['Pacific/Auckland', '2020-01-01', '2021-03-01'],
    ['America/St_Johns', '2019-12-31', '2021-03-01'],
    ['Asia/Kolkata', '2019-12-31', '2021-03-01'],
    ['Pacific/Honolulu', '2019-12-31', '2021-02-28'],
  ])('instants cover the days of %s', async (timezone, from, to) => {
    const coverage = await readCoverage({ sourceId: source }, { ...bucketed('year', 'at'), timezone })
    const moments = { from: '2019-12-31T12:00:00.000Z', to: '2021-03-01T05:30:00.000Z' }
    expect(coverage).toEqual({ alias: 'span', from, to, precision: 'day', moments })
  })

  test('calendar dates ignore the time zone, and a date of a month covers the month', async () => {
    for (const timezone of ['UTC', 'Pacific/Auckland', 'Pacific/Honolulu']) {
      const days = await readCoverage({ sourceId: source }, { ...bucketed('year', 'day'), timezone })
      expect(days).toEqual({ alias: 'span', from: '2019-12-31', to: '2021-03-01', precision: 'day' })
      const months = await readCoverage({ sourceId: source }, { ...bucketed('year', 'month'), timezone })
      expect(months).toEqual({ alias: 'span', from: '2019-12-01', to: '2021-03-01', precision: 'month' })
    }
  })

  test.each([
    [{ $gte: '2020-02-10' }, '2020-02-10', '2021-03-01'],
    [{ $gt: '2020-02-10' }, '2020-02-11', '2021-03-01'],
    [{ $lt: '2021-01-01' }, '2019-12-31', '2020-12-31'],
    [{ $lte: '2021-01-01' }, '2019-12-31', '2021-01-01'],
    [{ $between: ['2020-01-01', '2020-12-31'] }, '2020-01-01', '2020-12-31'],
    [{ $ne: null }, '2019-12-31', '2021-03-01'],
    // The filter is limited to the data's period.
    [{ $gte: '1990-01-01', $lt: '2050-01-01' }, '2019-12-31', '2021-03-01'],
  ])('requested days, by %j', async (condition, from, to) => {
    const query = { ...bucketed('year', 'day'), filters: { 'data.day': condition, 'data.kind': 'a' } }
    expect(await readCoverage({ sourceId: source }, query)).toMatchObject({ from, to })
  })

  test('years as numbers are whole years, like calendar dates: the first and the last one are compared', async () => {
    const byYear = {
      aggregations: [
        { alias: 'year', value: { field: 'data.year' } },
        { alias: 'n', name: 'Output', value: call('sum', { field: 'data.amount' }) },
      ],
      groupings: [{ field: 'year' }],
      orderings: [{ value: { field: 'year' }, direction: 'asc' }],
    }
    await world.dataType('yearly', {
      id: { name: 'Id', type: 'text' },
      year: { name: 'Year', type: 'number', measurement: { type: 'datePart', value: 'year' } },
      amount: { name: 'Amount', type: 'number' },
    })
    const years = await createSource(
      'yearly',
      [2001, 2002, 2003, 2017].map((year) => ({ id: String(year), year, amount: year - 1990 })),
    )
    const scope = { sourceId: years }
    expect(await readCoverage(scope, byYear)).toEqual({
      ...{ alias: 'year', from: '2001-01-01', to: '2017-01-01', precision: 'year' },
    })
    const limited = (condition: object) =>
      readCoverage(scope, { ...byYear, filters: { 'data.year': condition } })
    expect(await limited({ $gt: 2001, $lte: 2005.5 })).toMatchObject({ from: '2002-01-01', to: '2005-01-01' })
    expect(await limited({ $eq: 2002 })).toMatchObject({ from: '2002-01-01', to: '2002-01-01' })
    // Several single years do not define a range.
    expect(await limited({ $in: [2001, 2003] })).toBeUndefined()
    const answer = await analytics(ctx, { placeId: 'oak', ...scope }, byYear)
    const subject = {
      name: 'Output',
      timeZone: null,
      query: byYear,
      visualization: { type: 'line' as const },
    }
    expect(describeAnswer(toPictureSubject(subject, answer)).replace(/\u00a0/g, ' ')).toBe(
      'Output rose from 11 in 2001 to 27 in 2017.',
    )
  })

  test('instants requested up to a midnight end on the day before it, in the zone of the question', async () => {
    const ask = (timezone: string) =>
      readCoverage(
        { sourceId: source },
        { ...bucketed('year', 'at'), timezone, filters: { 'data.at': { $lt: '2021-01-01T05:00:00Z' } } },
      )
    expect((await ask('America/New_York'))?.to).toBe('2020-12-31')
    expect((await ask('UTC'))?.to).toBe('2021-01-01')
  })

  describe('in the precision of instants', () => {
    const six = ['2020-01-01', '2020-01-02', '2020-01-03'].flatMap((date) =>
      ['02', '08', '14', '20'].map((hour) => row(`${date}T${hour}:00:00Z`)),
    )
    const readMoments = async (rows: Record<string, unknown>[], unit: string, more: object = {}) =>
      (
        await readCoverage(
          { sourceId: await createSource('event', rows) },
          { ...bucketed(unit, 'at'), ...more },
        )
      )?.moments
    const ends = { from: '2020-01-01T02:00:00.000Z', to: '2020-01-03T20:00:00.000Z' }

    test('gives the usual distance of readings, when they are grouped by weeks or less', async () => {
      const step = 6 * 3_600_000
      expect(await readMoments(six, 'day')).toEqual({ ...ends, step })
      expect(await readMoments(six, 'hour')).toEqual({ ...ends, step })
      expect(await readMoments(six, 'week')).toEqual({ ...ends, step })
      expect(await readMoments(six, 'month')).toEqual(ends)
      // A single record at another time makes the step shorter, or irregular.
      expect(await readMoments([...six, row('2020-01-02T05:15:00Z')], 'day')).toEqual({
        ...ends,
        step: 900_000,
      })
      expect(await readMoments([...six, row('2020-01-02T05:15:01Z')], 'day')).toEqual(ends)
      const [one] = six
      expect(await readMoments(one ? [one] : [], 'day')).toEqual({ from: ends.from, to: ends.from })
    })

    test('uses the clock of the zone, which daily readings follow when it changes', async () => {
      const noons = ['2021-03-13T17:00:00Z', '2021-03-14T16:00:00Z', '2021-03-15T16:00:00Z'].map((at) =>
        row(at),
      )
      const day = { step: 86_400_000 }
      expect(await readMoments(noons, 'day', { timezone: 'America/New_York' })).toMatchObject(day)
      expect(await readMoments(noons, 'day', { timezone: 'UTC' })).toMatchObject({ step: 3_600_000 })
    })

    test('begins and ends with readings where a filter cuts some off', async () => {
      const readFilteredMoments = (condition: object) =>
        readMoments(six, 'day', { filters: { 'data.at': condition } })
      expect(
        await readFilteredMoments({ $gte: '2020-01-02T03:00:00Z', $lt: '2020-01-03T20:00:00Z' }),
      ).toMatchObject({
        from: '2020-01-02T08:00:00.000Z',
        to: '2020-01-03T14:00:00.000Z',
      })
      expect(await readFilteredMoments({ $gt: '2020-01-02T08:00:00Z' })).toMatchObject({
        from: '2020-01-02T14:00:00.000Z',
      })
    })

    test('the last days begin at midnight of the zone', async () => {
      const asker: Context = Object.create(ctx, { now: { value: () => new Date('2020-01-03T16:00:00Z') } })
      const id = await createSource('event', [...six, row('2020-01-02T05:15:01Z')])
      const last = { 'data.at': { $gte: call('last', 'P1D'), $lte: call('now') } }
      const query = { ...bucketed('day', 'at'), timezone: 'America/New_York', filters: last }
      expect((await readCoverage({ sourceId: id }, query, asker))?.moments).toEqual({
        from: '2020-01-02T05:00:00.000Z',
        to: '2020-01-03T16:00:00.000Z',
      })
    })
  })

  test('the last days are those before today, by the clock', async () => {
    const at = new Date('2020-07-01T02:00:00Z')
    const asker: Context = Object.create(ctx, { now: { value: () => at } })
    const query = {
      ...bucketed('month', 'at'),
      filters: { 'data.at': { $gte: call('last', 'P30D'), $lte: call('now') } },
      timezone: 'America/New_York',
    }
    const coverage = await readCoverage({ sourceId: source }, query, asker)
    // In New York it is still the last day of June.
    expect(coverage).toMatchObject({ from: '2020-05-31', to: '2020-06-30' })
  })

  test.each([
    [
      'one of two stretches',
      { $or: [{ 'data.day': { $lt: '2020-01-01' } }, { 'data.day': { $gt: '2021-01-01' } }] },
    ],
    ['days in a list', { 'data.day': { $in: ['2020-06-15'] } }],
    ['days beside another field', { 'data.day': { $gte: { field: 'data.month' } } }],
  ])('is unknown for %s', async (_name, filters) => {
    expect(await readCoverage({ sourceId: source }, { ...bucketed('year', 'day'), filters })).toBeUndefined()
  })

  test('is unknown where a value counts only some of the days, and absent for fields without time', async () => {
    const some = bucketed('year', 'day')
    const [span, n] = some.aggregations
    const filters = { 'data.day': { $lt: '2020-09-01' } }
    const partly = { ...some, aggregations: [span, { ...n, filters }] }
    expect(await readCoverage({ sourceId: source }, partly)).toBeUndefined()
    const byKind = {
      aggregations: [
        { alias: 'kind', value: { field: 'data.kind' } },
        { alias: 'n', value: call('count') },
      ],
      groupings: [{ field: 'kind' }],
    }
    expect(await readCoverage({ sourceId: source }, byKind)).toBeUndefined()
  })

  test('exists for years stored as numbers', async () => {
    const query = bucketed('year', 'day')
    const year = { alias: 'span', value: call('extract', 'year', { field: 'data.day' }) }
    const numberQuery = { ...query, aggregations: [year, query.aggregations[1]] }
    expect(await readCoverage({ sourceId: source }, numberQuery)).toMatchObject({ from: '2019-12-31' })
    const month = { alias: 'span', value: call('extract', 'month', { field: 'data.day' }) }
    expect(
      await readCoverage({ sourceId: source }, { ...query, aggregations: [month, query.aggregations[1]] }),
    ).toBeUndefined()
  })

  test('dates that are all the first of their month represent the month, by the clock of the zone', async () => {
    await world.dataType('monthly', schema, 'at')
    const firsts = await createSource('monthly', [
      row('2020-01-01T05:00:00Z'),
      row('2020-07-01T04:00:00Z'),
      row('2021-03-01T05:00:00Z'),
    ])
    const ask = (timezone: string, unit = 'month') =>
      readCoverage({ sourceId: firsts }, { ...bucketed(unit, 'at'), timezone })
    expect(await ask('America/New_York')).toMatchObject({ to: '2021-03-01', precision: 'month' })
    // In Chicago these are the last evenings of the months before.
    expect(await ask('America/Chicago')).toMatchObject({ to: '2021-02-28', precision: 'day' })
    const mixed = await createSource('monthly', [
      row('2020-01-01T05:00:00Z'),
      row('2020-07-02T04:00:00Z'),
      row('2021-03-01T05:00:00Z'),
    ])
    expect(
      await readCoverage({ sourceId: mixed }, { ...bucketed('month', 'at'), timezone: 'America/New_York' }),
    ).toMatchObject({ precision: 'day' })
    const years = await createSource('monthly', [row('2018-01-01T12:00:00Z'), row('2020-01-01T12:00:00Z')])
    expect(await readCoverage({ sourceId: years }, bucketed('year', 'day'))).toMatchObject({
      precision: 'year',
    })
    // A single day is not enough to tell.
    const one = await createSource('monthly', [row('2018-01-01T12:00:00Z')])
    expect(await readCoverage({ sourceId: one }, bucketed('year', 'day'))).toMatchObject({ precision: 'day' })
  })

  test('includes the sources that the asker may see, and that have records', async () => {
    await world.dataType('shared', schema, 'at')
    await createSource('shared', [row('2015-05-05T12:00:00Z'), row('2016-05-05T12:00:00Z')])
    await createSource('shared', [row('2001-01-01T12:00:00Z'), row('2030-01-01T12:00:00Z')], 'private')
    await world.source('shared', 'public')
    const query = bucketed('year', 'day')
    const visitor = world.as(anonymous)
    expect(await readCoverage({ dataTypeId: 'shared' }, query, visitor)).toMatchObject({
      from: '2015-05-05',
      to: '2016-05-05',
    })
    expect(await readCoverage({ dataTypeId: 'shared' }, query)).toMatchObject({
      from: '2001-01-01',
      to: '2030-01-01',
    })
    expect(await readCoverage({ dataTypeId: 'shared' }, { ...query, maxVisibility: 'public' })).toMatchObject(
      {
        from: '2015-05-05',
        to: '2016-05-05',
      },
    )
  })

  test('is empty without records', async () => {
    const empty = await world.source('event', 'public')
    expect(await readCoverage({ sourceId: empty }, bucketed('year', 'at'))).toBeUndefined()
  })

  test('is updated when records are added and removed', async () => {
    const id = await createSource('event', [row('2010-01-01T12:00:00Z'), row('2011-05-01T12:00:00Z')])
    await ingest(ctx, id, [row('2012-12-31T12:00:00Z')])
    const ask = () => readCoverage({ sourceId: id }, bucketed('year', 'at'))
    expect(await ask()).toMatchObject({ from: '2010-01-01', to: '2012-12-31' })
    await ingest(ctx, id, [row('2011-05-01T12:00:00Z'), row('2011-06-01T12:00:00Z')], { mode: 'replace' })
    expect(await ask()).toMatchObject({ from: '2011-05-01', to: '2011-06-01' })
  })
})
