import { sql, type RawBuilder } from 'kysely'
import { isGeometryType, type Field } from '#functions/shapes/field.ts'
import { arrayText, geometryFrom, geometryText, type Column } from './columns.ts'
import type { Prepared } from './prepare.ts'

/** Rows of different external ids on their way into a table of these columns. */
export class Incoming {
  readonly columns: Column[]
  readonly rows: readonly Prepared[]
  private table: RawBuilder<unknown> | null = null

  constructor(columns: Column[], rows: readonly Prepared[]) {
    this.columns = columns
    this.rows = rows
  }

  /** Some of them, from one and before another. */
  slice(from: number, to?: number): Incoming {
    return new Incoming(this.columns, this.rows.slice(from, to))
  }

  /**
   * A query of them, each value in the type of its column: `external_id`, `key`, the columns, and `geometry` unless
   * `geometryIn` says that it is one of those. Made once: who asks early makes it while the database does something else.
   */
  asTable(): RawBuilder<unknown> {
    return (this.table ??= tableOf(this.columns, this.rows))
  }
}

function tableOf(columns: Column[], rows: readonly Prepared[]): RawBuilder<unknown> {
  const geometry = onlyGeometry(columns) ? [] : [sql`geometry`]
  // As text: the driver would write lists only when it is their turn, and the database would wait for it.
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

/** The column of `asTable` in which a record's geometry is. */
export function geometryIn(columns: Column[]): RawBuilder<unknown> {
  return onlyGeometry(columns) ?? sql`geometry`
}

/** The column that always is the record's geometry, which then need not travel twice; null where there may be several. */
function onlyGeometry(columns: Column[]): RawBuilder<unknown> | null {
  const shaped = columns.filter(({ field, isGeometry }) => isGeometry || mayHoldShape(field))
  return shaped.length === 1 && shaped[0]?.isGeometry ? shaped[0].name : null
}

function mayHoldShape({ type, items, schema }: Field): boolean {
  if (type === 'array') return items !== undefined && (isGeometryType(items.type) || mayHoldShape(items))
  return type === 'object' && schema !== undefined
}
