import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tableNameFor } from '#db/data-table.ts'
import type { Context } from '#functions/context.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { person } from '#functions/domain/records/testing.ts'
import { changeSchema } from './change.ts'
import { changeWorld, refusal, type ChangeWorld } from './testing.ts'

const before: FieldSchema = {
  id: { name: 'Id', type: 'text' },
  a: { name: 'A', type: 'text' },
  b: { name: 'B', type: 'text' },
  amount: { name: 'Amount', type: 'text' },
  at: { name: 'At', type: 'date' },
  place: { name: 'Place', type: 'point' },
}

let world: ChangeWorld
let ctx: Context

beforeAll(async () => {
  world = await changeWorld()
  ctx = world.ctx
})
afterAll(() => world.close())

const rows = [
  {
    id: '1',
    a: 'one',
    b: 'eins',
    amount: '12.50',
    at: '2020-01-01T00:00:00Z',
    place: { type: 'Point', coordinates: [1, 2] },
  },
  { id: '2', a: 'two', b: 'zwei', amount: '007' },
  { id: '3', a: 'three', amount: 'many' },
]

describe('a change of schema', () => {
  test('is first previewed and not made', async () => {
    const { id } = await world.createSource(before, rows)
    const { a, b: _gone, ...rest } = before
    const schema = {
      ...rest,
      c: a!,
      amount: { ...rest.amount!, type: 'number' as const },
      more: { name: 'More', type: 'boolean' as const },
    }
    const report = await world.change(id, { schema, renames: { a: 'c' } }, { dryRun: true })
    expect(report).toMatchObject({ dryRun: true, version: 1, records: 3, lost: 4, idConflicts: 0 })
    const byKey = Object.fromEntries(report!.fields.map((field) => [field.key, field]))
    expect(Object.keys(byKey).sort()).toEqual(['amount', 'b', 'c', 'more'])
    expect(byKey.c).toMatchObject({ was: 'a', kinds: ['renamed'], values: 3, converts: 3, lost: 0 })
    expect(byKey.b).toMatchObject({ kinds: ['dropped'], values: 2, lost: 2, to: null })
    expect(byKey.more).toMatchObject({ was: null, kinds: ['added'], values: 0 })
    expect(byKey.amount).toMatchObject({
      kinds: ['retyped'],
      from: 'text',
      to: 'number',
      values: 3,
      converts: 1,
      lost: 2,
    })
    expect(byKey.amount!.examples.map(({ value }) => value).sort()).toEqual(['007', 'many'])
    expect(Object.keys((await world.readRows(id))[0]!)).toContain('f_a')

    const { kind, issues } = await refusal(world.change(id, { schema, renames: { a: 'c' } }))
    expect(kind).toBe('conflict')
    expect(issues).toEqual([
      {
        path: ['schema', 'amount', 'type'],
        value: 'number',
        message: '2 of 3 values would not convert from text to number.',
      },
      { path: ['schema', 'b'], message: '2 values would be lost.' },
    ])

    const changeReport = await world.change(id, { schema, renames: { a: 'c' }, otherwise: 'null' })
    expect(changeReport).toMatchObject({ dryRun: false, version: 2, lost: 4 })
    expect((await world.readRows(id)).map(({ f_c, f_amount, f_more }) => [f_c, f_amount, f_more])).toEqual([
      ['one', 12.5, null],
      ['two', null, null],
      ['three', null, null],
    ])
    expect(Object.keys((await world.readRows(id))[0]!)).not.toContain('f_b')
  })

  test('two fields may swap their keys and change types at once', async () => {
    const schema: FieldSchema = {
      id: { name: 'Id', type: 'text' },
      a: { name: 'A', type: 'text' },
      b: { name: 'B', type: 'number' },
    }
    const { id, sourceId } = await world.createSource(schema, [{ id: 'x', a: '5', b: 7 }])
    const swapped: FieldSchema = {
      id: schema.id!,
      a: { name: 'A', type: 'text' },
      b: { name: 'B', type: 'number' },
    }
    await world.change(id, { schema: swapped, renames: { a: 'b', b: 'a' } })
    expect((await world.readRows(id))[0]).toMatchObject({ f_a: '7', f_b: 5 })
    const stat = await ctx.db
      .selectFrom('sourceStat')
      .select('fields')
      .where('sourceId', '=', sourceId)
      .executeTakeFirstOrThrow()
    expect(stat.fields).toMatchObject({ a: { values: { 7: 1 }, nulls: 0 }, b: { min: 5, max: 5 } })
    const source = await ctx.db
      .selectFrom('source')
      .select('dataVersion')
      .where('id', '=', sourceId)
      .executeTakeFirstOrThrow()
    expect(source.dataVersion).toBe(2)
  })

  test('a field is renamed to the key of a removed one', async () => {
    const { id } = await world.createSource(before, rows)
    const { a, b: _gone, ...rest } = before
    const { issues } = await refusal(world.change(id, { schema: { ...rest, b: a! }, renames: { a: 'b' } }))
    expect(issues).toEqual([{ path: ['schema', 'b'], message: '2 values would be lost.' }])
    await world.change(id, { schema: { ...rest, b: a! }, renames: { a: 'b' }, otherwise: 'null' })
    expect((await world.readRows(id)).map(({ f_b }) => f_b)).toEqual(['one', 'two', 'three'])
  })

  test('images of older versions follow the table', async () => {
    const { id, sourceId } = await world.createSource(before, rows)
    await ingest(ctx, sourceId, [{ ...rows[0], a: 'uno', amount: '99' }])
    const { a, b: _gone, ...rest } = before
    await world.change(id, {
      schema: {
        ...rest,
        c: a!,
        amount: { name: 'Amount', type: 'number' },
        place: { name: 'Place', type: 'text' },
      },
      renames: { a: 'c' },
      otherwise: 'null',
    })
    const [image] = await ctx.db
      .selectFrom('dataHistory')
      .select('row')
      .where('sourceId', '=', sourceId)
      .execute()
    expect(image!.row).toMatchObject({ f_c: 'one', f_amount: 12.5, geometry: null, key: null })
    expect(Object.keys(image!.row!)).not.toContain('f_a')
    expect(Object.keys(image!.row!)).not.toContain('f_b')
    expect(JSON.parse(String(image!.row!.f_place))).toEqual({ type: 'Point', coordinates: [1, 2] })
  })
})

describe('permission', () => {
  test('is limited to the owner place, by row-level security as well', async () => {
    const { id } = await world.createSource(before, rows)
    const stranger = world.as(person('eva', { elm: 'organization_admin' }))
    expect(
      await changeSchema(stranger, {
        params: { dataTypeId: id },
        options: {},
        data: { schema: before, otherwise: 'null' },
        placeId: 'elm',
      }),
    ).toBeUndefined()
    const steal = sql`select change_data_table(${id}, ${tableNameFor(id)}, '{"drops":["f_a"],"renames":[],"retypes":[],"adds":[]}')`
    await expect(steal.execute(stranger.db)).rejects.toThrow(/bad data type/)
    const owner = world.as(person('ada', { oak: 'organization_admin' }))
    const { a: _gone, ...rest } = before
    expect(await world.change(id, { schema: rest, otherwise: 'null' }, { as: owner })).toMatchObject({
      lost: 3,
    })
  })
})
