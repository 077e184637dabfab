import { sql, type Kysely } from 'kysely'
import type { ColumnField } from './data-table.ts'
import type { Tables, Tx } from './schema.ts'

/** A column that is converted to another type. `old` and `name` differ where it is renamed as well. */
export interface Retype {
  old: string
  name: string
  was: string
  type: string
  from: ColumnField
  to: ColumnField
}

/** The changes of a data table, by column. The database validates every name and type. */
export interface TablePlan {
  drops: string[]
  renames: { from: string; to: string }[]
  retypes: Retype[]
  adds: { name: string; type: string }[]
  /** The column of the date that orders records from now on; null: none. */
  primary: string | null
  /** Whether that is another, or has another type. */
  dates: boolean
  /**
   * The columns that may have a geometry, in the order of the schema, where the record's own has to be determined again;
   * else null.
   */
  shapes: { name: string; field: ColumnField }[] | null
  /** The column of the field `id` where that changes; else null. `from` and `to` only where it is converted. */
  id: (Omit<Retype, 'from' | 'to'> & Partial<Pick<Retype, 'from' | 'to'>>) | null
  /** Whether values that do not convert become null; for maps, only the members that do not. */
  lenient: boolean
}

/** The number of records with a value in a column, by its name; `> name`: the number of values that convert completely. */
export interface ConversionCounts {
  records: number
  values: Map<string, number>
  /** Records that would get the id of another, or one that is too long. */
  idConflicts: number
}

/**
 * Counts the effects of a change on the records that the actor may see, or on those of one place; `counts`: further
 * columns to count.
 */
export async function measureChange(
  db: Kysely<Tables>,
  table: string,
  plan: TablePlan,
  counts: string[],
  place: string | null = null,
): Promise<ConversionCounts> {
  const { rows } = await sql<{ found: Record<string, number> }>`
    select measure_data_change(${table}, ${JSON.stringify({ ...plan, counts, place })}::jsonb) as found`.execute(
    db.withoutPlugins(),
  )
  const { records = 0, id = 0, ...values } = rows[0]?.found ?? {}
  return { records, idConflicts: id, values: new Map(Object.entries(values)) }
}

/** Examples of values that would not convert, in records of the given sources, in the format of the API. */
export async function unconvertedValues(
  db: Kysely<Tables>,
  table: string,
  retype: Retype,
  sourceIds: string[],
  limit: number,
): Promise<{ id: string; sourceId: string; value: unknown }[]> {
  const { rows } = await sql<{ id: string; source_id: string; value: unknown }>`
    select * from unconverted_values(${table}, ${JSON.stringify(retype)}::jsonb, ${sourceIds}::text[], ${limit}::int)`.execute(
    db.withoutPlugins(),
  )
  return rows.map(({ id, source_id: sourceId, value }) => ({ id, sourceId, value }))
}

/** Changes the table and the undo snapshots of its records. Locks it exclusively until the transaction ends. */
export async function changeTable(tx: Tx, dataTypeId: string, table: string, plan: TablePlan): Promise<void> {
  await sql`select change_data_table(${dataTypeId}, ${table}, ${JSON.stringify(plan)}::jsonb)`.execute(tx)
}

/** Blocks other changes of the table's columns until the transaction ends. Acquire it before any other lock. */
export async function lockTableShape(tx: Tx, table: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`data.${table}`}))`.execute(tx)
}

/** The number of partitions of a data type's table; 0: not partitioned. */
export async function countPartitions(db: Kysely<Tables>, table: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select data_partitions(${table}) as n`.execute(
    db.withoutPlugins(),
  )
  return rows[0]?.n ?? 0
}

/**
 * Rebuilds the table of a data type with a number of partitions by source, 0: none, with the same rows, ids and indexes.
 * Only as the product. Locks the table exclusively until the transaction ends.
 */
export async function partitionTable(tx: Tx, dataTypeId: string, partitions: number): Promise<void> {
  await sql`select partition_data_table(${dataTypeId}, ${partitions}::int)`.execute(tx)
}
