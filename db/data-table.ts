import { sql, type Kysely, type RawBuilder } from 'kysely'
import { isCalendarDate } from '#functions/shapes/field.ts'
import type { Tables } from './schema.ts'

/** The part of a field that determines its column. */
export interface ColumnField {
  type: string
  precision?: string
  items?: { type: string; precision?: string }
}

/** The part of a data type that its table depends on. `tableName` null: it has no table yet. */
export interface TableOwner {
  id: string
  schema: Record<string, ColumnField>
  temporal: { primary: string } | null
  tableName: string | null
}

const geometryTypes = ['point', 'line', 'multiline', 'polygon', 'multipolygon']
const scalarTypes: Record<string, string> = {
  text: 'text',
  number: 'double precision',
  boolean: 'boolean',
  date: 'timestamptz',
}

/**
 * The SQL type of a field's column: typed where the field is, lists of typed items as arrays, the rest as JSON. A calendar date is a
 * `date`, which has no zone that could move it.
 */
export function columnType(field: ColumnField): string {
  if (geometryTypes.includes(field.type)) return 'geometry(Geometry,4326)'
  const scalar = scalarType(field)
  if (scalar) return scalar
  const item = field.type === 'array' && field.items ? scalarType(field.items) : undefined
  return item ? `${item}[]` : 'jsonb'
}

function scalarType(field: { type: string; precision?: string }): string | undefined {
  if (isCalendarDate(field)) return 'date'
  return Object.hasOwn(scalarTypes, field.type) ? scalarTypes[field.type] : undefined
}

/** The column of a field: `f_` and its key. A key of more than 60 characters is cut and marked with its hash. */
export function getColumnName(fieldKey: string): string {
  if (!/^[A-Za-z0-9]{1,128}$/.test(fieldKey))
    throw new Error(`Not the key of a field: ${fieldKey.slice(0, 40)}`)
  return `f_${shorten(fieldKey, 60)}`
}

/** Suffixes of a table's indexes, keys and sequences, which share the namespace of tables. */
const reservedSuffixes = /_(page|key|geometry|date|newest|only|pkey|seq|idx|by_[0-9a-f]{10})$/

/**
 * Makes the table name for a data type. Names are unique per id, and never collide with an index of another table:
 * `tree-page` is not the page index of `tree`.
 */
export function tableNameFor(dataTypeId: string): string {
  if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(dataTypeId)) throw new Error('Not the id of a data type.')
  const name = dataTypeId.replaceAll('-', '_')
  return `t_${reservedSuffixes.test(name) ? withHash(name, 47) : shorten(name, 47)}`
}

/** The table of a data type's records, for FROM and INTO. Throws for a name that `tableNameFor` cannot have returned. */
export function dataTable(name: string): RawBuilder<unknown> {
  if (!/^t_[a-z0-9_]{1,47}$/.test(name)) throw new Error('Not the name of a data table.')
  return sql.id('data', name)
}

/**
 * Creates the table of a data type, or adds the columns of new fields; does nothing where all exist. Returns the table's
 * name. Throws `ChangedTypeError` when a field has a column of another type. Locks the table when it has something to do:
 * call it before a long transaction, not in it.
 */
export async function makeTable(db: Kysely<Tables>, dataType: TableOwner): Promise<string> {
  const table = dataType.tableName ?? tableNameFor(dataType.id)
  const expectedColumns = Object.entries(dataType.schema).map(([key, field]) => ({
    key,
    name: getColumnName(key),
    type: columnType(field),
  }))
  const present = await columnTypes(db, table)
  for (const { key, name, type } of expectedColumns) {
    const existing = present.get(name)
    if (existing !== undefined && existing !== type) throw new ChangedTypeError(key)
  }
  const isComplete = dataType.tableName !== null && expectedColumns.every(({ name }) => present.has(name))
  if (isComplete && present.size > 0) return table
  const columns = JSON.stringify(expectedColumns.map(({ name, type }) => ({ name, type })))
  const primary = dataType.temporal ? getColumnName(dataType.temporal.primary) : null
  await sql`select make_data_type_table(${dataType.id}, ${table}, ${columns}::jsonb, ${primary})`.execute(db)
  return table
}

/** The columns of a data table with their SQL types as in `columnType`; empty where there is no such table. */
export async function columnTypes(db: Kysely<Tables>, table: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string; type: string }>`
    select attname::text as name, format_type(atttypid, atttypmod) as type from pg_attribute
    where attrelid = to_regclass(${`data.${table}`}) and attnum > 0 and not attisdropped`.execute(
    db.withoutPlugins(),
  )
  return new Map(
    rows.map(({ name, type }) => [name, type.replace('timestamp with time zone', 'timestamptz')]),
  )
}

/** The names of a table's columns, as an SQL array; null where there is no such table. `table`: its name, a column of text. */
export function columnsIn(table: RawBuilder<unknown>): RawBuilder<string[] | null> {
  return sql<string[] | null>`(select array_agg(attname::text) from pg_attribute
    where attrelid = to_regclass('data.' || ${table}) and attnum > 0 and not attisdropped)`
}

const nulls: Record<string, RawBuilder<unknown>> = {
  text: sql`null::text`,
  'double precision': sql`null::double precision`,
  boolean: sql`null::boolean`,
  timestamptz: sql`null::timestamptz`,
  date: sql`null::date`,
  'text[]': sql`null::text[]`,
  'double precision[]': sql`null::double precision[]`,
  'boolean[]': sql`null::boolean[]`,
  'timestamptz[]': sql`null::timestamptz[]`,
  'date[]': sql`null::date[]`,
  'geometry(Geometry,4326)': sql`null::geometry(Geometry,4326)`,
}

/** The value of a field in rows from before it was added: null, of its column's type. */
export function getTypedNull(field: ColumnField): RawBuilder<unknown> {
  const type = columnType(field)
  return (Object.hasOwn(nulls, type) ? nulls[type] : undefined) ?? sql`null::jsonb`
}

/** Stands in for the table of a data type without records: no rows, and the columns that every table has. */
export function emptyTable(): RawBuilder<unknown> {
  return sql`(select null::bigint as id, null::text as place_id, null::text as source_id, null::text as external_id,
    null::timestamptz as created_at, null::timestamptz as updated_at, null::geometry(Geometry,4326) as geometry,
    null::bigint as key, null::oid as tableoid where false)`
}

/** A field has records of another type: its column cannot store the new one. */
export class ChangedTypeError extends Error {
  readonly field: string

  constructor(field: string) {
    super(`The type of the field "${field}" cannot change while there are records.`)
    this.field = field
  }
}

function shorten(name: string, length: number): string {
  return name.length <= length ? name : withHash(name, length)
}

/** The beginning of a name and the hash of all of it. */
function withHash(name: string, length: number): string {
  return `${name.slice(0, length - 14)}_${hashText(name)}`
}

/** 13 hexadecimal digits (FNV-1a, 52 bits of 64): names, not secrets. */
function hashText(text: string): string {
  let hash = 0xcbf29ce484222325n
  for (let i = 0; i < text.length; i++) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(i))) * 0x100000001b3n)
  }
  return (hash >> 12n).toString(16).padStart(13, '0')
}
