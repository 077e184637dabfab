import { sql, type RawBuilder } from 'kysely'
import {
  getColumnName,
  columnType,
  columnTypes,
  dataTable,
  tableNameFor,
  type ColumnField,
} from '#db/data-table.ts'
import type { Db, Tx } from '#db/schema.ts'

/** The columns of a move that its workers need. */
export interface Move {
  id: string
  changeId: string
  placeId: string
  fromTypeId: string
  toTypeId: string
  status: 'copying' | 'clearing'
  fence: number
  attempts: number
}

/** Batch sizes: how many records a transaction copies and deletes. */
export interface Sizes {
  copied: number
  removed: number
}

/** About a second's work. */
export const usualSizes: Sizes = { copied: 5000, removed: 20_000 }

/**
 * Creates the table of a place's own data type, once the old one has a table: with all its columns, including those of
 * removed fields, which may be restored with their values. Undefined where the old type has no records yet.
 */
export async function createTargetTable(
  db: Db,
  { fromTypeId, toTypeId }: Pick<Move, 'fromTypeId' | 'toTypeId'>,
): Promise<{ from: string; to: string } | undefined> {
  const types = await db
    .selectFrom('dataType')
    .select(['id', 'schema', 'temporal', 'tableName'])
    .where('id', 'in', [fromTypeId, toTypeId])
    .execute()
  const from = types.find(({ id }) => id === fromTypeId)?.tableName
  const own = types.find(({ id }) => id === toTypeId)
  if (!from || !own) return undefined
  if (own.tableName !== null) return { from, to: own.tableName }
  const to = tableNameFor(toTypeId)
  const schema = own.schema as Record<string, ColumnField>
  const typeByColumn = new Map(
    Object.entries(schema).map(([key, field]) => [getColumnName(key), columnType(field)]),
  )
  for (const [name, type] of await columnTypes(db, from))
    if (name.startsWith('f_')) typeByColumn.set(name, type)
  const columns = JSON.stringify([...typeByColumn].map(([name, type]) => ({ name, type })))
  const primary = own.temporal ? getColumnName(own.temporal.primary) : null
  await sql`select make_data_type_table(${toTypeId}, ${to}, ${columns}::jsonb, ${primary})`.execute(db)
  return { from, to }
}

/** A source of the place that is not copied completely, or has changed since. */
interface SourceToCopy {
  id: string
  dataVersion: number
  version: number | null
  target: number | null
  afterId: string | null
  afterExternal: string | null
}

/**
 * Copies a batch of records of a place's sources, or updates copied ones that have changed, which the source's history
 * lists. `copied` null: everything that was committed before is copied.
 */
