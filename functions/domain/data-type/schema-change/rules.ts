import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { getColumnName, dataTable } from '#db/data-table.ts'
import type { Tx } from '#db/schema.ts'
import { isCalendarDate, type Field } from '#functions/shapes/field.ts'
import { parseCalendarDay, isoDate } from '#functions/shapes/fields/dates.ts'
import type { FieldChange } from './fields.ts'

/**
 * The number of records that violate the new rules of a field, by its key. Left out are fields with a rule that SQL
 * cannot express exactly (a pattern, a URL, the length of a text in UTF-16), and fields whose type changes as well. Such
 * records are not rejected: rules apply to what is sent from then on. `onlyPlace`: the place whose records are counted.
 */
export async function countInvalid(
  tx: Tx,
  table: string,
  changes: FieldChange[],
  present: ReadonlyMap<string, string>,
  onlyPlace: string | null,
): Promise<Map<string, number>> {
  const theirs = onlyPlace === null ? sql`true` : sql`place_id = ${onlyPlace}`
  const rules = changes.flatMap(({ key, was, kinds, after }) => {
    const column = getColumnName(was ?? key)
    if (!after || !kinds.includes('validation') || !present.has(column)) return []
    const faults = buildFaultConditions(after, sql.ref(column))
    return faults && faults.length > 0 ? [{ key, fault: sql.join(faults, sql` or `) }] : []
  })
  const byKey = new Map<string, number>()
  for (const { key, fault } of rules) {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from ${dataTable(table)} where (${fault}) and ${theirs}`.execute(
      tx.withoutPlugins(),
    )
    byKey.set(key, rows[0]?.n ?? 0)
  }
  return byKey
}

/** The SQL condition for invalid values; null where a rule cannot be expressed. */
function buildFaultConditions(field: Field, column: RawBuilder<unknown>) {
  const { type, validation = {}, items, schema } = field
  if (items?.validation || schema) return null
  const faults: RawBuilder<SqlBool>[] = []
  for (const [rule, parameter] of Object.entries(validation)) {
    if (rule === 'required') faults.push(sql<SqlBool>`${column} is null`)
    else if (rule === 'notEmpty' && type === 'text') faults.push(sql<SqlBool>`${column} = ''`)
    else if (rule === 'enum' && type === 'text')
      faults.push(sql<SqlBool>`${column} <> all(${(parameter as unknown[]).map(String)}::text[])`)
    else if (rule === 'enum' && type === 'number')
      faults.push(sql<SqlBool>`${column} <> all(${(parameter as unknown[]).map(Number)}::double precision[])`)
    else if ((rule === 'min' || rule === 'max') && (type === 'number' || type === 'date')) {
      const bounds =
        type === 'number'
          ? sql`${parameter}::double precision`
          : isCalendarDate(field)
            ? sql`${parseCalendarDay(parameter)}::date`
            : sql`${isoDate(parameter)}::timestamptz`
      faults.push(rule === 'min' ? sql<SqlBool>`${column} < ${bounds}` : sql<SqlBool>`${column} > ${bounds}`)
    } else return null
  }
  return faults
}
