import { axisTitle, formatValue } from '#functions/engine/chart/format.ts'
import { recordDecimals } from '#functions/engine/chart/measure.ts'
import { hasNames, type FieldSchema } from '#functions/shapes/field.ts'

export interface RecordTable {
  columns: { label: string; isNumber?: boolean; isShort?: boolean }[]
  rows: string[][]
}

/** Texts up to this length, a date for instance, are not broken into lines where a screen is narrow: the table scrolls. */
const shortText = 20

/**
 * Formats records as a table of texts: a column for each field in the order of the schema, numbers without their unit
 * and with the most decimals of their column.
 */
export function recordTable(
  schema: FieldSchema,
  records: { data?: Record<string, unknown> }[],
  reading: { locale: string; timeZone: string; dateLocale?: string | undefined },
): RecordTable {
  const columns = Object.entries(schema).map(([key, field]) => {
    const isNumber = field.type === 'number' && !hasNames(field)
    const values = records.map(({ data }) => data?.[key])
    const decimals = isNumber ? recordDecimals(values, field) : undefined
    const texts = values.map((value) => formatValue(value, field, { ...reading, unit: '', decimals }))
    return {
      label: axisTitle(field),
      isNumber,
      isShort: texts.every(({ length }) => length <= shortText),
      texts,
    }
  })
  return {
    columns: columns.map(({ label, isNumber, isShort }) => ({ label, isNumber, isShort })),
    rows: records.map((_, row) => columns.map(({ texts }) => texts[row] ?? '')),
  }
}
