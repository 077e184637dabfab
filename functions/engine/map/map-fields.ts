import { isGeometryType, type Field, type FieldSchema } from '#functions/shapes/field.ts'

/** What a map says of the records of a data type. */
export interface MapFields {
  /** Where they are: null without a field of places, and where there are several. */
  geometry: string | null
  /** They can be lines or areas. */
  hasShapes: boolean
  /** The field that names a record; null: none does. */
  name: string | null
  /** What is said besides, under the names that maps call these fields by. */
  lines: { key: string; label: string; field: Field }[]
}

/** Besides the name: a tile carries five fields of a record, and nobody reads more on a map. */
const mostLines = 3
const sayable: readonly string[] = ['text', 'number', 'boolean', 'date']

/**
 * What a map says of records: the first text names them. Besides it the fields that the data type has a name for on maps
 * (`mappingLabelSchema`), under that name; where it has none, its first fields under their own.
 */
export function mapFields(
  schema: FieldSchema,
  labels: Readonly<Record<string, string>> | null | undefined,
): MapFields {
  const fields = Object.entries(schema)
  const places = fields.filter(([, { type }]) => isGeometryType(type))
  const texts = fields.filter(([, { type }]) => type === 'text').map(([key]) => key)
  const name = texts.find((key) => key !== 'id') ?? texts[0] ?? null
  const others = fields.filter(([key, { type }]) => key !== name && key !== 'id' && sayable.includes(type))
  const labelOf = (key: string) => (labels && Object.hasOwn(labels, key) ? (labels[key] ?? '') : '')
  const labelled = others.filter(([key]) => labelOf(key) !== '')
  return {
    geometry: places.length === 1 ? (places[0]?.[0] ?? null) : null,
    hasShapes: places.some(([, { type }]) => type !== 'point'),
    name,
    lines: (labelled.length > 0 ? labelled : others)
      .slice(0, mostLines)
      .map(([key, field]) => ({ key, label: labelOf(key) || field.name, field })),
  }
}
