import { sql, type RawBuilder } from 'kysely'
import { dataTable } from '#db/data-table.ts'
import type { Tx } from '#db/schema.ts'
import type { Extent } from '#functions/shapes/fields/extent.ts'
import type { Column } from './columns.ts'
import { geometryIn, type Incoming } from './incoming.ts'
import { hasList, hasRange } from './tally.ts'

/** Rows per statement: enough to be fast, few enough for one message. */
export const rowsPerStatement = 5000

/** Where records are written: the data table, the source, and the data version of the write. */
export interface WriteTarget {
  table: string
  columns: Column[]
  sourceId: string
  placeId: string
  version: number
  /** Whether undo snapshots are stored. Not for the first version, which is undone by deleting everything. */
  hasHistory: boolean
}

/**
 * What the statistics need of a record before it was changed. Of objects, lists and shapes only whether there
 * is a value.
 */
export interface PriorRecord {
  data: Record<string, unknown>
  key: number | null
  extent: Extent | null
}

/**
 * The result of a statement: external ids of new records, and of replaced ones with what they were before.
 */
interface WriteResult {
  created: string[]
  updated: { externalId: string; before: PriorRecord }[]
}

/**
 * Writes rows with distinct external ids: new ones are inserted, those that differ are updated, equal ones
 * are left alone and are in neither list. `replaces` false: existing records are never updated.
 */
export async function writeRows(
  tx: Tx,
  target: WriteTarget,
  incoming: Incoming,
  replaces = true,
): Promise<WriteResult> {
  const { columns, sourceId, placeId } = target
  const table = dataTable(target.table)
  const names = columns.map(({ name }) => name)
  const differs = [...names, sql.id('geometry')].map(
    (name) => sql`d.${name} is distinct from excluded.${name}`,
  )
  const conflict = replaces
    ? sql`do update set ${sql.join([...names, sql.id('geometry'), sql.id('key')].map((name) => sql`${name} = excluded.${name}`))},
        updated_at = now() where ${sql.join(differs, sql` or `)}`
    : sql`do nothing`
  const { rows: results } = await sql<BeforeRow>`
    with incoming as materialized (
      ${incoming.asTable()}
    ), before as materialized (
      select d.* from ${table} d join incoming i on i.external_id = d.external_id where d.source_id = ${sourceId}
    ), written as (
      insert into ${table} as d (${sql.join([sql`geometry`, sql`place_id`, sql`source_id`, sql`external_id`, sql`key`, ...names])})
      select i.${geometryIn(columns)}, ${placeId}, ${sourceId}, ${sql.join([sql`external_id`, sql`key`, ...names].map((name) => sql`i.${name}`))}
      from incoming i
      on conflict (source_id, external_id) ${conflict}
      returning d.external_id
    )${buildHistoryInsert(target, sql`written w left join before b on b.external_id = w.external_id`, sql`w.external_id`)}
    select w.external_id, ${selectPriorColumns(columns)}
    from written w left join before b on b.external_id = w.external_id`.execute(tx.withoutPlugins())
  const created: string[] = []
  const updated: WriteResult['updated'] = []
  for (const row of results) {
    const before = parsePriorRecord(columns, row)
    if (before) updated.push({ externalId: row.external_id, before })
    else created.push(row.external_id)
  }
  return { created, updated }
}

/**
 * Inserts rows with distinct external ids into a source that has none of them and stores no snapshots yet:
 * takes half the time of an upsert. Throws on a duplicate id.
 */
export async function addRows(tx: Tx, target: WriteTarget, incoming: Incoming): Promise<void> {
  const { columns, sourceId, placeId } = target
  const names = [sql`external_id`, sql`key`, ...columns.map(({ name }) => name)]
  await sql`
    insert into ${dataTable(target.table)} (${sql.join([sql`geometry`, sql`place_id`, sql`source_id`, ...names])})
    select i.${geometryIn(columns)}, ${placeId}, ${sourceId}, ${sql.join(names.map((name) => sql`i.${name}`))}
    from (${incoming.asTable()} offset 0) i`.execute(tx.withoutPlugins())
}

/** Whether the source has no record. */
export async function isEmpty(tx: Tx, { table, sourceId }: WriteTarget): Promise<boolean> {
  const { rows } = await sql`select from ${dataTable(table)} where source_id = ${sourceId} limit 1`.execute(
    tx.withoutPlugins(),
  )
  return rows.length === 0
}

/** Deletes records that are not among `keptIds`, at most `rowsPerStatement`; returns what they were. */
export async function removeOthers(tx: Tx, target: WriteTarget, keptIds: string[]): Promise<PriorRecord[]> {
  return remove(
    tx,
    target,
    sql`not exists (select from unnest(${keptIds}::text[]) k where k = d.external_id)`,
  )
}

/** Deletes records by stable id, at most `rowsPerStatement`; returns what they were. */
export async function removeById(tx: Tx, target: WriteTarget, ids: string[]): Promise<PriorRecord[]> {
  return remove(tx, target, sql`d.id = any(${ids}::bigint[])`)
}

