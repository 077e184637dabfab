import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dataTable, tableNameFor } from '#db/data-table.ts'
import { asStranger } from '#db/testing.ts'
import { anonymous, system, type Context } from '#functions/context.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { ingest, type IngestResult } from './ingest.ts'
import { removeRecord, wipe } from './remove.ts'
import { createRecord, createRecords, updateRecord } from './single.ts'
import { person, recordsWorld, type RecordsWorld } from './testing.ts'

const tree: FieldSchema = {
  id: { name: 'Id', type: 'text', validation: { required: true } },
  species: { name: 'Species', type: 'text' },
  height: { name: 'Height', type: 'number', validation: { min: 0 } },
  plantedAt: { name: 'Planted', type: 'date' },
  isAlive: { name: 'Alive', type: 'boolean' },
  tags: { name: 'Tags', type: 'array', items: { name: 'Tag', type: 'text' } },
  checks: { name: 'Checks', type: 'array', items: { name: 'Check', type: 'date' } },
  meta: { name: 'Meta', type: 'object' },
  location: { name: 'Where', type: 'point' },
  crown: { name: 'Crown', type: 'polygon' },
}
const note: FieldSchema = { text: { name: 'Text', type: 'text' }, n: { name: 'N', type: 'number' } }

let world: RecordsWorld
let ctx: Context

beforeAll(async () => {
  world = await recordsWorld()
  ctx = world.as(system)
  await world.dataType('tree', tree, 'plantedAt')
  await world.dataType('note', note)
})
afterAll(() => world.close())

const oak = (id: string, more: object = {}) => ({ id, species: 'oak', height: 12.5, ...more })
const square = (size: number) => [
  [10, 10],
  [10 + size, 10],
  [10 + size, 10 + size],
  [10, 10 + size],
  [10, 10],
]

async function rowsIn(sourceId: string, type = 'tree', as: Context = ctx) {
  const { rows } = await sql<Record<string, unknown>>`
    select * from ${dataTable(tableNameFor(type))} where source_id = ${sourceId} order by id`.execute(
    as.db.withoutPlugins(),
  )
  return rows
}

function closes(rowCount: number, { created, updated, unchanged, rejected }: IngestResult) {
  expect(created + updated + unchanged + rejected.length).toBe(rowCount)
}

describe('stored values', () => {
  test('words for missing values become null, whoever sends them, and never count in computations', async () => {
    const coded: FieldSchema = {
      id: { name: 'Id', type: 'text' },
      age: { name: 'Age', type: 'number', values: [{ value: 999, name: 'Not stated', missing: true }] },
      kind: {
        ...{ name: 'Kind', type: 'text', validation: { required: true } },
        values: [
          { value: 'x', missing: true },
          { value: 'o', name: 'Oak' },
        ],
      },
    }
    await world.dataType('coded', coded)
    const source = await world.source('coded')
    const inputRows = [
      { id: 'a', age: 999, kind: 'o' },
      { id: 'b', age: 40, kind: 'o' },
      // The text "999" is not a missing-value code of the field, and in the other row a required value is
      // missing.
      { id: 'c', age: '999', kind: 'o' },
      { id: 'd', age: 1, kind: 'x' },
    ]
    const { created, rejected } = await ingest(ctx, source, inputRows)
    expect([created, rejected.map(({ index, issues }) => [index, issues[0]?.path])]).toEqual([
      2,
      [
        [2, ['age']],
        [3, ['kind']],
      ],
    ])
    await createRecord(ctx, source, { id: 'e', age: 999, kind: 'o' })
    const rows = await rowsIn(source, 'coded')
    expect(rows.map((row) => [row.f_id, row.f_age])).toEqual([
      ['a', null],
      ['b', 40],
      ['e', null],
    ])
    const stat = await ctx.db
      .selectFrom('sourceStat')
      .select('fields')
      .where('sourceId', '=', source)
      .executeTakeFirstOrThrow()
    expect((stat.fields as unknown as Record<string, object>).age).toMatchObject({ nulls: 2, max: 40 })
  })

  test('every type is read back as it was written', async () => {
    const source = await world.source('tree')
    const more = {
      plantedAt: '2020-02-29T12:00:00.123Z',
      isAlive: false,
      tags: ['a "b"', 'c\\d', '{e,f}', 'NULL', ''],
      checks: ['2020-01-01T00:00:00.000Z'],
      meta: { deep: [1, { x: null }], text: 'ö\n' },
      location: { type: 'Point', coordinates: [-73.98765432101, 40.12345678901] },
      crown: { type: 'Polygon', coordinates: [square(1)] },
    }
    const full = oak('1', more)
    const { isNew, datum } = await createRecord(ctx, source, {
      ...full,
      unknown: 'dropped',
    })
    const { id, data, geometry, externalId } = datum
    expect(isNew).toBe(true)
    expect(data).toEqual(full)
    expect(geometry).toEqual(more.crown)
    expect(externalId).toBe('1')
    expect(id).toMatch(/^\d+$/)
  })

  test('rows without an id are identified by their content', async () => {
    const source = await world.source('note')
    const rows = [{ text: 'a', n: 1 }, { n: 1, text: 'a' }, { text: 'a' }]
    const first = await ingest(ctx, source, rows)
    expect(first).toMatchObject({ created: 2, unchanged: 1, updated: 0 })
    expect(await ingest(ctx, source, rows)).toMatchObject({
      created: 0,
      unchanged: 3,
      version: first.version,
    })
    expect(await rowsIn(source, 'note')).toHaveLength(2)
  })
})

