import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tableNameFor } from '#db/data-table.ts'
import { asSystem, hasRealPostgres } from '#db/testing.ts'
import type { Context } from '#functions/context.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { isFullRun } from '#functions/v1/testing/figures.testing.ts'
import { updateById } from '../data-types.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { contextOver } from '#functions/domain/records/testing.ts'
import { changeWorld, refusal, type ChangeWorld } from './testing.ts'

const text = (name: string) => ({ name, type: 'text' }) as const
const number = (name: string) => ({ name, type: 'number' }) as const

let world: ChangeWorld
let ctx: Context

beforeAll(async () => {
  world = await changeWorld()
  ctx = world.ctx
})
afterAll(() => world.close())

describe('edge cases of a schema', () => {
  test('keys of 128 characters that differ in the last one are swapped', async () => {
    const [one, two] = [`${'k'.repeat(127)}1`, `${'k'.repeat(127)}2`]
    const { id } = await world.createSource({ [one]: text('One'), [two]: text('Two') }, [
      { [one]: 'first', [two]: '2' },
    ])
    const schema: FieldSchema = { [one]: number('One'), [two]: text('Two') }
    expect(await world.change(id, { schema, renames: { [one]: two, [two]: one } })).toMatchObject({ lost: 0 })
    const values = Object.entries((await world.readRows(id))[0]!).filter(([name]) => name.startsWith('f_'))
    expect(values.map(([, value]) => value).sort()).toEqual([2, 'first'])
  })

  test('a data type without a table, and one without records', async () => {
    const { id } = await world.createSource({ a: text('A'), b: text('B') }, [])
    expect(await world.change(id, { schema: { c: number('A') }, renames: { a: 'c' } })).toMatchObject({
      records: 0,
      version: 2,
    })
    const { id: empty, sourceId } = await world.createSource({ a: text('A') }, [{ a: 'x' }])
    await sql`delete from ${sql.id('data', tableNameFor(empty))}`.execute(ctx.db)
    await world.change(empty, { schema: { a: { name: 'A', type: 'polygon' }, b: number('B') } })
    expect(await ingest(ctx, sourceId, [{ b: 5 }])).toMatchObject({ created: 1 })
    expect(await world.change(empty, { schema: {}, otherwise: 'null' })).toMatchObject({ lost: 1 })
  })

  // More than forty changed types rebuild the table; the embedded database takes a minute for a thousand.
  test.each(isFullRun || hasRealPostgres ? [60, 1000] : [60])(
    '%i fields, all of another type and key',
    async (count) => {
      const keys = Array.from({ length: count }, (_, i) => `f${i}`)
      const schema = Object.fromEntries(keys.map((key) => [key, text(key)]))
      const { id } = await world.createSource(schema, [Object.fromEntries(keys.map((key) => [key, 'true']))])
      const booleanSchema = Object.fromEntries(
        keys.map((key) => [`${key}n`, { name: key, type: 'boolean' as const }]),
      )
      const renames = Object.fromEntries(keys.map((key) => [key, `${key}n`]))
      expect(await world.change(id, { schema: booleanSchema, renames })).toMatchObject({
        lost: 0,
        records: 1,
      })
      expect((await world.readRows(id))[0]).toMatchObject({ f_f0n: true, [`f_f${count - 1}n`]: true })
      const others = Object.fromEntries(keys.map((key) => [`${key}o`, number(key)]))
      // A table can have 1600 columns in its lifetime, including dropped ones: it is rebuilt before that.
      expect(await world.change(id, { schema: others, otherwise: 'null' })).toMatchObject({ lost: count })
      expect(Object.keys((await world.readRows(id))[0]!)).toHaveLength(count + 8)
      if (count < 1000) return
      // A thousand numbers are more than a page of the database holds.
      const full = Object.fromEntries(keys.map((key) => [`${key}n`, number(key)]))
      const { id: wide } = await world.createSource(booleanSchema, [
        Object.fromEntries(keys.map((key) => [`${key}n`, true])),
      ])
      expect((await refusal(world.change(wide, { schema: full }))).issues).toMatchObject([
        { path: ['schema'] },
      ])
      expect((await world.readRows(wide))[0]).toMatchObject({ f_f0n: true })
      const many = Object.fromEntries(Array.from({ length: 1501 }, (_, i) => [`g${i}`, text('G')]))
      expect((await refusal(world.change(id, { schema: many }))).issues[0]).toMatchObject({
        path: ['schema'],
      })
    },
    120_000,
  )

  test('rejects renames of unknown fields, and two renames of one field', async () => {
    const { id } = await world.createSource({ a: text('A'), b: text('B') }, [{ a: 'x' }])
    const getIssues = async (renames: Record<string, string>, schema: FieldSchema = { c: text('C') }) =>
      (await refusal(world.change(id, { schema, renames, otherwise: 'null' }))).issues
    expect(await getIssues({ z: 'c' })).toEqual([
      { path: ['renames', 'z'], value: 'c', message: 'There is no field with this key.' },
    ])
    expect(await getIssues({ a: 'z' })).toMatchObject([
      { path: ['renames', 'a'], message: 'The schema has no field with the new key.' },
    ])
    expect(await getIssues({ a: 'c', b: 'c' })).toMatchObject([
      { path: ['renames', 'b'], message: 'Another field has this key already.' },
    ])
    expect(await getIssues({ constructor: 'c' })).toMatchObject([{ path: ['renames', 'constructor'] }])
    expect(await getIssues({}, { 'a"; drop table source; --': text('C') })).toMatchObject([
      { message: 'Must be alphanumeric' },
    ])
  })

  test('rejects an old version, and the removal of a primary date', async () => {
    const schema: FieldSchema = { at: { name: 'At', type: 'date' }, a: text('A') }
    const { id } = await world.createSource(
      schema,
      [{ at: '2020-01-01T00:00:00Z', a: '2021-05-06T07:08:09Z' }],
      'at',
    )
    expect((await refusal(world.change(id, { schema, version: 9 }))).kind).toBe('conflict')
    const { issues } = await refusal(world.change(id, { schema: { a: text('A') }, otherwise: 'null' }))
    expect(issues).toMatchObject([{ path: ['temporal', 'primary'], message: 'Not a valid date field' }])
    const renamedSchema: FieldSchema = {
      when: { name: 'When', type: 'date' },
      at: { name: 'At', type: 'date' },
    }
    const report = await world.change(id, {
      schema: renamedSchema,
      renames: { at: 'when', a: 'at' },
      version: 1,
    })
    expect(report!.fields.map(({ key, isPrimaryDate }) => [key, isPrimaryDate])).toEqual([
      ['when', true],
      ['at', false],
    ])
    const type = () =>
      ctx.db.selectFrom('dataType').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect((await type()).temporal).toEqual({ primary: 'when' })
    await world.change(id, { schema: renamedSchema, temporal: { primary: 'at' } })
    const { rows } = await sql<{ def: string }>`
      select indexdef as def from pg_indexes where schemaname = 'data' and indexname = ${`${tableNameFor(id)}_newest`}`.execute(
      ctx.db,
    )
    expect(rows[0]?.def).toContain('(source_id, f_at DESC NULLS LAST, id DESC)')
  })

  test('rejects ids that would become equal, whatever the options for values', async () => {
    const schema: FieldSchema = { id: text('Id'), code: text('Code') }
    const { id, sourceId } = await world.createSource(schema, [
      { id: '1', code: 'x' },
      { id: '1.0', code: 'x' },
      { id: 'b', code: 'y' },
    ])
    const toNumber = await refusal(
      world.change(id, { schema: { ...schema, id: number('Id') }, otherwise: 'null' }),
    )
    expect(toNumber).toMatchObject({ kind: 'conflict' })
    expect(toNumber.issues).toContainEqual({
      path: ['schema', 'id'],
      message: expect.stringContaining('1 record would have the id of another') as unknown,
    })
    expect(
      (
        await refusal(
          world.change(id, { schema: { id: text('Id') }, renames: { code: 'id' }, otherwise: 'null' }),
        )
      ).kind,
    ).toBe('conflict')
    await ingest(ctx, sourceId, [{ id: '1', code: 'z' }])
    await world.change(id, { schema: { id: text('Id') }, renames: { code: 'id' }, otherwise: 'null' })
    expect((await world.readRows(id)).map(({ external_id: each }) => each)).toEqual(['x', 'y', 'z'])
    expect(await ingest(ctx, sourceId, [{ id: 'x' }])).toMatchObject({ unchanged: 1 })
    const { id: other, sourceId: its } = await world.createSource({ id: number('Id') }, [
      { id: 7 },
      { id: 1e21 },
    ])
    await world.change(other, { schema: { id: text('Id') } })
    expect(await ingest(ctx, its, [{ id: '7' }, { id: '1e+21' }])).toMatchObject({ unchanged: 2 })
  })

  test('a removed column is restored with its field, or renamed out of the way', async () => {
    const { id } = await world.createSource({ a: text('A'), b: text('B') }, [{ a: 'x', b: 'y' }])
    const buildInput = (data: object) => ({ params: { dataTypeId: id }, options: {}, data, placeId: 'oak' })
    await updateById(ctx, buildInput({ schema: { a: text('A') } }))
    const { issues } = await refusal(world.change(id, { schema: { a: text('A'), b: number('B') } }))
    expect(issues).toEqual([
      {
        path: ['schema', 'b', 'type'],
        value: 'number',
        message: '1 value of a field that had this key before would be lost.',
      },
    ])
    expect(
      (await refusal(world.change(id, { schema: { b: text('A') }, renames: { a: 'b' } }))).issues,
    ).toHaveLength(1)
    await world.change(id, { schema: { a: text('A'), b: text('B'), c: text('C') } })
    expect((await world.readRows(id))[0]).toMatchObject({ f_a: 'x', f_b: 'y', f_c: null })
  })

  test('rules that stored records break change no record, and violations are counted where possible', async () => {
    const { id } = await world.createSource({ a: text('A'), n: number('N') }, [
      { a: '', n: 1 },
      { n: 20 },
      { a: 'long' },
    ])
    const schema: FieldSchema = {
      a: { ...text('A'), validation: { required: true, notEmpty: true } },
      n: { ...number('N'), validation: { min: 5 } },
    }
    const report = await world.change(id, { schema })
    expect(report!.fields.map(({ key, kinds, invalid, lost }) => ({ key, kinds, invalid, lost }))).toEqual([
      { key: 'a', kinds: ['validation'], invalid: 2, lost: 0 },
      { key: 'n', kinds: ['validation'], invalid: 1, lost: 0 },
    ])
    const urls: FieldSchema = { ...schema, a: { ...text('A'), validation: { url: true } } }
    expect((await world.change(id, { schema: urls }))!.fields[0]).toMatchObject({ key: 'a', invalid: null })
  })
})

