import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dataTable, tableNameFor } from '#db/data-table.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import * as dataTypes from './data-types.ts'
import * as insights from '#functions/domain/insight/insights.ts'
import * as sources from '#functions/domain/source/sources.ts'
import { changeSchema } from './schema-change/change.ts'
import { refusal } from './schema-change/testing.ts'
import { ingest } from '../records/ingest.ts'
import { createRecord } from '../records/single.ts'
import { moveWorld, type MoveWorld } from './testing.ts'
import { processMoves } from './work.ts'
import { isCrossSection } from '#functions/v1/testing/figures.testing.ts'

const schema: FieldSchema = {
  id: { name: 'Id', type: 'text' },
  kind: { name: 'Kind', type: 'text' },
  height: { name: 'Height', type: 'number' },
  at: { name: 'At', type: 'date' },
  where: { name: 'Where', type: 'point' },
}
const rows = Array.from({ length: 7 }, (_, i) => ({
  id: `t${i}`,
  kind: i % 2 ? 'oak' : 'elm',
  height: i + 0.5,
  at: `2020-01-0${i + 1}T00:00:00Z`,
  where: { type: 'Point', coordinates: [i + 1, i + 1] },
}))
const byKind = {
  groupings: [{ field: 'data.kind' }],
  aggregations: [{ alias: 'n', value: { function: 'count' } }],
}

let world: MoveWorld

beforeAll(async () => {
  world = await moveWorld()
})
afterAll(() => world.close())

const deleted = (id: string) =>
  dataTypes.deleteById(world.oak, {
    params: { dataTypeId: id },
    options: {},
    data: undefined,
    placeId: 'oak',
  })
const changeType = (id: string) =>
  changeSchema(world.oak, {
    ...{ params: { dataTypeId: id }, options: {}, placeId: 'oak' },
    data: { schema: { id: schema.id, sort: schema.kind }, renames: { kind: 'sort' }, otherwise: 'null' },
  })
const runInsight = (id: string) =>
  insights.analytics(world.elm, {
    params: { insightId: id },
    options: {},
    data: undefined,
    placeId: 'elm',
  } as never)
const countIn = async (sourceId: string) => {
  const { typeId, records } = await world.readRecords(sourceId)
  return [typeId, records.length]
}
const readMoveTarget = async (id: string, placeId = 'elm') =>
  (
    await world.ctx.db
      .selectFrom('dataTypeMove')
      .select('toTypeId')
      .where('fromTypeId', '=', id)
      .where('placeId', '=', placeId)
      .executeTakeFirstOrThrow()
  ).toTypeId

