import { sql } from 'kysely'
import { columnTypes, dataTable } from '#db/data-table.ts'
import type { Db, Tx } from '#db/schema.ts'
import type { Change } from './change.ts'
import { queueRegions } from './regions.ts'
import {
  selectPriorColumns,
  parsePriorRecord,
  buildHistoryInsert,
  removeAll,
  removeByExternalId,
  rowsPerStatement,
  type PriorRecord,
  type BeforeRow,
  type WriteTarget,
} from './write.ts'

/**
 * How many records a version created, updated and removed, as far as their undo snapshots are still stored.
 * The first version has none.
 */
export async function countSnapshots(db: Db | Tx, sourceId: string, version: number): Promise<number> {
  const { rows } = await sql<{ n: string }>`
    select count(*) as n from data_history where source_id = ${sourceId} and version = ${version}::int`.execute(
    db.withoutPlugins(),
  )
  return Number(rows[0]?.n ?? 0)
}

/**
 * Rolls back a version of a source by its undo snapshots: records it created are deleted, records it updated
 * or removed are restored with their ids and times. Correct only if nothing has changed the records since.
 * What it replaces gets snapshots like any write. `alive` is called before each batch. Returns what it did.
 */
export async function rollBackVersion(
  pendingChange: Change,
  version: number,
  alive: () => void = () => {},
): Promise<{ created: number; updated: number; removed: number }> {
  const { tx, target } = pendingChange
  pendingChange.readAsEmpty = null
  if (version === 1) {
    // Rolling back the first version deletes everything.
    const removed = await removeAll(tx, target)
    if (removed > 0) await pendingChange.countEmptied(removed)
    return { created: 0, updated: 0, removed }
  }
  const counts = { created: 0, updated: 0, removed: 0 }
  // Images are of the areas that a set had then.
  if (target.columns.some(({ field }) => field.regionOf))
    await queueRegions(tx, { sourceId: target.sourceId })
  const names = [...(await columnTypes(tx, target.table)).keys()].filter((name) => name.startsWith('f_'))
  for (let last = ''; ;) {
    alive()
    const { rows } = await sql<{ external_id: string; is_new: boolean }>`
      select external_id, row is null as is_new from data_history
      where source_id = ${target.sourceId} and version = ${version}::int and external_id > ${last}
      order by external_id limit ${rowsPerStatement}::int`.execute(tx.withoutPlugins())
    const pickIds = (isNew: boolean) =>
      rows.filter(({ is_new }) => is_new === isNew).map((row) => row.external_id)
    const [fresh, idsWithImage] = [pickIds(true), pickIds(false)]
    if (fresh.length)
      for (const before of await removeByExternalId(tx, target, fresh)) {
        pendingChange.went(before)
        counts.removed += 1
      }
    if (idsWithImage.length)
      for (const { before, after } of await restore(tx, target, version, idsWithImage, names)) {
        if (before) pendingChange.countReplaced(before, after)
        else pendingChange.cameBack(after)
        counts[before ? 'updated' : 'created'] += 1
      }
    if (rows.length < rowsPerStatement) return counts
    last = rows.at(-1)?.external_id ?? last
  }
}

/**
 * Restores records from their snapshots. `names`: all field columns of the table, also of fields that are no
 * longer in the schema. Columns that a snapshot does not have keep their current value where the record still
 * exists.
 */
async function restore(
  tx: Tx,
  target: WriteTarget,
  version: number,
  externalIds: string[],
  names: string[],
): Promise<{ before: PriorRecord | null; after: PriorRecord }[]> {
  const { columns, sourceId, placeId } = target
  const table = dataTable(target.table)
  const copyColumns = ['created_at', 'updated_at', 'geometry', 'key', ...names].map((name) => sql.id(name))
  const image = sql`select h.external_id, h.row from data_history h
      where h.source_id = ${sourceId} and h.version = ${version}::int and h.row is not null
        and h.external_id = any(${externalIds}::text[])`
  const { rows } = await sql<BeforeRow & { side: 'before' | 'after' }>`
    with image as materialized (${image}), before as materialized (
      select d.* from ${table} d join image h on h.external_id = d.external_id where d.source_id = ${sourceId}
    ), updated as (
      update ${table} d set ${sql.join(copyColumns.map((name) => sql`${name} = r.${name}`))}
      from image h join ${table} o on o.source_id = ${sourceId} and o.external_id = h.external_id,
        lateral jsonb_populate_record(o, h.row) r
      where d.source_id = ${sourceId} and d.external_id = h.external_id
      returning d.*
    ), inserted as (
      insert into ${table} (${sql.join([sql`id`, sql`place_id`, sql`source_id`, sql`external_id`, ...copyColumns])})
      overriding system value
      select ${sql.join([sql`r.id`, sql`${placeId}`, sql`${sourceId}`, sql`h.external_id`, ...copyColumns.map((name) => sql`r.${name}`)])}
      from image h, lateral jsonb_populate_record(null::${table}, h.row) r
      where not exists (select from before b where b.external_id = h.external_id)
      returning *
    ), after as (
      select * from updated union all select * from inserted
    )${buildHistoryInsert(target, sql`after w left join before b on b.external_id = w.external_id`, sql`w.external_id`)}
    select 'before' as side, b.external_id, ${selectPriorColumns(columns)} from before b
    union all select 'after' as side, b.external_id, ${selectPriorColumns(columns)} from after b`.execute(
    tx.withoutPlugins(),
  )
  const sides = { before: new Map<string, PriorRecord>(), after: new Map<string, PriorRecord>() }
  for (const row of rows) {
    const record = parsePriorRecord(columns, row)
    if (record) sides[row.side].set(row.external_id, record)
  }
  return [...sides.after].map(([id, after]) => ({ before: sides.before.get(id) ?? null, after }))
}
