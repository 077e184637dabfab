import { sql, type RawBuilder } from 'kysely'
import type { Datum } from '#functions/shapes/datum.ts'
import type { Column } from './columns.ts'

/** A row of a data table as `rowColumns` selects it. */
export type Row = Record<string, unknown> & { id: string; source_id: string }

/** How a column is selected: its value, or a typed null where the table does not have the column yet. */
export type ColumnRead = Pick<Column, 'key' | 'columnName' | 'isGeometry'> & { value: RawBuilder<unknown> }

/** The column of a field in a table that has it, under the alias `t`. */
export function toColumnRead(column: Column): ColumnRead {
  return { ...column, value: sql.ref(`t.${column.columnName}`) }
}

/**
 * The select list for a data table with alias `t`. Coordinates have at most `digits` decimals; 15 keeps all.
 */
export function rowColumns(readings: ColumnRead[], digits = 15): RawBuilder<unknown> {
  const geoJson = (value: RawBuilder<unknown>) => sql`st_asgeojson(${value}, ${digits}::int)::json`
  return sql.join([
    sql`t.id::text as id, t.source_id, t.external_id, t.created_at, t.updated_at`,
    sql`${geoJson(sql`t.geometry`)} as geometry`,
    ...readings.map(
      ({ columnName, isGeometry, value }) =>
        sql`${isGeometry ? geoJson(value) : value} as ${sql.id(columnName)}`,
    ),
  ])
}

/** A row as a record of the API: dates as ISO text, fields without a value left out. */
export function toDatum(readings: ColumnRead[], row: Row): Datum {
  return {
    id: row.id,
    sourceId: row.source_id,
    externalId: String(row.external_id),
    createdAt: isoText(row.created_at),
    updatedAt: isoText(row.updated_at),
    data: toRecordData(readings, row),
    geometry: (row.geometry ?? null) as Datum['geometry'],
  }
}

/** The fields of a row by key, in the order of the schema; fields without a value left out. */
export function toRecordData(readings: ColumnRead[], row: Row): Record<string, unknown> {
  const data: Record<string, unknown> = {}
  for (const { key, columnName } of readings) {
    const value = row[columnName]
    if (value !== null && value !== undefined) data[key] = wire(value)
  }
  return data
}

function wire(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  return Array.isArray(value) && value.some((item) => item instanceof Date) ? value.map(wire) : value
}

function isoText(value: unknown): string {
  return value instanceof Date ? value.toISOString() : new Date(String(value)).toISOString()
}