describe('an owner deletes a data type that other places use', () => {
  test('and they get a copy of their own: records, questions and observers are unchanged', async () => {
    const id = await world.owned(schema, 'at')
    const sourceId = await world.createSource(id, rows)
    await ingest(world.ctx, sourceId, [{ ...rows[0], height: 99 }])
    const whole = await world.insight(`whole-${id}`, id, byKind)
    const sourceInsightId = await world.insight(`named-${id}`, id, byKind, { sourceId })
    const other = await world.owned(schema)
    const joining = await world.insight(`joins-${id}`, other, { joins: [{ alias: 'trees', dataTypeId: id }] })
    await world.observer(`observer-${id}`, id, sourceId)
    const before = await world.readRecords(sourceId)
    const answer = await runInsight(whole)
    expect(answer?.results).toHaveLength(2)

    expect(await deleted(id)).toEqual({ id })
    await world.settle()

    const to = await readMoveTarget(id)
    expect(to).toMatch(new RegExp(`^${id}-[a-z0-9]{5}$`))
    const after = await world.readRecords(sourceId)
    expect(after.typeId).toBe(to)
    expect(after.records).toEqual(before.records)
    expect((await runInsight(whole))?.results).toEqual(answer?.results)
    expect((await runInsight(sourceInsightId))?.results).toEqual(answer?.results)
    const { db } = world.ctx
    const type = await db.selectFrom('dataType').selectAll().where('id', '=', to).executeTakeFirstOrThrow()
    const old = await db.selectFrom('dataType').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(type).toMatchObject({ name: old.name, ownerPlaceId: 'elm', closedAt: null, deletedAt: null })
    expect(Object.keys(type.schema)).toEqual(Object.keys(schema))
    expect(type.temporal).toEqual({ primary: 'at' })
    expect(old.deletedAt).not.toBeNull()
    const observer = await db
      .selectFrom('observer')
      .select('dataTypeId')
      .where('id', '=', `observer-${id}`)
      .execute()
    expect(observer).toEqual([{ dataTypeId: to }])
    const joins = await db
      .selectFrom('insight')
      .select('query')
      .where('id', '=', joining)
      .executeTakeFirstOrThrow()
    expect(joins.query).toEqual({ joins: [{ alias: 'trees', dataTypeId: to }] })
    // No records are left behind, and the ids of new records continue after the old ones.
    const { rows: left } = await sql`select from ${dataTable(tableNameFor(id))}`.execute(db)
    expect(left).toHaveLength(0)
    const last = Math.max(...before.records.map((record) => Number(record.id)))
    await createRecord(world.elm, sourceId, { id: 'new', kind: 'ash' })
    const news = await world.readRecords(sourceId)
    expect(Number(news.records.at(-1)?.id)).toBeGreaterThan(last)
    expect(news.records).toHaveLength(8)
  })

  test('and neither side learns the other’s identity; the admins of the others get an email', async () => {
    const id = await world.owned(schema)
    await world.createSource(id, rows, 'elm', 'private')
    await deleted(id)
    expect(
      await dataTypes.findById(world.oak, { params: { dataTypeId: id }, options: {} } as never),
    ).toBeUndefined()
    const { db } = world.oak
    const readMoves = async () => ({
      moves: await db.selectFrom('dataTypeMove').select('id').where('fromTypeId', '=', id).execute(),
      sources: await sql`select from data_type_move_source`.execute(db).then((result) => result.rows),
    })
    expect(await readMoves()).toEqual({ moves: [], sources: [] })
    await world.settle()
    expect(await readMoves()).toEqual({ moves: [], sources: [] })
    const to = await readMoveTarget(id)
    const trail = await world.ctx.db
      .selectFrom('activity')
      .selectAll()
      .where('targetId', 'in', [id, to])
      .orderBy('at')
      .execute()
    expect(trail.map(({ placeId, verb, actorId }) => ({ placeId, verb, actorId }))).toEqual([
      { placeId: 'oak', verb: 'deleted', actorId: 'olive' },
      { placeId: 'elm', verb: 'moved', actorId: null },
    ])
    const mail = await world.ctx.db
      .selectFrom('mail')
      .selectAll()
      .where('text', 'like', `%/types/${to}%`)
      .execute()
    expect(mail.map((each) => each.to)).toEqual(['elma@example.org'])
    expect(mail[0]?.text).toContain('has deleted it. Your source now uses a data type of your own')
  })

  test('each place has its own, and a deleted source is restored with it', async () => {
    const id = await world.owned(schema)
    const [here, there] = [
      await world.createSource(id, rows),
      await world.createSource(id, rows.slice(3), 'ash'),
    ]
    const deletedSourceId = await world.createSource(id, rows.slice(0, 2))
    const about = { params: { sourceId: deletedSourceId }, options: {}, data: undefined, placeId: 'elm' }
    await sources.deleteById(world.elm, about)
    await deleted(id)
    await world.settle()
    const [elms, ashs] = [await readMoveTarget(id), await readMoveTarget(id, 'ash')]
    expect(elms).not.toBe(ashs)
    expect(await countIn(here)).toEqual([elms, 7])
    expect(await countIn(there)).toEqual([ashs, 4])
    expect(await sources.restore(world.elm, about)).toMatchObject({ dataTypeId: elms, count: 2 })
    expect((await world.readRecords(deletedSourceId)).records).toHaveLength(2)
  })

  test('sources of the owner itself still block it', async () => {
    const id = await world.owned(schema)
    await world.createSource(id, rows, 'oak')
    await world.createSource(id, rows)
    expect(await refusal(deleted(id))).toMatchObject({ kind: 'conflict' })
    expect(
      await world.ctx.db.selectFrom('dataTypeMove').select('id').where('fromTypeId', '=', id).execute(),
    ).toEqual([])
  })

  test('is deleted at once when no others use it', async () => {
    const id = await world.owned(schema)
    await deleted(id)
    const row = await world.ctx.db
      .selectFrom('dataType')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row.deletedAt).not.toBeNull()
  })

  test('and restores it while they move, or after', async () => {
    const id = await world.owned(schema)
    const sourceId = await world.createSource(id, rows)
    const about = { params: { dataTypeId: id }, options: {}, data: undefined, placeId: 'oak' }
    await deleted(id)
    expect(await dataTypes.restore(world.oak, about)).toMatchObject({ id })
    await world.settle()
    expect(await countIn(sourceId)).toEqual([await readMoveTarget(id), 7])
    expect(await dataTypes.findById(world.oak, about as never)).toMatchObject({ id })
    await deleted(id)
    await world.settle()
    expect(await dataTypes.findById(world.oak, about as never)).toBeUndefined()
    expect(await dataTypes.restore(world.oak, about)).toMatchObject({ id })
  })
})

