import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dataTable, tableNameFor } from '#db/dataTable.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import * as dataTypes from '../dataTypes.ts'
import * as insights from '../insights.ts'
import * as sources from '../sources.ts'
import { changeSchema } from '../schemaChange/change.ts'
import { ingest } from '../records/ingest.ts'
import { moveWorld, type MoveWorld } from './testing.ts'
import { workMoves } from './work.ts'

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
const changed = (id: string) =>
  changeSchema(world.oak, {
    ...{ params: { dataTypeId: id }, options: {}, placeId: 'oak' },
    data: { schema: { id: schema.id, sort: schema.kind }, renames: { kind: 'sort' }, otherwise: 'null' },
  })
const answerOf = (id: string) =>
  insights.analytics(world.elm, {
    params: { insightId: id },
    options: {},
    data: undefined,
    placeId: 'elm',
  } as never)
const movedTo = async (id: string, placeId = 'elm') =>
  (
    await world.ctx.db
      .selectFrom('dataTypeMove')
      .select('toTypeId')
      .where('fromTypeId', '=', id)
      .where('placeId', '=', placeId)
      .executeTakeFirstOrThrow()
  ).toTypeId

describe('a worker that is cut short', () => {
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
      for (let nth = 1; ; nth += 1) {
        const id = await world.owned(schema)
        const sourceId = await world.filled(id, rows)
        await ingest(world.ctx, sourceId, [{ ...rows[0], height: 99 }])
        const whole = await world.insight(`cut-${id}`, id, byKind)
        const before = await world.recordsOf(sourceId)
        const version = (await sources.findById(world.elm, {
          params: { sourceId },
          options: {},
          placeId: 'elm',
        } as never))!
        if (what === 'a deletion') await deleted(id)
        else await changed(id)
        const wasCut = await cutAt(nth, when, small)
        cuts += wasCut ? 1 : 0
        await sql`update data_type_move set due_at = now(), lease_until = null`.execute(world.ctx.db)
        await world.settle()
        const after = await world.recordsOf(sourceId)
        expect(after.records).toEqual(before.records)
        expect(after.typeId).toBe(await movedTo(id))
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
        expect((await answerOf(whole))?.results).toHaveLength(2)
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
      expect(cuts).toBeGreaterThan(8)
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
      await workMoves(ctx, sizes)
      await sql`update data_type_move set due_at = now() where status = 'clearing' and lease_until is null`.execute(
        world.ctx.db,
      )
    }
    return isCut
  }
})