/** Deletes records by external id, at most `rowsPerStatement`; returns what they were. */
export async function removeByExternalId(tx: Tx, target: WriteTarget, ids: string[]): Promise<PriorRecord[]> {
  return remove(tx, target, sql`d.external_id = any(${ids}::text[])`)
}

async function remove(tx: Tx, target: WriteTarget, which: RawBuilder<unknown>): Promise<PriorRecord[]> {
  const table = dataTable(target.table)
  const { rows } = await sql<BeforeRow>`
    with b as (
      delete from ${table} where id in (
        select d.id from ${table} d where d.source_id = ${target.sourceId} and ${which} limit ${rowsPerStatement}::int)
      returning *
    )${buildHistoryInsert(target, sql`b`, sql`b.external_id`)}
    select b.external_id, ${selectPriorColumns(target.columns)} from b`.execute(tx.withoutPlugins())
  return rows.flatMap((row) => parsePriorRecord(target.columns, row) ?? [])
}

/** Records one statement of a wipe deletes: takes some seconds at most, far below the statement time-out. */
const wipedAStatement = 20_000

/**
 * Deletes every record of the source and stores undo snapshots; returns how many there were. Goes by id, so
 * that each statement continues after the one before.
 */
export async function removeAll(tx: Tx, target: WriteTarget): Promise<number> {
  const table = dataTable(target.table)
  let count = 0
  for (let last = '0'; ;) {
    const { rows } = await sql<{ n: string; last: string | null }>`
      with b as (
        delete from ${table} where id in (
          select d.id from ${table} d where d.source_id = ${target.sourceId} and d.id > ${last}::bigint
          order by d.id limit ${wipedAStatement}::int)
        returning *
      )${buildHistoryInsert(target, sql`b`, sql`b.external_id`)}
      select count(*) as n, max(id)::text as last from b`.execute(tx.withoutPlugins())
    const n = Number(rows[0]?.n ?? 0)
    count += n
    if (n < wipedAStatement) return count
    last = rows[0]?.last ?? last
  }
}

/**
 * A further CTE of a statement: stores undo snapshots. `from` must have the row before the write as `b`; a
 * new record gets a null snapshot.
 */
export function buildHistoryInsert(
  target: WriteTarget,
  from: RawBuilder<unknown>,
  externalId: RawBuilder<unknown>,
) {
  const { hasHistory, sourceId, placeId, version, columns } = target
  if (!hasHistory) return sql``
  return sql`, kept as (
    insert into data_history (source_id, place_id, version, external_id, row)
    select ${sourceId}, ${placeId}, ${version}::int, ${externalId}, case when b.id is not null then ${buildSnapshot(columns)} end
    from ${from}
  )`
}

/**
 * The row `b` as a JSON object by column. Geometry is hexadecimal EWKB, which is exact; GeoJSON would round.
 */
function buildSnapshot(columns: Column[]): RawBuilder<unknown> {
  const isGeometry = new Set(['geometry', ...columns.filter((c) => c.isGeometry).map((c) => c.columnName)])
  const names = ['id', 'created_at', 'updated_at', 'key', 'geometry', ...columns.map((c) => c.columnName)]
  const pairs = names.map((name) => {
    const column = sql.ref(`b.${name}`)
    return sql`${name}::text, ${isGeometry.has(name) ? sql`${column}::text` : column}`
  })
  // A Postgres function takes at most 100 arguments.
  const parts: RawBuilder<unknown>[] = []
  for (let i = 0; i < pairs.length; i += 50)
    parts.push(sql`jsonb_build_object(${sql.join(pairs.slice(i, i + 50))})`)
  return sql.join(parts, sql` || `)
}

/** A row of `selectPriorColumns`. */
export interface BeforeRow extends Record<string, unknown> {
  external_id: string
  existed: boolean
  /** Bounding box of its geometry; null without one. */
  xmin: number | null
  ymin: number | null
  xmax: number | null
  ymax: number | null
}

/** The select list that `parsePriorRecord` needs of the row `b`; `existed`: there was one. */
export function selectPriorColumns(columns: Column[]): RawBuilder<unknown> {
  const edges = ['xmin', 'ymin', 'xmax', 'ymax'].map(
    (edge) => sql`${sql.id(`st_${edge}`)}(b.geometry) as ${sql.id(edge)}`,
  )
  const values = columns.map(({ name, field }) =>
    hasRange(field.type) || hasList(field.type)
      ? sql`b.${name}`
      : sql`case when b.${name} is not null then true end as ${name}`,
  )
  return sql.join([sql`b.id is not null as existed`, sql`b.key`, ...edges, ...values])
}

/** Parses a row of `selectPriorColumns`; null where there was no record. */
export function parsePriorRecord(columns: Column[], row: BeforeRow): PriorRecord | null {
  if (!row.existed) return null
  const data = columns.map(({ key, columnName }) => {
    const value = row[columnName]
    return [key, value instanceof Date ? value.toISOString() : value] as const
  })
  const { xmin, ymin, xmax, ymax } = row
  const hasExtent = xmin !== null && ymin !== null && xmax !== null && ymax !== null
  return {
    data: Object.fromEntries(data),
    key: row.key === null ? null : Number(row.key),
    extent: hasExtent ? [xmin, ymin, xmax, ymax] : null,
  }
}