describe('while sources are moved', () => {
  const small = { copied: 3, removed: 2 }

  test('they can be read and written as usual, and no write is lost', async () => {
    const id = await world.owned(schema)
    const sourceId = await world.createSource(id, rows)
    const empty = await world.createSource(id, [])
    const whole = await world.insight(`live-${id}`, id, byKind)
    await deleted(id)
    // A step or two at a time: the clock runs fast.
    for (let i = 0; i < 30; i += 1) {
      await ingest(world.elm, sourceId, [
        { id: `t${i % 7}`, kind: 'changed', height: i },
        { id: `new${i}`, kind: 'new' },
      ])
      if (i % 5 === 0) await ingest(world.elm, sourceId, rows.slice(i % 3), { mode: 'replace' })
      if (i === 4) await ingest(world.elm, empty, rows.slice(0, 4))
      if (i === 6) await ingest(world.elm, empty, [{ id: 't1', kind: 'second' }])
      const { records } = await world.readRecords(sourceId)
      const answer = await runInsight(whole)
      const recordCount = answer?.results.reduce((sum, row) => sum + Number(row.n), 0)
      expect(recordCount).toBe(records.length + (await world.readRecords(empty)).records.length)
      const [before, other] = [await world.readRecords(sourceId), await world.readRecords(empty)]
      await processMoves(hurried(world.ctx), small)
      expect((await world.readRecords(sourceId)).records).toEqual(before.records)
      expect((await world.readRecords(empty)).records).toEqual(other.records)
    }
    const [before, other] = [await world.readRecords(sourceId), await world.readRecords(empty)]
    await world.settle()
    const to = await readMoveTarget(id)
    expect(await world.readRecords(sourceId)).toEqual({ typeId: to, records: before.records })
    expect(await world.readRecords(empty)).toEqual({ typeId: to, records: other.records })
    expect(other.records).toHaveLength(4)
  })

  test('several workers may move sources in parallel, and one that seemed dead loses its lease', async () => {
    const id = await world.owned(schema)
    const sourceId = await world.createSource(id, rows)
    const before = await world.readRecords(sourceId)
    await deleted(id)
    let stolen = 0
    // At each of its transactions the lease of the worker is cleared, and another worker takes over.
    const thief = Object.create(world.ctx, {
      transaction: {
        value: async (run: (tx: never) => Promise<unknown>) => {
          if (stolen < 6) {
            stolen += 1
            await sql`update data_type_move set lease_until = null where from_type_id = ${id}`.execute(
              world.ctx.db,
            )
            await processMoves(hurried(world.ctx), small)
          }
          return world.ctx.transaction(run as never)
        },
      },
    }) as typeof world.ctx
    for (let i = 0; i < 4; i += 1) await processMoves(thief, small)
    expect(stolen).toBeGreaterThan(2)
    await Promise.all([processMoves(world.ctx), processMoves(world.ctx)])
    await world.settle()
    expect(await world.readRecords(sourceId)).toEqual({
      typeId: await readMoveTarget(id),
      records: before.records,
    })
    const trail = world.ctx.db
      .selectFrom('activity')
      .select('id')
      .where('targetId', '=', await readMoveTarget(id))
    expect(await trail.execute()).toHaveLength(1)
  })

  test('a worker that seemed dead cannot commit any more', async () => {
    const id = await world.owned(schema)
    await world.createSource(id, rows)
    await deleted(id)
    const { db } = world.ctx
    const late = Object.create(world.ctx, {
      transaction: {
        value: async (run: (tx: never) => Promise<unknown>) => {
          // Another has it now, and has done nothing yet.
          await sql`update data_type_move set fence = fence + 1, lease_until = now() + interval '1 minute'
            where from_type_id = ${id}`.execute(db)
          return world.ctx.transaction(run as never)
        },
      },
    }) as typeof world.ctx
    await processMoves(late, small)
    const move = await db
      .selectFrom('dataTypeMove')
      .select(['id', 'copied', 'attempts', 'leaseUntil'])
      .where('fromTypeId', '=', id)
      .executeTakeFirstOrThrow()
    expect(move).toMatchObject({ copied: '0', attempts: 1 })
    expect(move.leaseUntil).not.toBeNull()
    const copies = await db
      .selectFrom('dataTypeMoveSource')
      .select('version')
      .where('moveId', '=', move.id)
      .execute()
    expect(copies).toEqual([])
  })

  test('a write that resolved the old data type before does not go to it', async () => {
    const id = await world.owned(schema)
    const sourceId = await world.createSource(id, rows)
    const { change, prepareRecordSubject } = await import('../records/change.ts')
    const subject = await prepareRecordSubject(world.elm, sourceId)
    await deleted(id)
    await world.settle()
    const late = change(world.elm, subject!, async () => {})
    expect(await refusal(late)).toMatchObject({ kind: 'unavailable' })
  })
})