describe('counts add up, and the version follows the data', () => {
  test('new, changed, unchanged, repeated and invalid rows', async () => {
    const source = await world.source('tree')
    expect(await ingest(ctx, source, [oak('1'), oak('2'), oak('3')])).toMatchObject({
      created: 3,
      version: 1,
    })
    const rows = [
      oak('1'),
      oak('2', { height: 13 }),
      oak('4'),
      oak('4', { height: 1 }),
      oak('5', { height: -1 }),
      7,
    ]
    const result = await ingest(ctx, source, rows)
    closes(rows.length, result)
    expect(result).toMatchObject({ created: 1, updated: 1, unchanged: 2, version: 2 })
    expect(result.rejected).toEqual([
      {
        index: 4,
        issues: [{ path: ['height'], value: -1, message: 'Failed Minimum validation', validator: 'min' }],
      },
      { index: 5, issues: [{ path: [], value: 7, message: 'Not a valid top-level object' }] },
    ])
    const heights = (await rowsIn(source)).map((row) => row.f_height)
    expect(heights).toEqual([12.5, 13, 12.5, 1])
  })

  test('nothing changed: the version stays and no event is sent', async () => {
    const source = await world.source('tree')
    await ingest(ctx, source, [
      oak('1', { tags: ['x'], meta: { a: 1 }, crown: { type: 'Polygon', coordinates: [square(1)] } }),
    ])
    const findEvents = async () =>
      (await ctx.db.selectFrom('outbox').select('payload').execute()).filter(
        (e) => e.payload.sourceId === source,
      )
    expect(await findEvents()).toEqual([{ payload: { sourceId: source, version: 1 } }])
    const again = oak('1', {
      meta: { a: 1 },
      tags: ['x'],
      crown: { type: 'Polygon', coordinates: [square(1)] },
    })
    expect(await ingest(ctx, source, [again, 'bad'])).toMatchObject({ unchanged: 1, version: 1 })
    expect(await ingest(ctx, source, [])).toMatchObject({ version: 1 })
    expect(await findEvents()).toHaveLength(1)
  })

  test('append keeps existing records', async () => {
    const source = await world.source('tree')
    await ingest(ctx, source, [oak('1')])
    const result = await ingest(ctx, source, [oak('1', { height: 1 }), oak('2')], { mode: 'append' })
    expect(result).toMatchObject({ created: 1, updated: 0, unchanged: 1 })
    expect((await rowsIn(source))[0]?.f_height).toBe(12.5)
  })

  test('replace removes what is not in the batch, but keeps the record of a rejected row', async () => {
    const source = await world.source('tree')
    await ingest(ctx, source, [oak('1'), oak('2'), oak('3')])
    const result = await ingest(ctx, source, [oak('1'), oak('2', { height: 'tall' })], { mode: 'replace' })
    expect(result).toMatchObject({ created: 0, unchanged: 1, removed: 1, version: 2 })
    expect((await rowsIn(source)).map((row) => row.external_id)).toEqual(['1', '2'])
  })

  test('history keeps replaced and removed records', async () => {
    const source = await world.source('tree')
    await ingest(ctx, source, [oak('1'), oak('2')])
    await ingest(ctx, source, [oak('1', { height: 1 }), oak('3')], { mode: 'replace' })
    const historyRows = await ctx.db
      .selectFrom('dataHistory')
      .select(['externalId', 'version', 'row'])
      .where('sourceId', '=', source)
      .orderBy('externalId')
      .execute()
    expect(historyRows).toEqual([
      { externalId: '1', version: 2, row: expect.objectContaining({ f_height: 12.5 }) as unknown },
      { externalId: '2', version: 2, row: expect.objectContaining({ f_species: 'oak' }) as unknown },
      { externalId: '3', version: 2, row: null },
    ])
  })
})

