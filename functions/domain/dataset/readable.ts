import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { columnsIn, getTypedNull } from '#db/data-table.ts'
import type { Visibility } from '#db/schema.ts'
import { memoize } from '#functions/platform/cache/memo.ts'
import type { Context } from '#functions/context.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { buildColumns } from '../records/columns.ts'
import type { Stat } from '../records/tally.ts'
import { whereRowsVisible } from '#functions/domain/noun/visible.ts'
import type { Scope } from './open.ts'

/** How the fields of a data type are selected from its table, which has the alias `table`. */
export function buildReadings(
  { schema, columns }: { schema: FieldSchema; columns: string[] | null },
  table: string,
) {
  const present = new Set(columns)
  return buildColumns(schema).map((column) => ({
    ...column,
    value: present.has(column.columnName)
      ? sql.ref(`${table}.${column.columnName}`)
      : getTypedNull(column.field),
  }))
}

/** The number of records of these sources, from the stored stats. */
export function recordsIn(sources: readonly { stat: Pick<Stat, 'count'> }[]): number {
  return sources.reduce((sum, { stat }) => sum + stat.count, 0)
}

/**
 * A condition for the records of these sources. A single one is compared by equality, so that an index can
 * also provide the order.
 */
export function whereInSources(ids: string[], table = 't'): RawBuilder<boolean> {
  const column = sql.ref(`${table}.source_id`)
  return ids.length === 1
    ? sql<boolean>`${column} = ${ids[0]}`
    : sql<boolean>`${column} = any(${ids}::text[])`
}

/**
 * The sources of a scope that the actor may see, by id. Memoized for a page, because every query of it needs
 * them.
 */
export function listVisibleSources(ctx: Context, scope: Scope, maxVisibility: Visibility) {
  const { placeId = null, sourceId = null, dataTypeId = null, sourceIds = null } = scope
  const name = JSON.stringify([placeId, sourceId, dataTypeId, sourceIds, maxVisibility])
  return memoize(ctx, 'page', `sources in ${name}`, (asking) => readSources(asking, scope, maxVisibility))
}

async function readSources(ctx: Context, scope: Scope, maxVisibility: Visibility) {
  const { placeId, sourceId, dataTypeId, sourceIds } = scope
  const conditions: RawBuilder<SqlBool>[] = [whereRowsVisible(ctx, 'source', maxVisibility)]
  if (placeId) conditions.push(sql<SqlBool>`${sql.ref('source.placeId')} = ${placeId}`)
  if (sourceId !== undefined) conditions.push(sql<SqlBool>`source.id = ${sourceId}`)
  else conditions.push(sql<SqlBool>`${sql.ref('source.dataTypeId')} = ${dataTypeId ?? ''}`)
  if (sourceIds) conditions.push(sql<SqlBool>`source.id = any(${sourceIds}::text[])`)
  const rows = await ctx.db
    .selectFrom('source')
    .leftJoin('sourceStat', 'sourceStat.sourceId', 'source.id')
    .select(['source.id', 'source.placeId', 'source.dataTypeId', 'source.dataVersion'])
    .select([
      'sourceStat.count',
      'sourceStat.extent',
      'sourceStat.reach',
      'sourceStat.fields',
      'sourceStat.facets',
    ])
    .where(sql<SqlBool>`${sql.join(conditions, sql` and `)}`)
    .orderBy('source.id')
    .execute()
  return rows.map(({ count, extent, reach, fields, facets, ...source }) => ({
    ...source,
    facets: facets ?? [],
    stat: {
      count: count ?? 0,
      extent: extent ?? null,
      reach: reach ?? null,
      fields: (fields ?? {}) as Stat['fields'],
    },
  }))
}

/**
 * A data type that meets the condition, if there is one; undefined when there is none. `columns` is null
 * before it has a table.
 */
export function findDataType(ctx: Context, id: string, condition: RawBuilder<SqlBool> | null) {
  if (condition) return readType(ctx, id, condition)
  return memoize(ctx, 'page', `type ${id}`, (asking) => readType(asking, id, sql<SqlBool>`true`))
}

/** The data type of a source, whoever may see it; undefined without such a source. */
export function dataTypeOfSource(ctx: Context, sourceId: string) {
  const id = sql<string>`(select source.data_type_id from source where source.id = ${sourceId})`
  return memoize(ctx, 'page', `type of source ${sourceId}`, (asking) =>
    readType(asking, id, sql<SqlBool>`true`),
  )
}

async function readType(ctx: Context, id: string | RawBuilder<string>, condition: RawBuilder<SqlBool>) {
  const row = await ctx.db
    .selectFrom('dataType')
    .select(['schema', 'temporal', 'tableName', 'version', columnsIn(sql.ref('tableName')).as('columns')])
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .where(condition)
    .executeTakeFirst()
  return row
}

/** The time zone in which days and hours of a place are counted; UTC without a place. */
export async function readTimeZone(ctx: Context, placeId: string | null): Promise<string> {
  if (placeId === null) return 'UTC'
  const place = await memoize(ctx, 'hub', `time zone of ${placeId}`, ({ db }) =>
    db.selectFrom('place').select('timeZone').where('id', '=', placeId).executeTakeFirst(),
  )
  return place?.timeZone ?? 'UTC'
}
