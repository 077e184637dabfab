import { sql } from 'kysely'
import { dataTable } from '#db/data-table.ts'
import type { Tx } from '#db/schema.ts'
import { toRecordData, toColumnRead, rowColumns, type Row } from './read.ts'
import type { LocatedRow } from './prepare.ts'
import { geometryIn, Incoming } from './incoming.ts'
import type { WriteTarget } from './write.ts'

/**
 * External ids of the rows that would be created and updated. Rows that equal what is stored, and existing
 * ones where `replaces` is false, are in neither.
 */
interface RowComparison {
  created: string[]
  updated: string[]
}

/** What `writeRows` would do with rows of different external ids. Writes nothing. */
export async function compareRows(
  tx: Tx,
  target: Pick<WriteTarget, 'table' | 'sourceId'>,
  incoming: Incoming,
  replaces: boolean,
): Promise<RowComparison> {
  const { sourceId } = target
  const { columns } = incoming
  const differs = [
    ...columns.map(({ name }) => sql`d.${name} is distinct from i.${name}`),
    sql`d.geometry is distinct from i.${geometryIn(columns)}`,
  ]
  const { rows } = await sql<{ external_id: string; existed: boolean }>`
    with incoming as materialized (${incoming.asTable()})
    select i.external_id, d.id is not null as existed from incoming i
    left join ${dataTable(target.table)} d on d.source_id = ${sourceId} and d.external_id = i.external_id
    where d.id is null or (${replaces} and (${sql.join(differs, sql` or `)}))`.execute(tx.withoutPlugins())
  const ids = (existed: boolean) =>
    rows.filter((row) => row.existed === existed).map((row) => row.external_id)
  return { created: ids(false), updated: ids(true) }
}

/** A field's value before and after a write, in the form of the API; null: no value. */
interface Difference {
  field: string
  before: unknown
  after: unknown
}

/**
 * The record that a row would become, and the fields in which it differs from the stored one (none for a new
 * record).
 */
interface RecordPreview {
  externalId: string
  data: Record<string, unknown>
  changes: Difference[]
}

/**
 * Previews a write: the records that these rows would become, in their order, with the changes of each.
 * Writes nothing.
 */
export async function pictureRows(
  tx: Tx,
  { table, columns, sourceId }: Pick<WriteTarget, 'table' | 'columns' | 'sourceId'>,
  rows: LocatedRow[],
): Promise<RecordPreview[]> {
  if (!rows.length) return []
  const readings = columns.map(toColumnRead)
  const changes = columns.map(
    ({ key, name }) => sql`case when d.${name} is distinct from t.${name} then ${key}::text end`,
  )
  const names = columns.map(({ name }) => sql`i.${name}`)
  // The id and times are placeholders: a record gets them when it is written.
  const { rows: after } = await sql<Row & { changed: string[]; existed: boolean }>`
    with incoming as materialized (${new Incoming(columns, rows).asTable()}), t as (
      select ${sql.join([sql`0::bigint as id`, sql`${sourceId}::text as source_id`, sql`i.external_id`, sql`now() as created_at`, sql`now() as updated_at`, sql`i.${geometryIn(columns)} as geometry`, ...names])}
      from incoming i)
    select ${rowColumns(readings)}, d.id is not null as existed,
      array_remove(array[${sql.join([sql`null::text`, ...changes])}], null) as changed
    from t left join ${dataTable(table)} d on d.source_id = ${sourceId} and d.external_id = t.external_id`.execute(
    tx.withoutPlugins(),
  )
  const ids = after.filter(({ existed }) => existed).map((row) => String(row.external_id))
  const before = new Map(
    (await readByExternalId(tx, { table, columns, sourceId }, ids)).map((each) => [
      each.externalId,
      each.data,
    ]),
  )
  const byId = new Map(after.map((row) => [String(row.external_id), row]))
  return rows.flatMap(({ externalId }): RecordPreview[] => {
    const row = byId.get(externalId)
    if (!row) return []
    const data = toRecordData(readings, row)
    const was = before.get(externalId)
    const changes = row.changed.map((field) => ({
      field,
      before: was?.[field] ?? null,
      after: data[field] ?? null,
    }))
    return [{ externalId, data, changes: was ? changes : [] }]
  })
}

/** Reads records by external id, in the order of their stable ids; ids without a record are left out. */
export async function readByExternalId(
  tx: Tx,
  { table, columns, sourceId }: Pick<WriteTarget, 'table' | 'columns' | 'sourceId'>,
  externalIds: string[],
): Promise<{ externalId: string; data: Record<string, unknown> }[]> {
  if (!externalIds.length) return []
  const readings = columns.map(toColumnRead)
  const { rows } = await sql<Row>`
    select ${rowColumns(readings)} from ${dataTable(table)} t
    where t.source_id = ${sourceId} and t.external_id = any(${externalIds}::text[]) order by t.id`.execute(
    tx.withoutPlugins(),
  )
  return rows.map((row) => ({ externalId: String(row.external_id), data: toRecordData(readings, row) }))
}
