import { sql, type RawBuilder } from 'kysely'
import { isGeometryType, type Field } from '#functions/shapes/field.ts'
import { arrayText, geometryFrom, geometryText, type Column } from './columns.ts'
import type { LocatedRow } from './prepare.ts'

/** Rows to be written to a table with these columns, with distinct external ids. */
export class Incoming {
  readonly columns: Column[]
  readonly rows: readonly LocatedRow[]
  private table: RawBuilder<unknown> | null = null

  constructor(columns: Column[], rows: readonly LocatedRow[]) {
    this.columns = columns
    this.rows = rows
  }

  /** The rows from index `from` up to but without `to`. */
  slice(from: number, to?: number): Incoming {
    return new Incoming(this.columns, this.rows.slice(from, to))
  }

  /**
   * A subquery of the rows, each value in the type of its column: `external_id`, `key`, the columns, and
   * `geometry` unless `geometryIn` says that one of the columns holds it. Built once and cached: callers
   * build it early, while the database is busy with something else.
   */
  asTable(): RawBuilder<unknown> {
    return (this.table ??= buildRowTable(this.columns, this.rows))
  }
}

function buildRowTable(columns: Column[], rows: readonly LocatedRow[]): RawBuilder<unknown> {
  const geometry = findOnlyGeometryColumn(columns) ? [] : [sql`geometry`]
  // Array literals as text: the driver would serialise arrays only when it sends the statement, and the
  // database would wait for it.
  const parameters = [
    sql`${arrayText(rows.map((row) => row.externalId))}::text[]`,
    sql`${arrayText(rows.map((row) => row.key))}::bigint[]`,
    ...geometry.map(
      () => sql`${arrayText(rows.map((row) => row.geometry && geometryText(row.geometry)))}::text[]`,
    ),
    ...columns.map(
      ({ key, parameter, encode }) =>
        sql`${arrayText(rows.map((row) => encode(row.data[key])))}::${parameter}`,
    ),
  ]
  const rebuilt = columns.map(({ name, rebuild }) => sql`${rebuild(sql`u.${name}`)} as ${name}`)
  const shapes = geometry.map((name) => sql`${geometryFrom(sql`u.${name}`)} as ${name}`)
  return sql`select ${sql.join([sql`u.external_id`, sql`u.key`, ...shapes, ...rebuilt])}
      from unnest(${sql.join(parameters)})
        as u(${sql.join([sql`external_id`, sql`key`, ...geometry, ...columns.map(({ name }) => name)])})`
}

/** The column of `asTable` that holds a record's geometry. */
export function geometryIn(columns: Column[]): RawBuilder<unknown> {
  return findOnlyGeometryColumn(columns) ?? sql`geometry`
}

/** The one column that always holds the record's geometry, which then is not sent twice; null where several could. */
function findOnlyGeometryColumn(columns: Column[]): RawBuilder<unknown> | null {
  const shapeColumns = columns.filter(({ field, isGeometry }) => isGeometry || mayHoldShape(field))
  return shapeColumns.length === 1 && shapeColumns[0]?.isGeometry ? shapeColumns[0].name : null
}

function mayHoldShape({ type, items, schema }: Field): boolean {
  if (type === 'array') return items !== undefined && (isGeometryType(items.type) || mayHoldShape(items))
  return type === 'object' && schema !== undefined
}
