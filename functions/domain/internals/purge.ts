import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { recordActivity } from '#functions/domain/activity/activity.ts'
import type { TranslatableNoun } from '#functions/shapes/translatable.ts'
import { restoreDays } from '#functions/domain/noun/restore.ts'
import type { Context } from '#functions/context.ts'
import { dataTable } from '#db/data-table.ts'

/** One day more than something can be restored, so that a restore never races with the purge. */
const purgeDays = restoreDays + 1
/** Rows deleted by one statement, so that it takes a few seconds at most. */
const usualRows = 5_000
/** The same for nouns whose deletion cascades, and whose rows have an audit log entry each. */
const maxNamed = 200
/** The most statements of one night; the rest follows in the next. */
const usualStatements = 400

/** The limits of one night. */
export interface Bound {
  rows: number
  statements: number
}

/** Nouns that are deleted directly, with their names in the audit log; dependent rows are deleted by foreign keys. */
const nouns = {
  page: sql`title`,
  collection: sql`name`,
  insight: sql`name`,
  importer: sql`''`,
  observer: sql`name`,
  boundarySet: sql`name`,
  alert: null,
} as const

/**
 * Purges what was deleted more than 30 days ago: pages, collections, insights, importers, observers, alerts, files whose
 * bytes are gone, sources with their records, and data types with their tables. All but alerts and files get an audit
 * log entry. Called every night, as the product; the next night continues, and repeating it does no harm. A source that
 * an insight or an observer refers to keeps its row, without records: otherwise an insight that nobody deleted would be
 * deleted with it, or would cover other sources. The same holds for a referenced data type, and for one whose URL
 * redirects to that of another place. Returns the number of purged rows by noun.
 */
export async function purgeDeleted(
  ctx: Context,
  { rows, statements }: Bound = { rows: usualRows, statements: usualStatements },
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  let rest = statements
  /** Repeats a statement that deletes at most `rows`, until nothing is left or the time limit is reached. */
  const repeatDelete = async (name: string, most: number, remove: (most: number) => Promise<number>) => {
    while (rest > 0) {
      rest -= 1
      const count = await remove(most)
      counts[name] = (counts[name] ?? 0) + count
      if (count < most) return true
    }
    return false
  }
  const some = Math.min(rows, maxNamed)
  for (const [table, name] of Object.entries(nouns))
    await repeatDelete(table, some, (most) => removeNamed(ctx, table, name, sql<SqlBool>`true`, most))
  const isEmpty = sql<SqlBool>`bytes_gone_at is not null`
  await repeatDelete('asset', some, (most) => removeNamed(ctx, 'asset', null, isEmpty, most))
  for (const { id, tableName, isNamed } of await findDeletedSources(ctx)) {
    const parts = [
      ...(tableName === null ? [] : [['record', dataTable(tableName)] as const]),
      ['image', sql`data_history`] as const,
    ]
    let isBare = true
    for (const [name, table] of parts)
      isBare &&= await repeatDelete(name, rows, (most) => deleteRows(ctx, table, id, most))
    if (!isBare) break
    if (isNamed) {
      await ctx.db.deleteFrom('fieldProfile').where('sourceId', '=', id).execute()
      await ctx.db.deleteFrom('sourceStat').where('sourceId', '=', id).execute()
    } else await repeatDelete('source', 2, () => removeSource(ctx, id))
  }
  // Each drops a table, which locks that of all sources for a moment.
  await repeatDelete('dataType', 1, () => removeDataType(ctx))
  for (const [noun, table] of Object.entries(textNouns))
    await repeatDelete('translation', rows, (most) => removeTranslations(ctx, noun, table, most))
  return counts
}

/** Where the nouns are that translations are of; those of a place go with it. */
const textNouns: Record<Exclude<TranslatableNoun, 'place'>, string> = {
  page: 'page',
  content: 'content',
  dataType: 'data_type',
  source: 'source',
  insight: 'insight',
  collection: 'collection',
  collectionText: 'collection_text',
}

