import { isGeometryType, type Field, type FieldSchema } from '#functions/shapes/field.ts'

/** The fields of a data type that maps use. */
export interface MapFields {
  /** The geometry field: null without one, and with several. */
  geometry: string | null
  /** They can be lines or areas. */
  hasShapes: boolean
  /** The field that names a record; null: none. */
  name: string | null
  /** Further fields in pop-ups, with their labels. */
  lines: { key: string; label: string; field: Field }[]
}

/**
 * The number of fields in pop-ups besides the name: a tile has five fields per record, and people would not
 * read more.
 */
const maxLines = 3
const sayable: readonly string[] = ['text', 'number', 'boolean', 'date']

/**
 * The fields of records on maps: the first text is the name. Further fields are those with a map label
 * (`mappingLabelSchema`); without any, the first fields.
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
  const getFieldLabel = (key: string) => (labels && Object.hasOwn(labels, key) ? (labels[key] ?? '') : '')
  const labelled = others.filter(([key]) => getFieldLabel(key) !== '')
  return {
    geometry: places.length === 1 ? (places[0]?.[0] ?? null) : null,
    hasShapes: places.some(([, { type }]) => type !== 'point'),
    name,
    lines: (labelled.length > 0 ? labelled : others)
      .slice(0, maxLines)
      .map(([key, field]) => ({ key, label: getFieldLabel(key) || field.name, field })),
  }
}
