import { sql, type RawBuilder } from 'kysely'
import { getColumnName, columnType } from '#db/data-table.ts'
import { isGeometryType, type Field, type FieldSchema } from '#functions/shapes/field.ts'
import type { Geometry } from '#functions/shapes/fields/geometry.ts'

/** A field's value as a query parameter. */
type EncodedValue = string | number | boolean | null

/** A field, its column, and how values are written into it. */
export interface Column {
  key: string
  field: Field
  /** The quoted column name. */
  name: RawBuilder<unknown>
  columnName: string
  isGeometry: boolean
  /** The type of the array parameter that carries this column for many rows. */
  parameter: RawBuilder<unknown>
  encode(value: unknown): EncodedValue
  /** SQL that turns an encoded value into the column's type. */
  rebuild(input: RawBuilder<unknown>): RawBuilder<unknown>
}

/** The columns of a data type, in the order of its schema. */
export function buildColumns(schema: FieldSchema): Column[] {
  return Object.entries(schema).map(([key, field]) => {
    const columnName = getColumnName(key)
    const isGeometry = isGeometryType(field.type)
    return { key, field, columnName, name: sql.id(columnName), isGeometry, ...codecs(columnType(field)) }
  })
}

/**
 * SQL that parses the text of `geometryText`. A third coordinate is dropped: the columns are two-dimensional.
 * Points, the most frequent shapes, parse six times as fast from well-known text as from GeoJSON.
 */
export function geometryFrom(text: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when ${text} like '{%' then st_setsrid(st_force2d(st_geomfromgeojson(${text})), 4326)
    else ${text}::geometry end`
}

/**
 * A GeoJSON geometry as text for a query parameter: points as EWKT, everything else as GeoJSON. Parsed by
 * `geometryFrom`.
 */
export function geometryText({ type, coordinates }: Geometry): string {
  if (type === 'Point' && coordinates.length > 1)
    return `SRID=4326;POINT(${String(coordinates[0])} ${String(coordinates[1])})`
  return JSON.stringify({ type, coordinates })
}

type Codec = Pick<Column, 'parameter' | 'encode' | 'rebuild'>

const texts = sql`text[]`
const asIs = (input: RawBuilder<unknown>) => input
const scalar = (parameter: RawBuilder<unknown>): Codec => ({
  parameter,
  encode: (value) => (value === undefined ? null : (value as EncodedValue)),
  rebuild: asIs,
})
const list = (type: RawBuilder<unknown>): Codec => ({
  parameter: texts,
  encode: (value) => (Array.isArray(value) ? arrayText(value) : null),
  rebuild: (input) => sql`${input}::${type}`,
})

const codecTable: Record<string, Codec> = {
  text: scalar(texts),
  'double precision': scalar(sql`double precision[]`),
  boolean: scalar(sql`boolean[]`),
  timestamptz: scalar(sql`timestamptz[]`),
  date: scalar(sql`date[]`),
  'text[]': list(texts),
  'double precision[]': list(sql`double precision[]`),
  'boolean[]': list(sql`boolean[]`),
  'timestamptz[]': list(sql`timestamptz[]`),
  'date[]': list(sql`date[]`),
  jsonb: { parameter: texts, encode: json, rebuild: (input) => sql`${input}::jsonb` },
  'geometry(Geometry,4326)': {
    parameter: texts,
    encode: (value) => (value === undefined || value === null ? null : geometryText(value as Geometry)),
    rebuild: geometryFrom,
  },
}

function codecs(type: string): Codec {
  const codec = Object.hasOwn(codecTable, type) ? codecTable[type] : undefined
  if (!codec) throw new Error(`No way into a column of type ${type}`)
  return codec
}

function json(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value)
}

/**
 * A Postgres array literal, which can carry a list of lists in one parameter. Uses `join` instead of
 * concatenation: V8 flattens a concatenated string only when it is sent, while the database waits.
 */
export function arrayText(items: readonly unknown[]): string {
  const texts = items.map((item) => {
    if (item === null || item === undefined) return 'NULL'
    if (typeof item !== 'string') return String(item as number | boolean)
    return needsEscape.test(item) ? `"${item.replace(specialCharacters, '\\$&')}"` : `"${item}"`
  })
  return `{${texts.join(',')}}`
}

const needsEscape = /["\\]/
const specialCharacters = /["\\]/g
