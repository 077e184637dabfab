import type { RawBuilder } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { analytics, find } from './dataset.ts'
import { ingest } from '../records/ingest.ts'
import { person, recordsWorld, type RecordsWorld } from '../records/testing.ts'
import { resolveJoins } from './joins.ts'
import { run } from './open.ts'
import { anonymous, system, type Context } from '#functions/context.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'

const call: FieldSchema = {
  type: { name: 'Type', type: 'text' },
  cost: { name: 'Cost', type: 'number' },
  at: { name: 'At', type: 'date' },
  location: { name: 'Where', type: 'point' },
}
const crew: FieldSchema = {
  type: { name: 'Goes to', type: 'text', search: true },
  size: { name: 'Size', type: 'number' },
  base: { name: 'Base', type: 'point' },
  about: {
    name: 'About',
    type: 'object',
    schema: { unit: { name: 'Unit', type: 'text' }, shift: { name: 'Shift', type: 'text' } },
  },
}
const toPoint = (x: number, y: number) => ({ type: 'Point', coordinates: [x, y] })

let world: RecordsWorld
let ctx: Context
let calls: string
let crews: string
let hidden: string
let elsewhere: string
let empty: string
beforeAll(async () => {
  world = await recordsWorld()
  ctx = world.as(system)
  await world.dataType('call', call, 'at')
  await world.dataType('crew', crew)
  calls = await world.source('call', 'public')
  crews = await world.source('crew', 'public')
  hidden = await world.source('crew', 'private')
  elsewhere = await world.source('crew', 'public', 'elm')
  await world.dataType('quiet', crew)
  empty = await world.source('quiet', 'public')
  await ingest(ctx, calls, [
    { type: 'fire', cost: 10, at: '2021-03-01T00:00:00Z', location: toPoint(1, 1) },
    { type: 'fire', cost: 20, at: '2021-03-02T00:00:00Z', location: toPoint(1, 1.1) },
    { type: 'flood', cost: 40, at: '2021-03-03T00:00:00Z', location: toPoint(5, 5) },
  ])
  await ingest(ctx, crews, [
    { type: 'fire', size: 5, base: toPoint(1, 1), about: { unit: 'E1', shift: 'day' } },
    { type: 'fire', size: 7, base: toPoint(9, 9), about: { unit: 'E2' } },
  ])
  await ingest(ctx, hidden, [{ type: 'fire', size: 1000, base: toPoint(1, 1) }])
  await ingest(ctx, elsewhere, [{ type: 'fire', size: 2000, base: toPoint(1, 1) }])
})
afterAll(() => world.close())

const scope = () => ({ placeId: 'oak', sourceId: calls })
const fn = (name: string, ...values: unknown[]) => ({ function: name, arguments: values })
const field = (name: string) => ({ field: name })
const size = [
  { alias: 'size', value: fn('sum', field('~j.data.size')) },
  { alias: 'pairs', value: fn('count') },
]
const ask = async (join: object, who: Context = ctx) => {
  const { results } = await analytics(who, scope(), { joins: [{ alias: 'j', ...join }], aggregations: size })
  return results[0]
}

describe('conditions of a join', () => {
  test('a box, a search, a function of distance', async () => {
    const box = { xmin: 0, ymin: 0, xmax: 2, ymax: 2 }
    expect(await ask({ sourceId: crews, within: box })).toEqual({ size: 5, pairs: 3 })
    expect(await ask({ sourceId: crews, intersects: { x: 9, y: 9 } })).toEqual({ size: 7, pairs: 3 })
    expect(await ask({ sourceId: crews, search: 'IRE' })).toEqual({ size: 12, pairs: 6 })
    const near = fn('lt', fn('distance', field('geometry'), field('~parent.geometry')), 20_000)
    expect(await ask({ sourceId: crews, filters: [near], required: 'true' })).toEqual({ size: 5, pairs: 2 })
    expect(await ask({ sourceId: crews, after: '2100-01-01', required: true })).toEqual({
      size: null,
      pairs: 0,
    })
  })

  test('a data type without records joins none', async () => {
    expect(await ask({ sourceId: empty })).toEqual({ size: null, pairs: 3 })
    expect(await ask({ dataTypeId: 'quiet', required: true })).toEqual({ size: null, pairs: 0 })
  })

  test('may join the records of the question itself', async () => {
    const joins = [
      {
        alias: 'later',
        dataTypeId: 'call',
        filters: { 'data.type': field('~parent.data.type'), 'data.at': { $gt: field('~parent.data.at') } },
      },
    ]
    const { results } = await analytics(ctx, scope(), {
      joins,
      aggregations: [
        { alias: 'cost', value: fn('sum', field('data.cost')) },
        { alias: 'later', value: fn('sum', field('~later.data.cost')) },
      ],
    })
    expect(results).toEqual([{ cost: 70, later: 20 }])
  })
})

