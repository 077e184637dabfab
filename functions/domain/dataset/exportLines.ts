import { sql, type RawBuilder } from 'kysely'
import type { Dataset } from './open.ts'
import { isGeometryType } from '../records/columns.ts'
import type { LineKind, Shapes } from '#functions/exports/file.ts'

/** A column of an export: a field, and how its column is read. */
export interface Column {
  key: string
  type: string
  itemType: string | undefined
  value: RawBuilder<unknown>
}

/** What a row's text is made of. */
export interface LineParts {
  columns: Column[]
  /** Whether the records may be areas: only those have rings to turn. */
  hasAreas: boolean
}

/** The columns of some fields of a dataset, in that order; fields that there are not are left out. */
export function partsIn({ readings, schema }: Dataset, keys: string[]): LineParts {
  const hasAreas = Object.values(schema).some(({ type, items }) => /polygon/.test(type + (items?.type ?? '')))
  const columns = keys.flatMap((key) => {
    const field = schema[key]
    const reading = readings.find((each) => each.key === key)
    return field && reading
      ? [{ key, type: field.type, itemType: field.items?.type, value: reading.value }]
      : []
  })
  return { columns, hasAreas }
}

/**
 * A row as one text, made by the database: it is several times as fast as values that are read one by one. Byte for byte
 * what the writers make of the same values, but for spaces inside of maps and lists. Null for a line that it cannot make.
 */
export function lineOf(kind: LineKind, { columns, hasAreas }: LineParts): RawBuilder<string> | null {
  if (kind === 'json') return sql`concat('{', ${members(columns)}, '}')`
  if (kind === 'feature') {
    const plain = columns.filter(({ type }) => !isGeometryType(type))
    return sql`concat('{"type":"Feature","id":', t.id, ',"geometry":', coalesce(${shape('map', hasAreas)}, 'null'),
      ',"properties":{', ${members(plain)}, '}}')`
  }
  if (columns.some(({ type }) => type === 'array' || type === 'object')) return null
  const isTab = kind === 'tsv'
  const cells = columns.flatMap((column) => cellsOf(column, isTab))
  return concat(between(cells, isTab ? sql`E'\t'` : sql`','`))
}

/** A row as a JSON list: its id, its geometry or null, then each column's value or null. */
export function rowLine({ columns, hasAreas }: LineParts, shapes: Shapes): RawBuilder<string> {
  const values = columns.map((column) => {
    const isLeftOut = shapes !== 'fields' && isGeometryType(column.type)
    return isLeftOut ? sql`'null'` : sql`coalesce(${jsonOf(column)}, 'null')`
  })
  const geometry = shapes === 'fields' ? sql`'null'` : sql`coalesce(${shape(shapes, hasAreas)}, 'null')`
  const parts = between([sql`t.id`, geometry, ...values], sql`','`)
  return concat([sql`'['`, ...parts, sql`']'`])
}

/** Of functions that take any number of arguments Postgres takes 100. */
const maxArguments = 90

function concat(parts: RawBuilder<unknown>[]): RawBuilder<string> {
  if (parts.length <= maxArguments) return sql`concat('', ${sql.join(parts)})`
  const groups = Array.from({ length: Math.ceil(parts.length / maxArguments) }, (_, i) =>
    concat(parts.slice(i * maxArguments, (i + 1) * maxArguments)),
  )
  return concat(groups)
}

function between(parts: RawBuilder<unknown>[], separator: RawBuilder<unknown>): RawBuilder<unknown>[] {
  return parts.flatMap((part, i) => (i === 0 ? [part] : [separator, part]))
}

/** The members of a data object; what is null is left out with its name. */
function members(columns: Column[]): RawBuilder<unknown> {
  if (columns.length === 0) return sql`''`
  const parts = columns.map((column) => sql`${`,${JSON.stringify(column.key)}:`}::text || ${jsonOf(column)}`)
  return sql`substr(${concat(parts)}, 2)`
}

function jsonOf({ type, itemType, value }: Column): RawBuilder<unknown> {
  if (type === 'number') return numberText(value)
  if (type === 'date') return sql`'"' || ${isoText(value)} || '"'`
  if (isGeometryType(type)) return sql`st_asgeojson(${value}, 15)`
  if (type === 'array' && itemType === 'date') {
    const items = sql`select string_agg(coalesce('"' || ${isoText(sql`item`)} || '"', 'null'), ',' order by place)
      from unnest(${value}) with ordinality as items (item, place)`
    return sql`case when ${value} is not null then concat('[', (${items}), ']') end`
  }
  if (type === 'boolean' || type === 'object') return sql`${value}::text`
  return sql`to_json(${value})::text`
}

function cellsOf({ type, value }: Column, isTab: boolean): RawBuilder<unknown>[] {
  if (type === 'number') return [numberText(value)]
  if (type === 'boolean') return [sql`${value}::text`]
  if (type === 'date') return [isoText(value)]
  if (type === 'point') {
    const degrees = [sql`st_x(${value})`, sql`st_y(${value})`].map(numberText)
    return [sql`st_astext(${value}, 15)`, ...degrees]
  }
  // The positions of a shape have commas between them.
  if (isGeometryType(type))
    return [isTab ? sql`st_astext(${value}, 15)` : sql`'"' || st_astext(${value}, 15) || '"'`]
  const separator = isTab ? sql`E'\t'` : sql`','`
  const isSpecial = [sql`'"'`, separator, sql`E'\n'`, sql`E'\r'`].map(
    (mark) => sql`position(${mark} in ${value}) > 0`,
  )
  return [
    sql`case when ${sql.join(isSpecial, sql` or `)} then '"' || replace(${value}, '"', '""') || '"' else ${value} end`,
  ]
}

/** The geometry that stands for the record, as GeoJSON. */
function shape(shapes: 'exact' | 'map', hasAreas: boolean): RawBuilder<unknown> {
  if (shapes === 'exact') return sql`st_asgeojson(t.geometry, 15)`
  // The function that turns rings turns lines around as well.
  const turned = sql`case when st_dimension(t.geometry) = 2 then st_forcepolygonccw(t.geometry) else t.geometry end`
  return sql`st_asgeojson(${hasAreas ? turned : sql`t.geometry`}, 7)`
}

/** A moment as every answer has it: UTC, with milliseconds. */
function isoText(value: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

/** A number as JavaScript writes it: both write the fewest digits that mean it, but go over to exponents elsewhere. */
function numberText(value: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when ${value} = 0 then '0' when abs(${value}) >= 1e-4 and abs(${value}) < 1e15 then ${value}::text
    when abs(${value}) >= 1e-6 and abs(${value}) < 1e21 then ${value}::text::numeric::text
    else regexp_replace(${value}::text, 'e([+-])0', 'e\\1') end`
}
