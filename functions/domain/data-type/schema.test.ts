import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Failure } from '#functions/errors.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import * as dataTypes from './data-types.ts'
import * as insights from '#functions/domain/insight/insights.ts'
import { ingest } from '../records/ingest.ts'
import { changeSchema } from './schema-change/change.ts'
import { refusal } from './schema-change/testing.ts'
import { moveWorld, type MoveWorld } from './testing.ts'
import { processMoves } from './work.ts'

const schema: FieldSchema = {
  id: { name: 'Id', type: 'text' },
  kind: { name: 'Kind', type: 'text', validation: { enum: ['oak', 'elm'] } },
  height: { name: 'Height', type: 'text' },
}
const rows = [
  { id: 'a', kind: 'oak', height: '1.5' },
  { id: 'b', kind: 'elm', height: 'very tall' },
]
const more: FieldSchema = { ...schema, note: { name: 'Note', type: 'text' } }
const byKind = {
  groupings: [{ field: 'data.kind' }],
  aggregations: [{ alias: 'n', value: { function: 'count' } }],
}

let world: MoveWorld

beforeAll(async () => {
  world = await moveWorld()
})
afterAll(() => world.close())

const about = (id: string) => ({ params: { dataTypeId: id }, options: {}, data: undefined, placeId: 'oak' })
const readType = (id: string) =>
  world.ctx.db.selectFrom('dataType').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const patch = (id: string, data: Record<string, unknown>) =>
  dataTypes.updateById(world.oak, { ...about(id), data: data as never })
const change = (id: string, data: { schema: FieldSchema } & Record<string, unknown>, dryRun = false) =>
  changeSchema(world.oak, {
    ...about(id),
    options: { dryRun },
    data: { otherwise: 'refuse', ...data } as never,
  })
const listMovedTypes = async (placeId: string, from: string) =>
  (
    await world.ctx.db
      .selectFrom('dataTypeMove')
      .select('toTypeId')
      .where('fromTypeId', '=', from)
      .where('placeId', '=', placeId)
      .execute()
  ).map(({ toTypeId }) => toTypeId)
const listChanges = (id: string) =>
  world.ctx.db
    .selectFrom('dataTypeChange')
    .select(['kind', 'status', 'error'])
    .where('dataTypeId', '=', id)
    .orderBy('createdAt')
    .execute()

describe('a schema change that requires nothing of other places', () => {
  test.each([
    ['a field that need not be there', { schema: more }],
    [
      'a wider list',
      { schema: { ...schema, kind: { ...schema.kind, validation: { enum: ['oak', 'elm', 'ash'] } } } },
    ],
    ['a rule less', { schema: { ...schema, kind: { name: 'Kind', type: 'text' } } }],
    [
      'names and notes',
      { name: 'Trees', notes: 'All of them.', schema: { ...schema, kind: { ...schema.kind, name: 'Sort' } } },
    ],
  ])('applies to everyone: %s', async (_what, data) => {
    const id = await world.owned(schema)
    const sourceId = await world.createSource(id, rows)
    const updatedType = await patch(id, data)
    expect(updatedType?.schema).toEqual(data.schema)
    expect(await world.readRecords(sourceId)).toMatchObject({ typeId: id })
    expect(await listMovedTypes('elm', id)).toEqual([])
  })

  test('applies to everyone with its records', async () => {
    const id = await world.owned(schema)
    const sourceId = await world.createSource(id, rows)
    expect(await change(id, { schema: more })).toMatchObject({ pending: false, records: 2 })
    await ingest(world.elm, sourceId, [{ ...rows[0], note: 'old' }])
    const { typeId, records } = await world.readRecords(sourceId)
    expect([typeId, records.find((row) => row.external_id === 'a')?.f_note]).toEqual([id, 'old'])
  })
})

