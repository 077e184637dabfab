import { sql, type Kysely } from 'kysely'
import type { ColumnField } from './dataTable.ts'
import type { Tables, Tx } from './schema.ts'

/** A column whose values become those of another type. `old` and `name` differ where it is renamed as well. */
export interface Retype {
  old: string
  name: string
  was: string
  type: string
  from: ColumnField
  to: ColumnField
}

/** What is to become of a data table, by column. The database checks every name and type. */
export interface TablePlan {
  drops: string[]
  renames: { from: string; to: string }[]
  retypes: Retype[]
  adds: { name: string; type: string }[]
  /** The column of the date by which records are ordered from now on; null: none. */
  primary: string | null
  /** Whether that is another, or has another type. */
  dates: boolean
  /** The columns that may hold a geometry, in the order of the schema, where the record's own is to be found anew; else null. */
  shapes: { name: string; field: ColumnField }[] | null
  /** The column of the field `id` where that is another than before; else null. `from` and `to` only where it is converted. */
  id: (Omit<Retype, 'from' | 'to'> & Partial<Pick<Retype, 'from' | 'to'>>) | null
  /** Whether what does not convert becomes null; of a map, only the members that do not. */
  lenient: boolean
}

/** How many records have a value in a column, by its name; `> name`: how many values convert whole. */
export interface Measured {
  records: number
  values: Map<string, number>
  /** Records that would have the id of another, or one that is too long. */
  idConflicts: number
}

/**
 * Counts what a change would do to the records that the asker may see, or to those of one place; `counts` are columns that
 * are only counted.
 */
export async function measureChange(
  db: Kysely<Tables>,
  table: string,
  plan: TablePlan,
  counts: string[],
  place: string | null = null,
): Promise<Measured> {
  const { rows } = await sql<{ found: Record<string, number> }>`
    select measure_data_change(${table}, ${JSON.stringify({ ...plan, counts, place })}::jsonb) as found`.execute(
    db.withoutPlugins(),
  )
  const { records = 0, id = 0, ...values } = rows[0]?.found ?? {}
  return { records, idConflicts: id, values: new Map(Object.entries(values)) }
}

/** Some values that would not convert, of records of the given sources, as records have them on the wire. */
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

/** Changes the table and the images of its records. Holds it alone until the transaction ends. */
export async function changeTable(tx: Tx, dataTypeId: string, table: string, plan: TablePlan): Promise<void> {
  await sql`select change_data_table(${dataTypeId}, ${table}, ${JSON.stringify(plan)}::jsonb)`.execute(tx)
}

/** Keeps every other change of the table's columns waiting until the transaction ends. Take it before any other lock. */
export async function lockTableShape(tx: Tx, table: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`data.${table}`}))`.execute(tx)
}

/** How many partitions the table of a data type has; 0: it is one. */
export async function partitionsOf(db: Kysely<Tables>, table: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select data_partitions(${table}) as n`.execute(
    db.withoutPlugins(),
  )
  return rows[0]?.n ?? 0
}

/**
 * Makes the table of a data type anew in so many partitions by source, 0: as one, with the same rows, ids and indexes.
 * Only the product itself may. Holds the table alone until the transaction ends.
 */
export async function partitionTable(tx: Tx, dataTypeId: string, partitions: number): Promise<void> {
  await sql`select partition_data_table(${dataTypeId}, ${partitions}::int)`.execute(tx)
}
