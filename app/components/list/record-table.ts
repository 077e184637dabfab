import { axisTitle, formatValue } from '#functions/engine/chart/format.ts'
import { hasNames, type FieldSchema } from '#functions/shapes/field.ts'

export interface RecordTable {
  columns: { label: string; isNumber?: boolean }[]
  rows: string[][]
}

/** Gives records as a table of texts: a column for each field in the order of the schema, numbers without their unit. */
export function recordTable(
  schema: FieldSchema,
  records: { data?: Record<string, unknown> }[],
  reading: { locale: string; timeZone: string },
): RecordTable {
  const fields = Object.entries(schema)
  return {
    columns: fields.map(([, field]) => ({
      label: axisTitle(field),
      isNumber: field.type === 'number' && !hasNames(field),
    })),
    rows: records.map((record) =>
      fields.map(([key, field]) => formatValue(record.data?.[key], field, { ...reading, unit: '' })),
    ),
  }
}