export async function copySome(
  tx: Tx,
  move: Move,
  tables: { from: string; to: string } | undefined,
  { copied: atOnce }: Sizes,
): Promise<{ copied: number | null }> {
  const { rows } = await sql<SourceToCopy>`
    select s.id, s.data_version, m.version, m.target, m.after_id::text, m.after_external
    from source s left join data_type_move_source m on m.move_id = ${move.id} and m.source_id = s.id
    where s.place_id = ${move.placeId} and s.data_type_id = ${move.fromTypeId} and (m.source_id is null
      or m.after_id is not null or m.target is not null or m.version < s.data_version)
    order by s.id limit 1`.execute(tx)
  const [source] = rows
  if (!source) return { copied: null }
  const { id: sourceId, dataVersion, version } = source
  const storeProgress = async (changes: Partial<Omit<SourceToCopy, 'id' | 'dataVersion'>>) => {
    await tx
      .updateTable('dataTypeMoveSource')
      .set({
        ...changes,
        version: changes.version ?? undefined,
        afterExternal: changes.afterExternal ?? undefined,
      })
      .where('moveId', '=', move.id)
      .where('sourceId', '=', sourceId)
      .execute()
  }
  if (version === null) {
    // The version is read before the records: concurrent writes have a later one and are compared again.
    const begin = { moveId: move.id, sourceId, placeId: move.placeId, version: dataVersion, afterId: '0' }
    await tx
      .insertInto('dataTypeMoveSource')
      .values(dataVersion === 0 ? { ...begin, afterId: null } : begin)
      .execute()
    return { copied: 0 }
  }
  if (!tables) throw new Error('A data type with records has no table.')
  const names = await listSharedColumns(tx, tables)
  if (source.afterId !== null) {
    const { copied, last } = await insertRows(
      tx,
      tables,
      names,
      sql`t.source_id = ${sourceId} and t.id > ${source.afterId}::bigint order by t.id limit ${atOnce}::int`,
      atOnce,
    )
    await storeProgress({ afterId: last })
    return { copied }
  }
  if (source.target === null) {
    // The first version has no history: all records are read again, and existing copies are skipped.
    if (version === 0) await storeProgress({ version: 1, afterId: '0' })
    else await storeProgress({ target: dataVersion, afterExternal: '' })
    return { copied: 0 }
  }
  const { rows: copies } = await sql<{ id: string }>`
    select distinct external_id as id from data_history where source_id = ${sourceId}
      and version > ${version}::int and version <= ${source.target}::int and external_id > ${source.afterExternal}
    order by external_id limit ${atOnce}::int`.execute(tx)
  const ids = copies.map(({ id }) => id)
  await sql`
    delete from ${dataTable(tables.to)} where source_id = ${sourceId} and external_id = any(${ids}::text[])`.execute(
    tx,
  )
  const { copied } = await insertRows(
    tx,
    tables,
    names,
    sql`t.source_id = ${sourceId} and t.external_id = any(${ids}::text[])`,
    atOnce,
  )
  if (ids.length < atOnce) await storeProgress({ version: source.target, target: null, afterExternal: '' })
  else await storeProgress({ afterExternal: ids.at(-1) ?? '' })
  return { copied }
}

/**
 * Whether all records of a place's sources are copied. Requires that the sources are locked, so that it remains true
 * until the end of the transaction.
 */
export async function isCopied(tx: Tx, move: Move): Promise<boolean> {
  const { rows } = await sql`
    select from source s left join data_type_move_source m on m.move_id = ${move.id} and m.source_id = s.id
    where s.place_id = ${move.placeId} and s.data_type_id = ${move.fromTypeId} and (m.source_id is null
      or m.after_id is not null or m.target is not null or m.version <> s.data_version) limit 1`.execute(tx)
  return rows.length === 0
}

/** Deletes a batch of the records that moved sources have left behind; returns their number. */
export async function clearSome(tx: Tx, move: Move, from: string, { removed }: Sizes): Promise<number> {
  const table = dataTable(from)
  const { rows } = await sql<{ n: string }>`
    with gone as (
      delete from ${table} where (source_id, id) in (
        select t.source_id, t.id from ${table} t where t.source_id in (
          select m.source_id from data_type_move_source m join source s on s.id = m.source_id
          where m.move_id = ${move.id} and s.data_type_id <> ${move.fromTypeId})
        limit ${removed}::int)
      returning id)
    select count(*) as n from gone`.execute(tx.withoutPlugins())
  return Number(rows[0]?.n ?? 0)
}

/** Every column of a record: those of all tables, and those of its fields. */
async function listSharedColumns(tx: Tx, { from, to }: { from: string; to: string }): Promise<string[]> {
  const present = await columnTypes(tx, to)
  return [...(await columnTypes(tx, from)).keys()].filter((name) => present.has(name))
}

/** `last`: the id of the last record, null where there were fewer than `atOnce`. */
async function insertRows(
  tx: Tx,
  { from, to }: { from: string; to: string },
  names: string[],
  which: RawBuilder<unknown>,
  atOnce: number,
): Promise<{ copied: number; last: string | null }> {
  const columns = sql.join(names.map((name) => sql.id(name)))
  const { rows } = await sql<{ count: string; copied: string; last: string | null }>`
    with records as materialized (select t.* from ${dataTable(from)} t where ${which}),
    copied as (
      insert into ${dataTable(to)} (${columns}) overriding system value select ${columns} from records
      on conflict do nothing returning id)
    select (select count(*) from records) as count, (select count(*) from copied) as copied,
      (select max(id)::text from records) as last`.execute(tx.withoutPlugins())
  const [row] = rows
  const isMore = Number(row?.count ?? 0) === atOnce
  return { copied: Number(row?.copied ?? 0), last: isMore ? (row?.last ?? null) : null }
}