describe('an invalid row never affects the others', () => {
  test('the database rejects a ring that crosses itself, with its path', async () => {
    const source = await world.source('tree')
    const bow = [
      [0, 1],
      [2, 3],
      [2, 1],
      [0, 3],
      [0, 1],
    ]
    const rows = [oak('1'), oak('2', { crown: { type: 'Polygon', coordinates: [bow] } }), oak('3')]
    const result = await ingest(ctx, source, rows)
    closes(3, result)
    expect(result.created).toBe(2)
    expect(result.rejected).toEqual([
      { index: 1, issues: [{ path: ['crown'], message: 'Self-intersection' }] },
    ])
  })

  test('an invalid date, and an id that is too long', async () => {
    const source = await world.source('tree')
    const rows = [oak('1', { plantedAt: '0000-01-01T00:00:00' }), oak('x'.repeat(513)), oak('x'.repeat(512))]
    const result = await ingest(ctx, source, rows)
    closes(3, result)
    expect(result.rejected.map(({ index, issues }) => [index, issues[0]?.path])).toEqual([
      [0, ['plantedAt']],
      [1, ['id']],
    ])
  })
})

describe('single records', () => {
  test('are changed by id, keep it, and lose fields set to null', async () => {
    const source = await world.source('note')
    const { datum } = await createRecord(ctx, source, { text: 'a', n: 1 })
    const { id, externalId } = datum
    const updatedDatum = await updateRecord(ctx, source, id, { n: null, text: 'b' })
    expect(updatedDatum).toMatchObject({ id, externalId, data: { text: 'b' } })
    expect(updatedDatum?.data).not.toHaveProperty('n')
    expect(await updateRecord(ctx, source, '999999', { n: 1 })).toBeUndefined()
    await expect(updateRecord(ctx, source, id, { n: 'x' })).rejects.toMatchObject({ kind: 'invalid' })
    expect(await removeRecord(ctx, source, id)).toEqual({ version: 3 })
    expect(await removeRecord(ctx, source, id)).toBeUndefined()
    expect(await removeRecord(ctx, source, 'nonsense')).toBeUndefined()
  })

  test("a record's own id cannot be changed", async () => {
    const source = await world.source('tree')
    const { id } = (await createRecord(ctx, source, oak('1'))).datum
    await expect(updateRecord(ctx, source, id, { id: '2' })).rejects.toMatchObject({
      issues: [{ path: ['id'], message: 'Must not change.' }],
    })
  })

  test('several at once', async () => {
    const source = await world.source('note')
    const result = await createRecords(ctx, source, [{ text: 'a' }, { n: 'x' }])
    expect(result).toMatchObject({ created: 1, errors: [{ index: 1, fields: [{ path: ['n'] }] }] })
  })

  test('several at once without a valid one are rejected, and one that already existed is valid', async () => {
    const source = await world.source('note')
    await expect(createRecords(ctx, source, [{ n: 'x' }, { text: 7 }])).rejects.toMatchObject({
      kind: 'invalid',
      issues: [{ path: [0, 'n'] }, { path: [1, 'text'] }],
      beside: {
        ...{ created: 0, updated: 0, unchanged: 0 },
        errors: [
          { index: 0, fields: [{ path: ['n'] }] },
          { index: 1, fields: [{ path: ['text'] }] },
        ],
      },
    })
    await createRecords(ctx, source, [{ text: 'a' }])
    expect(await createRecords(ctx, source, [{ text: 'a' }, { n: 'x' }])).toMatchObject({
      ...{ created: 0, unchanged: 1 },
      errors: [{ index: 1 }],
    })
  })

  test('wipe removes those of one source only', async () => {
    const [one, other] = [await world.source('note'), await world.source('note')]
    await ingest(ctx, one, [{ n: 1 }, { n: 2 }])
    await ingest(ctx, other, [{ n: 1 }])
    expect(await wipe(ctx, one)).toEqual({ count: 2, version: 2 })
    expect(await wipe(ctx, one)).toEqual({ count: 0, version: 2 })
    expect(await rowsIn(one, 'note')).toHaveLength(0)
    expect(await rowsIn(other, 'note')).toHaveLength(1)
    const stat = await ctx.db
      .selectFrom('sourceStat')
      .selectAll()
      .where('sourceId', '=', one)
      .executeTakeFirst()
    expect(stat).toMatchObject({ count: 0, extent: null })
  })
})