describe('a worker that is interrupted', () => {
  const small = { copied: 3, removed: 2 }

  test.each([
    ['before', 'a deletion'],
    ['after', 'a deletion'],
    ['before', 'a change'],
    ['after', 'a change'],
  ] as const)(
    '%s any commit of %s loses nothing and does nothing twice',
    async (when, what) => {
      let cuts = 0
      for (let nth = 1; ; nth += isCrossSection ? 3 : 1) {
        const id = await world.owned(schema)
        const sourceId = await world.createSource(id, rows)
        await ingest(world.ctx, sourceId, [{ ...rows[0], height: 99 }])
        const whole = await world.insight(`cut-${id}`, id, byKind)
        const before = await world.readRecords(sourceId)
        const version = (await sources.findById(world.elm, {
          params: { sourceId },
          options: {},
          placeId: 'elm',
        } as never))!
        if (what === 'a deletion') await deleted(id)
        else await changeType(id)
        const wasCut = await cutAt(nth, when, small)
        cuts += wasCut ? 1 : 0
        await sql`update data_type_move set due_at = now(), lease_until = null`.execute(world.ctx.db)
        await world.settle()
        const after = await world.readRecords(sourceId)
        expect(after.records).toEqual(before.records)
        expect(after.typeId).toBe(await readMoveTarget(id))
        const now = await sources.findById(world.elm, {
          params: { sourceId },
          options: {},
          placeId: 'elm',
        } as never)
        expect(now).toMatchObject({
          dataVersion: version.dataVersion + 1,
          version: version.version + 1,
          count: 7,
        })
        expect((await runInsight(whole))?.results).toHaveLength(2)
        const { rows: left } = await sql`select from ${dataTable(tableNameFor(id))}`.execute(world.ctx.db)
        expect(left).toHaveLength(0)
        const done = await world.ctx.db
          .selectFrom('activity')
          .select('id')
          .where('targetId', '=', after.typeId)
          .where('verb', '=', 'moved')
          .execute()
        expect(done).toHaveLength(1)
        const changes = await world.ctx.db
          .selectFrom('dataTypeChange')
          .select(['status'])
          .where('dataTypeId', '=', id)
          .execute()
        expect(changes).toEqual([{ status: 'succeeded' }])
        const old = await world.ctx.db
          .selectFrom('dataType')
          .selectAll()
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
        if (what === 'a deletion') expect(old.deletedAt).not.toBeNull()
        else expect([old.deletedAt, Object.keys(old.schema), old.version]).toEqual([null, ['id', 'sort'], 3])
        if (!wasCut) break
      }
      expect(cuts).toBeGreaterThan(isCrossSection ? 2 : 8)
    },
    240_000,
  )

  /** Works until the `nth` transaction, which is cut before or after its commit and everything after it as well. */
  async function cutAt(nth: number, when: 'before' | 'after', sizes: typeof small): Promise<boolean> {
    let count = 0
    let isCut = false
    const cut = new Error('cut')
    const ctx = Object.create(world.ctx, {
      report: { value: () => {} },
      transaction: {
        value: async (run: (tx: never) => Promise<unknown>) => {
          if (isCut) throw cut
          count += 1
          if (count < nth) return world.ctx.transaction(run as never)
          isCut = true
          if (when === 'after') await world.ctx.transaction(run as never)
          else
            await world.ctx.transaction(async (tx) => {
              await run(tx as never)
              throw cut
            })
          throw cut
        },
      },
    }) as typeof world.ctx
    for (let i = 0; i < 3 && !isCut; i += 1) {
      await processMoves(ctx, sizes)
      await sql`update data_type_move set due_at = now() where status = 'clearing' and lease_until is null`.execute(
        world.ctx.db,
      )
    }
    return isCut
  }
})

/** A clock that runs so fast that the time of a message is over after a step or two. */
function hurried(ctx: MoveWorld['ctx']): MoveWorld['ctx'] {
  let at = Date.now()
  return Object.create(ctx, { now: { value: () => new Date((at += 7000)) } }) as MoveWorld['ctx']
}