// The embedded database has one session.
describe.skipIf(!hasRealPostgres)('concurrently', () => {
  const openConnection = () => {
    const connection = world.database.connect(asSystem)
    return { ctx: contextOver(connection), end: () => connection.end() }
  }

  test('a write comes before or after a change, never in the middle', async () => {
    const before: FieldSchema = { id: text('Id'), a: text('A'), b: text('B') }
    const after: FieldSchema = { id: text('Id'), a: number('A'), b: text('B') }
    const { id, sourceId } = await world.createSource(before, [{ id: 'first', a: 'x', b: '1' }])
    const outcomes = await Promise.all([
      ...Array.from({ length: 12 }, async (_, i) => {
        const { ctx: writer, end } = openConnection()
        await new Promise((resolve) => setTimeout(resolve, i * 15))
        const rows = Array.from({ length: 50 }, (_row, n) => ({ id: `${i}-${n}`, a: 'text', b: '5' }))
        try {
          const { created, rejected } = await ingest(writer, sourceId, rows)
          return created > 0 ? 'before' : rejected.length === 50 ? 'after' : 'half'
        } catch (error) {
          return (error as { kind?: string }).kind ?? String(error)
        } finally {
          await end()
        }
      }),
      (async () => {
        await new Promise((resolve) => setTimeout(resolve, 60))
        // a and b swap their keys; the text in b becomes a number.
        await world.change(id, { schema: after, renames: { a: 'b', b: 'a' } })
        return 'changed'
      })(),
    ])
    expect(outcomes.filter((each) => !['before', 'after', 'conflict', 'changed'].includes(each))).toEqual([])
    expect(outcomes).toContain('changed')
    const rows = await world.readRows(id)
    expect(rows.every((row) => typeof row.f_a === 'number' && typeof row.f_b === 'string')).toBe(true)
    expect(rows).toHaveLength(1 + 50 * outcomes.filter((each) => each === 'before').length)
    const stat = await ctx.db
      .selectFrom('sourceStat')
      .select('count')
      .where('sourceId', '=', sourceId)
      .executeTakeFirstOrThrow()
    expect(stat.count).toBe(rows.length)
  })

  test('rejects a second change of the same version', async () => {
    const { id } = await world.createSource({ a: text('A') }, [{ a: 'x' }])
    const attempt = async (to: string) => {
      const { ctx: otherCtx, end } = openConnection()
      try {
        await world.change(id, { schema: { [to]: text('A') }, renames: { a: to } }, { as: otherCtx })
        return 'made'
      } catch (error) {
        return (error as { kind?: string }).kind
      } finally {
        await end()
      }
    }
    expect((await Promise.all([attempt('b'), attempt('c')])).sort()).toEqual(['conflict', 'made'])
  })
})