test('wipe removes more records than one statement does, with their images', async () => {
  const source = await world.source('note')
  await ingest(
    ctx,
    source,
    Array.from({ length: 20_500 }, (_, n) => ({ n })),
  )
  expect(await wipe(ctx, source)).toEqual({ count: 20_500, version: 2 })
  expect(await rowsIn(source, 'note')).toHaveLength(0)
  const { images } = await ctx.db
    .selectFrom('dataHistory')
    .select((eb) => eb.fn.countAll().as('images'))
    .where('sourceId', '=', source)
    .executeTakeFirstOrThrow()
  expect(Number(images)).toBe(20_500)
})

describe('row-level security', () => {
  test('without any condition of ours, visitors and other places read and write no private row', async () => {
    const [open, shut] = [await world.source('tree', 'public'), await world.source('tree', 'place')]
    await ingest(ctx, open, [oak('1')])
    await ingest(ctx, shut, [oak('canary')])
    const elm = world.as(person('eva', { elm: 'organization_admin' }))
    const stranger = world.as(anonymous)
    for (const other of [stranger, elm]) {
      expect(await rowsIn(shut, 'tree', other)).toEqual([])
      expect(await rowsIn(open, 'tree', other)).toHaveLength(1)
      await expect(ingest(other, open, [oak('2')])).rejects.toMatchObject({ kind: 'notFound' })
      await expect(ingest(other, shut, [oak('2')])).rejects.toMatchObject({ kind: 'notFound' })
      const { numAffectedRows } = await sql`delete from ${dataTable(tableNameFor('tree'))}`.execute(other.db)
      expect(numAffectedRows).toBe(0n)
      const historyRows = await other.db
        .selectFrom('dataHistory')
        .selectAll()
        .where('sourceId', '=', shut)
        .execute()
      expect(historyRows).toEqual([])
    }
    const member = world.as(person('otto', { oak: 'content_admin' }))
    expect(await rowsIn(shut, 'tree', member)).toHaveLength(1)
    expect(await ingest(member, shut, [oak('2')])).toMatchObject({ created: 1 })
    const { db } = world.database.connect(asStranger)
    const count = await sql<{ n: string }>`select count(*) as n from ${dataTable(tableNameFor('tree'))}
      where f_id = 'canary'`.execute(db.withoutPlugins())
    expect(count.rows[0]?.n).toBe('0')
  })

  test('a member imports the first record of an official data type and cannot change that data type', async () => {
    await world.dataType('bench', { name: { name: 'Name', type: 'text' } })
    const source = await world.source('bench')
    const member = world.as(person('otto', { oak: 'content_admin' }))
    expect(await ingest(member, source, [{ name: 'x' }])).toMatchObject({ created: 1 })
    const { tableName } = await ctx.db
      .selectFrom('dataType')
      .select('tableName')
      .where('id', '=', 'bench')
      .executeTakeFirstOrThrow()
    expect(tableName).toBe('t_bench')
    const updateResult = await member.db.updateTable('dataType').set({ name: 'x' }).executeTakeFirstOrThrow()
    expect(updateResult.numUpdatedRows).toBe(0n)
  })
})

test('a new field gets its column; a field that changes its type is a conflict', async () => {
  await world.dataType('lamp', { a: { name: 'A', type: 'text' } })
  const source = await world.source('lamp')
  await ingest(ctx, source, [{ a: 'x' }])
  const set = (schema: FieldSchema) =>
    ctx.db
      .updateTable('dataType')
      .set({ schema: JSON.stringify(schema) })
      .where('id', '=', 'lamp')
      .execute()
  await set({ a: { name: 'A', type: 'text' }, b: { name: 'B', type: 'number' } })
  await ingest(ctx, source, [{ a: 'y', b: 2 }])
  const stat = await ctx.db
    .selectFrom('sourceStat')
    .select('fields')
    .where('sourceId', '=', source)
    .executeTakeFirst()
  expect(stat?.fields.b).toEqual({ min: 2, max: 2, nulls: 1, values: null })
  await set({ a: { name: 'A', type: 'number' } })
  await expect(ingest(ctx, source, [{ a: 1 }])).rejects.toMatchObject({ kind: 'conflict' })
})