describe('a schema change that other places could not follow', () => {
  const { height: _height, ...without } = schema
  test.each([
    [
      'a field that must be there',
      { ...more, note: { name: 'Note', type: 'text', validation: { required: true } } },
    ],
    ['a field becomes required', { ...schema, height: { ...schema.height, validation: { required: true } } }],
    ['a narrower list', { ...schema, kind: { ...schema.kind, validation: { enum: ['oak'] } } }],
    ['a new rule', { ...schema, height: { ...schema.height, validation: { maxLength: 5 } } }],
    ['a field goes', without],
  ] as [string, FieldSchema][])('moves them to a copy first: %s', async (_what, after) => {
    const id = await world.owned(schema)
    const ownSourceId = await world.createSource(id, rows, 'oak')
    const sourceId = await world.createSource(id, rows)
    const insight = await world.insight(`kinds-${id}`, id, byKind)
    const ask = () =>
      insights.analytics(world.elm, { params: { insightId: insight }, options: {}, placeId: 'elm' } as never)
    const [answer, before] = [await ask(), await world.readRecords(sourceId)]
    const updatedType = await patch(id, { schema: after })
    expect(updatedType).toMatchObject({
      schema,
      version: 2,
      pendingChange: { kind: 'document', status: 'moving' },
    })
    await world.settle()
    expect((await readType(id)).schema).toEqual(after)
    const [to = ''] = await listMovedTypes('elm', id)
    expect((await readType(to)).schema).toEqual(schema)
    expect(await world.readRecords(sourceId)).toEqual({ typeId: to, records: before.records })
    expect((await ask())?.results).toEqual(answer?.results)
    expect((await world.readRecords(ownSourceId)).typeId).toBe(id)
    expect(await dataTypes.findById(world.oak, about(id) as never)).not.toMatchObject({
      pendingChange: { status: 'moving' },
    })
    // Each is its own from here on.
    await ingest(world.elm, sourceId, [{ id: 'c', kind: 'elm', height: 'a long text' }])
    expect((await world.readRecords(sourceId)).records).toHaveLength(3)
  })

  test('is made with the owner’s records, and ignores those of others', async () => {
    const id = await world.owned(schema)
    const ownSourceId = await world.createSource(id, rows.slice(0, 1), 'oak')
    const sourceId = await world.createSource(id, rows, 'elm', 'private')
    await ingest(world.ctx, sourceId, [{ ...rows[0], height: '2' }])
    const before = await world.readRecords(sourceId)
    const newSchema = {
      id: schema.id!,
      sort: schema.kind!,
      height: { name: 'Height', type: 'number' as const },
    }
    const changeData = { schema: newSchema, renames: { kind: 'sort' } }
    // "very tall" belongs to another place: it would not convert, and its existence is not revealed.
    expect(await change(id, changeData, true)).toMatchObject({ dryRun: true, records: 1, lost: 0 })
    expect(await change(id, changeData)).toMatchObject({ pending: true, records: 1, lost: 0, version: 2 })
    expect((await readType(id)).schema).toEqual(schema)
    await world.settle()
    expect(await listChanges(id)).toEqual([{ kind: 'schema', status: 'succeeded', error: null }])
    expect((await readType(id)).schema).toEqual(newSchema)
    const [to = ''] = await listMovedTypes('elm', id)
    expect(await world.readRecords(sourceId)).toEqual({ typeId: to, records: before.records })
    const { records } = await world.readRecords(ownSourceId)
    expect(records).toMatchObject([{ f_sort: 'oak', f_height: 1.5 }])
    expect(await listChanges(id)).toEqual([{ kind: 'schema', status: 'succeeded', error: null }])
    const trail = await world.ctx.db.selectFrom('activity').selectAll().where('targetId', '=', id).execute()
    expect(trail.map(({ verb, actorId, placeId }) => [verb, actorId, placeId])).toEqual([
      ['updated', 'olive', 'oak'],
    ])
  })

  test('is rejected at once when the owner’s own values would be lost, and moves no one', async () => {
    const id = await world.owned(schema)
    await world.createSource(id, rows, 'oak')
    const sourceId = await world.createSource(id, rows)
    const attempt = change(id, { schema: { ...schema, height: { name: 'Height', type: 'number' } } })
    expect(await refusal(attempt)).toMatchObject({
      kind: 'conflict',
      issues: [{ path: ['schema', 'height', 'type'] }],
    })
    await world.settle()
    expect((await world.readRecords(sourceId)).typeId).toBe(id)
    expect(await listChanges(id)).toEqual([])
  })

  test('reports when it failed in the end, and can be requested again', async () => {
    const id = await world.owned(schema)
    const ownSourceId = await world.createSource(id, rows.slice(0, 1), 'oak')
    await world.createSource(id, rows)
    const changeData = { schema: { ...schema, height: { name: 'Height', type: 'number' as const } } }
    expect(await change(id, changeData)).toMatchObject({ pending: true })
    await ingest(world.oak, ownSourceId, rows)
    await world.settle()
    expect(await listChanges(id)).toMatchObject([
      { status: 'failed', error: expect.stringContaining('Values would be lost.') },
    ])
    expect(await dataTypes.findById(world.oak, about(id) as never)).toMatchObject({
      pendingChange: { status: 'failed' },
    })
    expect(await change(id, { ...changeData, otherwise: 'null' })).toMatchObject({ pending: false, lost: 1 })
  })

  test('is replaced by the next one while it waits, and no place gets two copies', async () => {
    const id = await world.owned(schema)
    const sourceId = await world.createSource(id, rows)
    await patch(id, { schema: without })
    await processMoves(hurried(world.ctx))
    const second = { ...schema, kind: { ...schema.kind!, validation: { enum: ['oak'] } } }
    // A client that has not seen the pending change gets a conflict.
    expect(await refusal(patch(id, { schema: second, version: 1 }))).toMatchObject({ kind: 'conflict' })
    await patch(id, { schema: second, version: 2 })
    await world.settle()
    expect((await readType(id)).schema).toEqual(second)
    expect(await listMovedTypes('elm', id)).toHaveLength(1)
    expect((await world.readRecords(sourceId)).records).toHaveLength(2)
    expect(await listChanges(id)).toHaveLength(1)
    // And a later change, with records added since.
    const again = await world.createSource(id, rows.slice(0, 1))
    await patch(id, { schema })
    await patch(id, { schema: without })
    await world.settle()
    expect((await readType(id)).schema).toEqual(without)
    const types = await listMovedTypes('elm', id)
    expect(types).toHaveLength(2)
    expect(types).toContain((await world.readRecords(again)).typeId)
  })

  test('also moves sources created while it waited', async () => {
    const id = await world.owned(schema)
    const first = await world.createSource(id, rows)
    await patch(id, { schema: without })
    const late = await world.createSource(id, rows, 'ash')
    await world.settle()
    expect((await world.readRecords(first)).typeId).not.toBe(id)
    expect((await world.readRecords(late)).typeId).toBe((await listMovedTypes('ash', id))[0])
    expect((await readType(id)).schema).toEqual(without)
  })

  test('of an official data type applies to everyone, as before', async () => {
    const id = await world.dataType('official-tree', schema)
    const sourceId = await world.createSource(id, rows)
    const input = { ...about(id), placeId: null, data: { schema: without } as never }
    expect(await dataTypes.updateById(world.ctx, input)).toMatchObject({ schema: without })
    expect((await world.readRecords(sourceId)).typeId).toBe(id)
    const deletion = dataTypes.deleteById(world.ctx, { ...input, data: undefined })
    expect(await refusal(deletion)).toBeInstanceOf(Failure)
  })
})

function hurried(ctx: MoveWorld['ctx']): MoveWorld['ctx'] {
  let at = Date.now()
  return Object.create(ctx, { now: { value: () => new Date((at += 7000)) } }) as MoveWorld['ctx']
}