describe('the joined records', () => {
  const reader = () => world.as(anonymous)
  const admin = () => world.as(person('ada', { oak: 'organization_admin' }))

  test('are those of the place that the asker may see', async () => {
    expect(await ask({ dataTypeId: 'crew' }, reader())).toEqual({ size: 12, pairs: 6 })
    expect(await ask({ dataTypeId: 'crew' }, admin())).toEqual({ size: 1012, pairs: 9 })
    await expect(ask({ sourceId: hidden }, reader())).rejects.toMatchObject({ kind: 'invalid' })
    await expect(ask({ sourceId: elsewhere }, admin())).rejects.toMatchObject({
      issues: [{ path: ['joins', 0, 'alias'], message: 'Must be a defined join!', value: 'j' }],
    })
  })

  test('are those of all places when the question is about all', async () => {
    const question = { joins: [{ alias: 'j', dataTypeId: 'crew' }], aggregations: size }
    const { results } = await analytics(reader(), { dataTypeId: 'call' }, question)
    expect(results).toEqual([{ size: 2012, pairs: 9 }])
  })

  test('for readers of a saved question are those that all of them may see', async () => {
    const sizes = async (readers: 'public' | 'place' | 'private', join: object) => {
      const joins = await resolveJoins(admin(), [{ alias: 'j', ...join }], { placeId: 'oak', readers })
      return joins.map(({ basis }) =>
        basis.map(([name]) => name).filter((name) => name.startsWith('source:')),
      )
    }
    for (const readers of ['public', 'place', 'private'] as const)
      expect(await sizes(readers, { dataTypeId: 'crew' })).toEqual([[`source:${crews}`]])
    expect(await sizes('place', { sourceId: hidden })).toEqual([])
    expect(await sizes('private', { sourceId: hidden })).toEqual([[`source:${hidden}`]])
  })

  test('are listed as sources of the answer', async () => {
    const basisVersions: Record<string, unknown> = {}
    const clocks: unknown[] = []
    const asker = admin()
    asker.basis = async (versions, isOfNow) => {
      Object.assign(basisVersions, versions)
      clocks.push(isOfNow)
    }
    await ask({ sourceId: crews }, asker)
    expect(basisVersions).toMatchObject({
      [`source:${crews}`]: 1,
      [`source:${calls}`]: 1,
      'dataType:crew': 1,
      'dataType:call': 1,
    })
    expect([...asker.depends]).toEqual(expect.arrayContaining([`source:${crews}`, 'dataType:crew']))
    await ask({ sourceId: crews, filters: { createdAt: { $lt: { function: 'now' } } } }, asker)
    expect(clocks).toEqual([false, true])
    await ask({ dataTypeId: 'crew' }, asker)
    expect(basisVersions).toMatchObject({ 'sources:crew': 2, [`source:${hidden}`]: 1 })
    expect(asker.depends).toContain('sources:oak')
  })
})

describe('records', () => {
  test('of all joins are in one list, ordered as a whole, without omitted fields, keys of maps too', async () => {
    const { results, meta } = await find(ctx, scope(), {
      joins: [{ alias: 'crew', sourceId: crews }],
      orderings: [
        { value: field('data.type'), direction: 'asc' },
        { value: field('~crew.data.size'), direction: 'desc' },
        { value: field('data.cost'), direction: 'desc' },
      ],
      exclusions: [
        'id',
        'createdAt',
        'updatedAt',
        'externalId',
        'sourceId',
        'geometry.type',
        'data.at',
        'data.about.unit',
        'data.location',
        'data.base',
      ],
      offset: 1,
    })
    expect(meta).toEqual({ results: 4 })
    expect(results).toEqual([
      { _alias: null, data: { type: 'fire', cost: 10 }, geometry: { coordinates: [1, 1] } },
      { _alias: 'crew', data: { type: 'fire', size: 7, about: {} }, geometry: { coordinates: [9, 9] } },
      {
        _alias: 'crew',
        data: { type: 'fire', size: 5, about: { shift: 'day' } },
        geometry: { coordinates: [1, 1] },
      },
      { _alias: null, data: { type: 'flood', cost: 40 }, geometry: { coordinates: [5, 5] } },
    ])
  })
})

test('explains errors of a statement', async () => {
  const createFailingStatement = (code: string, cause?: Error) =>
    ({
      execute: () =>
        Promise.reject(Object.assign(new Error('of the database', { cause }), cause ? {} : { code })),
    }) as unknown as RawBuilder<unknown>
  const narrower = {
    kind: 'tooSlow',
    message: expect.stringMatching(/filters.*coarser bucket.*fewer/) as string,
  }
  await expect(run(ctx, { sourceIds: [] }, createFailingStatement('57014'))).rejects.toMatchObject(narrower)
  const inner = Object.assign(new Error('inner'), { code: '57014' })
  await expect(run(ctx, { sourceIds: [] }, createFailingStatement('', inner))).rejects.toMatchObject(narrower)
  await expect(run(ctx, { sourceIds: [] }, createFailingStatement('53200'))).rejects.toMatchObject(narrower)
  for (const code of ['22003', '54000'])
    await expect(run(ctx, { sourceIds: [] }, createFailingStatement(code))).rejects.toMatchObject({
      kind: 'invalid',
      issues: [{ path: [], message: 'Cannot be computed from this data.' }],
    })
  await expect(run(ctx, { sourceIds: [] }, createFailingStatement('42601'))).rejects.toMatchObject({
    code: '42601',
  })
})