/** Deletes translations of rows that no longer exist. Returns their number. */
async function removeTranslations(ctx: Context, noun: string, table: string, rows: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from translation where id = any(array(
      select id from translation t where noun = ${noun}
        and not exists (select from ${sql.table(table)} n where n.id = t.noun_id) limit ${rows}::int))`.execute(
    ctx.db,
  )
  return Number(numAffectedRows ?? 0)
}

/** By the clock of the database. */
const isDue = (column = 'deleted_at') =>
  sql<SqlBool>`${sql.ref(column)} < now() - make_interval(days => ${purgeDays})`

/** Deletes rows of a noun, oldest first, with an audit log entry for each named one. Returns their number. */
async function removeNamed(
  ctx: Context,
  table: string,
  name: RawBuilder<unknown> | null,
  condition: RawBuilder<SqlBool>,
  rows: number,
): Promise<number> {
  return ctx.transaction(async (tx) => {
    const { rows: places } = await sql<{ id: string; placeId: string; name: string }>`
      delete from ${sql.table(table)} where id = any(array(
        select id from ${sql.table(table)} where ${isDue()} and ${condition} order by deleted_at limit ${rows}::int))
      returning id, place_id, ${name ?? sql`''`} as name`.execute(tx)
    if (name !== null)
      for (const { id, placeId, name: placeName } of places)
        await recordActivity(tx, ctx, { verb: 'purged', type: table, id, name: placeName, placeId }, null)
    return places.length
  })
}

/**
 * Sources to purge, oldest first, with the table of their records, and whether something refers to them that exists or
 * can be restored.
 */
async function findDeletedSources(ctx: Context) {
  const isNamed = sql`(exists (select from insight i where i.source_id = s.id)
    or exists (select from observer o where o.source_id = s.id))`
  // A row that must stay and has no statistics was emptied before.
  const { rows } = await sql<{ id: string; tableName: string | null; isNamed: boolean }>`
    select s.id, t.table_name, ${isNamed} as is_named
    from source s join data_type t on t.id = s.data_type_id
    where ${isDue('s.deleted_at')}
      and (not ${isNamed} or exists (select from source_stat f where f.source_id = s.id))
    order by s.deleted_at limit 1000`.execute(ctx.db)
  return rows
}

/** Deletes the rows of a source from a table, in batches. Returns their number. */
async function deleteRows(
  ctx: Context,
  table: RawBuilder<unknown>,
  sourceId: string,
  rows: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${table} where id = any(array(
      select id from ${table} where source_id = ${sourceId} limit ${rows}::int))`.execute(ctx.db)
  return Number(numAffectedRows ?? 0)
}

async function removeSource(ctx: Context, id: string): Promise<number> {
  return ctx.transaction(async (tx) => {
    // Files without a row are deleted from the bucket by the nightly check.
    const { rows } = await sql<{ placeId: string; name: string }>`
      delete from source where id = ${id} and ${isDue()} returning place_id, name`.execute(tx)
    for (const { placeId, name } of rows)
      await recordActivity(tx, ctx, { verb: 'purged', type: 'source', id, name, placeId }, null)
    return rows.length
  })
}

/** Purges the data type that was deleted first, where nothing refers to it any more. Returns the number of purged ones. */
async function removeDataType(ctx: Context): Promise<number> {
  return ctx.transaction(async (tx) => {
    const { rows } = await sql<{
      id: string
      name: string
      placeId: string | null
      tableName: string | null
    }>`
      delete from data_type where id = (
        select id from data_type t where ${isDue('t.deleted_at')}
          and not exists (select from source where data_type_id = t.id)
          and not exists (select from insight where data_type_id = t.id)
          and not exists (select from observer where data_type_id = t.id)
          and not exists (select from data_type_move where t.id in (from_type_id, to_type_id))
        order by deleted_at limit 1)
      returning id, name, owner_place_id as place_id, table_name`.execute(tx)
    for (const { id, name, placeId, tableName } of rows) {
      if (tableName !== null) await sql`select drop_data_table(${tableName})`.execute(tx)
      await recordActivity(tx, ctx, { verb: 'purged', type: 'dataType', id, name, placeId }, null)
    }
    return rows.length
  })
}
