import { sql } from 'kysely'
import { dataTable } from '#db/data-table.ts'
import { seedRoles } from '#functions/domain/access/seed.ts'
import { system, type Actor, type Context } from '#functions/context.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { ingest } from '../records/ingest.ts'
import { person, recordsWorld, type RecordsWorld } from '../records/testing.ts'
import { processMoves } from './work.ts'

/** A world of records in which `oak` owns data types that `elm` and others use. */
export interface MoveWorld extends RecordsWorld {
  ctx: Context
  /** An admin of the owner, and one of the place that uses its data type. */
  oak: Context
  elm: Context
  owned(schema: FieldSchema, temporal?: string): Promise<string>
  createSource(
    typeId: string,
    rows: unknown[],
    placeId?: string,
    visibility?: 'public' | 'place' | 'private',
  ): Promise<string>
  insight(
    id: string,
    dataTypeId: string,
    query: Record<string, unknown>,
    more?: { placeId?: string; sourceId?: string; visibility?: 'public' | 'place' | 'private' },
  ): Promise<string>
  observer(id: string, dataTypeId: string, sourceId: string | null, placeId?: string): Promise<string>
  /** All that is stored of a source's records, by id, with the data type that they are in. */
  readRecords(sourceId: string): Promise<{ typeId: string; records: Record<string, unknown>[] }>
  /** Skips the grace period between a flip and the deletion of the old records, and works until nothing is due. */
  settle(): Promise<void>
}

/** Opens it; close it after the last test. */
export async function moveWorld(): Promise<MoveWorld> {
  const world = await recordsWorld()
  const ctx = world.as(system)
  // Endless retries would otherwise hide their errors.
  ctx.report = (error) => reported.push(error)
  const reported: unknown[] = []
  const admin = (id: string, placeId: string): Actor => person(id, { [placeId]: 'organization_admin' })
  const place = (id: string) => ({
    ...{ id, name: id, displayName: id, timeZone: 'UTC', theme: '{}', mapConfiguration: '{}' },
    createdBy: null,
  })
  await ctx.db.insertInto('place').values(place('ash')).execute()
  await ctx.transaction(seedRoles)
  for (const [id, placeId] of [
    ['olive', 'oak'],
    ['elma', 'elm'],
    ['asher', 'ash'],
  ] as const) {
    await ctx.db
      .insertInto('user')
      .values({ id, name: id, email: `${id}@example.org`, emailVerified: true } as never)
      .execute()
    await ctx.db
      .insertInto('placeUser')
      .values({ placeId, userId: id, role: 'organization_admin' } as never)
      .execute()
  }
  let types = 0
  return {
    ...world,
    ctx,
    oak: world.as(admin('olive', 'oak')),
    elm: world.as(admin('elma', 'elm')),
    async owned(schema, temporal) {
      const id = await world.dataType(`tree-${(types += 1)}`, schema, temporal)
      await ctx.db.updateTable('dataType').set({ ownerPlaceId: 'oak' }).where('id', '=', id).execute()
      return id
    },
    async createSource(typeId, rows, placeId = 'elm', visibility = 'public') {
      const sourceId = await world.source(typeId, visibility, placeId)
      if (rows.length) await ingest(ctx, sourceId, rows)
      return sourceId
    },
    async insight(id, dataTypeId, query, { placeId = 'elm', sourceId, visibility = 'public' } = {}) {
      const insightColumns = { visualization: '{"type":"table"}', query: JSON.stringify(query) }
      await ctx.db
        .insertInto('insight')
        .values({
          id,
          placeId,
          name: id,
          visibility,
          dataTypeId,
          sourceId: sourceId ?? null,
          ...insightColumns,
          createdBy: null,
        })
        .execute()
      return id
    },
    async observer(id, dataTypeId, sourceId, placeId = 'elm') {
      const condition = JSON.stringify({ operator: 'each' })
      await ctx.db
        .insertInto('observer')
        .values({ id, placeId, dataTypeId, sourceId, name: id, condition, createdBy: null } as never)
        .execute()
      return id
    },
    async readRecords(sourceId) {
      const type = await ctx.db
        .selectFrom('source')
        .innerJoin('dataType', 'dataType.id', 'source.dataTypeId')
        .select(['dataType.id', 'tableName'])
        .where('source.id', '=', sourceId)
        .executeTakeFirstOrThrow()
      if (type.tableName === null) return { typeId: type.id, records: [] }
      const { rows } = await sql<{ row: Record<string, unknown> }>`
        select jsonb_strip_nulls(to_jsonb(t)) as row from ${dataTable(type.tableName)} t where source_id = ${sourceId} order by id`.execute(
        ctx.db.withoutPlugins(),
      )
      return { typeId: type.id, records: rows.map(({ row }) => row) }
    },
    async settle() {
      for (let i = 0; i < 10; i += 1) {
        await processMoves(ctx)
        await sql`update data_type_move set due_at = now(), lease_until = null where status <> 'done'`.execute(
          ctx.db,
        )
        await sql`update data_type_change set due_at = now() where status = 'moving'`.execute(ctx.db)
      }
      if (reported.length > 0) throw reported[0]
    },
  }
}
