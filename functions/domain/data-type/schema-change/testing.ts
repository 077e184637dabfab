import { sql } from 'kysely'
import { dataTable, tableNameFor } from '#db/data-table.ts'
import { system, type Context } from '#functions/context.ts'
import type { Failure } from '#functions/errors.ts'
import type { SchemaChange } from '#functions/shapes/data-type-schema.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { recordsWorld, type RecordsWorld } from '#functions/domain/records/testing.ts'
import { changeSchema } from './change.ts'

/** A world of records, with what tests of changes of schema do over and over. */
export interface ChangeWorld extends RecordsWorld {
  ctx: Context
  /** A data type of `oak` with a source, and some records in it. */
  createSource(
    schema: FieldSchema,
    rows: unknown[],
    temporal?: string,
  ): Promise<{ id: string; sourceId: string }>
  change(
    id: string,
    data: Partial<SchemaChange> & { schema: FieldSchema },
    how?: { dryRun?: boolean; as?: Context },
  ): ReturnType<typeof changeSchema>
  readRows(id: string): Promise<Record<string, unknown>[]>
}

/** Opens it; close it after the last test. */
export async function changeWorld(): Promise<ChangeWorld> {
  const world = await recordsWorld()
  const ctx = world.as(system)
  let types = 0
  return {
    ...world,
    ctx,
    async createSource(schema, rows, temporal) {
      const id = await world.dataType(`kind-${(types += 1)}`, schema, temporal)
      await ctx.db.updateTable('dataType').set({ ownerPlaceId: 'oak' }).where('id', '=', id).execute()
      const sourceId = await world.source(id)
      if (rows.length) await ingest(ctx, sourceId, rows)
      return { id, sourceId }
    },
    change(id, data, { dryRun = false, as = ctx } = {}) {
      const changeData = { otherwise: 'refuse' as const, ...data }
      return changeSchema(as, {
        params: { dataTypeId: id },
        options: { dryRun },
        data: changeData,
        placeId: 'oak',
      })
    },
    async readRows(id) {
      const { rows } = await sql<Record<string, unknown>>`
        select * from ${dataTable(tableNameFor(id))} order by external_id`.execute(ctx.db.withoutPlugins())
      return rows
    },
  }
}

/** The Failure that a call throws. */
export async function refusal(attempt: Promise<unknown>): Promise<Failure> {
  const error: unknown = await attempt.then(
    () => new Error('It was not refused.'),
    (reason: unknown) => reason,
  )
  if (error instanceof Error && 'kind' in error) return error as Failure
  throw error
}
