import { sql } from 'kysely'
import { getColumnName } from '#db/data-table.ts'
import type { Context } from '#functions/context.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'

/** When a field gets an index, and when it loses it. */
export interface IndexLimits {
  /** Fewest uses of the field in seven days. */
  asked: number
  /** Fewest records of the data type. */
  records: number
  /** Most such indexes of a table. */
  most: number
  /** Dropped after so many days without use. */
  days: number
}

/**
 * Below 50,000 records a full scan takes less than a tenth of a second. Five more indexes slow writing down
 * to about a third, so a field must be used some seven times a day, and a table gets eight at most.
 */
export const indexLimits: IndexLimits = { asked: 50, records: 50_000, most: 8, days: 30 }

/** What was done, as `dataType.field`. `failed`: a writer was in the way, or it took too long. */
export interface IndexReport {
  made: string[]
  dropped: string[]
  failed: string[]
}

/**
 * Creates indexes of fields that queries often use and drops those that are no longer used. Called by cron;
 * must run as the system actor. An index is created in one statement, during which the table can be read but
 * not written; it is limited to the 20 seconds of any statement, runs at night, waits two seconds for its
 * lock, and leaves nothing behind if it fails.
 */
export async function maintainIndexes(
  ctx: Context,
  limits = ctx.settings.indexes ?? indexLimits,
): Promise<IndexReport> {
  const report: IndexReport = { made: [], dropped: [], failed: [] }
  await sql`delete from field_use where day < ${dayBefore(ctx, limits.days)}::date`.execute(ctx.db)
  const types = await ctx.db
    .selectFrom('dataType')
    .select(['id', 'schema', 'temporal', 'tableName'])
    .where('tableName', 'is not', null)
    .orderBy('id')
    .execute()
  for (const { id, schema: fields, temporal, tableName } of types) {
    if (tableName === null) continue
    const indexes = await existing(ctx, tableName)
    const uses = await countFieldUses(ctx, id, limits.days)
    const isUsed = (column: string) => uses.some(({ field }) => columnIn(fields, field) === column)
    const doing = async (list: string[], name: string, work: () => Promise<boolean>) => {
      try {
        if (await work()) list.push(`${id}.${name}`)
      } catch (error) {
        ctx.report(error, { during: 'maintainIndexes', field: `${id}.${name}` })
        report.failed.push(`${id}.${name}`)
      }
    }
    for (const { index, column } of indexes) {
      if (!isUsed(column)) await doing(report.dropped, column, () => drop(ctx, tableName, index))
    }
    for (const field of await worth(ctx, {
      id,
      schema: fields,
      primary: temporal?.primary ?? null,
      limits,
    })) {
      const column = getColumnName(field)
      if (!indexes.some((index) => index.column === column))
        await doing(report.made, field, () => make(ctx, tableName, column, limits.most))
    }
  }
  return report
}

const columnIn = (schema: FieldSchema, field: string) =>
  Object.hasOwn(schema, field) ? getColumnName(field) : null

function dayBefore(ctx: Context, days: number): string {
  return new Date(ctx.now().getTime() - days * 86_400_000).toISOString().slice(0, 10)
}

/** The indexes of a table that this file created, with their columns. A renamed column keeps its index. */
async function existing(ctx: Context, table: string) {
  const { rows } = await sql<{ index: string; column: string }>`
    select i.relname::text as index, a.attname::text as column from pg_index x
    join pg_class i on i.oid = x.indexrelid
    join pg_attribute a on a.attrelid = x.indrelid and a.attnum = any(x.indkey) and a.attname like 'f\\_%'
    where x.indrelid = to_regclass(${`data.${table}`}) and i.relname ~ '_by_[0-9a-f]{10}$'
    order by 1`.execute(ctx.db.withoutPlugins())
  return rows
}

/** How often each field was used in the last days, by kind of use. */
async function countFieldUses(ctx: Context, dataTypeId: string, days: number) {
  const { rows } = await sql<{ field: string; kind: string; asked: string }>`
    select field, kind, sum(asked) as asked from field_use
    where data_type_id = ${dataTypeId} and day > ${dayBefore(ctx, days)}::date
    group by 1, 2 order by 1, 2`.execute(ctx.db.withoutPlugins())
  return rows
}

interface Candidate {
  id: string
  schema: FieldSchema
  primary: string | null
  limits: IndexLimits
}

/**
 * The fields that deserve an index, the most used first. Numbers and dates for every use (the primary date
 * already has one); texts for equality, where they have more distinct values than value lists hold: each of
 * fewer values is so frequent that an index does not help.
 */
async function worth(ctx: Context, { id, schema, primary, limits }: Candidate): Promise<string[]> {
  const { rows } = await sql<{ count: string; fields: Record<string, { values: unknown }> }>`
    select c.count, c.fields from source s join source_stat c on c.source_id = s.id
    where s.data_type_id = ${id} and c.count > 0`.execute(ctx.db.withoutPlugins())
  if (rows.reduce((sum, { count }) => sum + Number(count), 0) < limits.records) return []
  const isListed = (field: string) => rows.every(({ fields }) => fields[field]?.values)
  const isUsed = new Map<string, number>()
  for (const { field, kind, asked: times } of await countFieldUses(ctx, id, 7)) {
    const type = Object.hasOwn(schema, field) ? schema[field]?.type : undefined
    const isOrdered = (type === 'number' || type === 'date') && field !== primary
    const isFound = type === 'text' && kind === 'equality' && !isListed(field)
    if (isOrdered || isFound) isUsed.set(field, (isUsed.get(field) ?? 0) + Number(times))
  }
  return [...isUsed]
    .filter(([, times]) => times >= limits.asked)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, limits.most)
    .map(([field]) => field)
}

/** Creates an index; false where the table already has the most allowed. */
async function make(ctx: Context, table: string, column: string, most: number): Promise<boolean> {
  const { rows } = await sql<{ name: string | null }>`
    select make_field_index(${table}, ${column}, ${most}::int) as name`.execute(ctx.db.withoutPlugins())
  return rows[0]?.name != null
}

async function drop(ctx: Context, table: string, index: string): Promise<boolean> {
  await sql`select drop_field_index(${table}, ${index})`.execute(ctx.db.withoutPlugins())
  return true
}
