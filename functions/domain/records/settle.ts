import { sql } from 'kysely'
import { dataTable } from '#db/data-table.ts'
import type { Tx } from '#db/schema.ts'
import type { Column } from './columns.ts'
import type { Extent } from '#functions/shapes/fields/extent.ts'
import { reachIn } from './reach.ts'
import { hasList, hasRange, maxListed, maxListedLength, type FieldTally, type Tally } from './tally.ts'
import type { WriteTarget } from './write.ts'

/** Queries the table for whatever the tally could not derive from the changes alone. */
export async function settle(tx: Tx, target: WriteTarget, tally: Tally): Promise<void> {
  if (tally.isExtentStale) {
    tally.extent = tally.count > 0 ? await extentIn(tx, target) : null
    tally.isExtentStale = false
  }
  tally.reach ??= await reachIn(tx, target)
  for (const column of target.columns) {
    const field = tally.fields.get(column.key)
    if (field?.isRangeStale) await settleRange(tx, target, column, field)
    if (field?.isListStale) await settleList(tx, target, column, field)
  }
}

/** The extent of a source's records; null without geometry. */
async function extentIn(tx: Tx, { table, sourceId }: WriteTarget): Promise<Extent | null> {
  const { rows } = await sql<Record<'w' | 's' | 'e' | 'n', number | null>>`
    select st_xmin(b) as w, st_ymin(b) as s, st_xmax(b) as e, st_ymax(b) as n from (
      select st_extent(geometry) as b from ${dataTable(table)} where source_id = ${sourceId}) box`.execute(
    tx.withoutPlugins(),
  )
  const { w = null, s = null, e = null, n = null } = rows[0] ?? {}
  return w === null || s === null || e === null || n === null ? null : [w, s, e, n]
}

async function settleRange(tx: Tx, { table, sourceId }: WriteTarget, { name }: Column, field: FieldTally) {
  const range = hasRange(field.type) ? sql`min(${name}) as min, max(${name}) as max,` : sql``
  const { rows } = await sql<{ min?: number | Date | null; max?: number | Date | null; nulls: number }>`
    select ${range} (count(*) filter (where ${name} is null))::int as nulls
    from ${dataTable(table)} where source_id = ${sourceId}`.execute(tx.withoutPlugins())
  field.min = toPlainValue(rows[0]?.min)
  field.max = toPlainValue(rows[0]?.max)
  field.nulls = rows[0]?.nulls ?? 0
  field.isRangeStale = false
}

/**
 * A sample of 1000 rows decides most cases: where it has too many distinct values, the rest need not be read.
 * Otherwise all rows are grouped by value.
 */
async function settleList(tx: Tx, { table, sourceId }: WriteTarget, { name }: Column, field: FieldTally) {
  field.isListStale = false
  field.values = null
  if (!hasList(field.type)) return
  const from = sql`from ${dataTable(table)} where source_id = ${sourceId} and ${name} is not null`
  const sample = await sql<{ n: number; longest: number | null }>`
    select count(distinct v)::int as n, max(char_length(v)) as longest
    from (select ${name}::text as v ${from} limit 1000) s`.execute(tx.withoutPlugins())
  const { n = 0, longest = null } = sample.rows[0] ?? {}
  if (n > maxListed || (longest ?? 0) > maxListedLength) return
  const { rows } = await sql<{ value: string; n: number; length: number }>`
    select left(${name}::text, ${maxListedLength + 1}::int) as value, count(*)::int as n
    ${from} group by 1 limit ${maxListed + 1}::int`.execute(tx.withoutPlugins())
  if (rows.length > maxListed || rows.some(({ value }) => [...value].length > maxListedLength)) return
  field.values = new Map(rows.map((row) => [row.value, row.n]))
}

function toPlainValue(value: number | string | Date | null | undefined): number | string | null {
  return value instanceof Date ? value.toISOString() : (value ?? null)
}
