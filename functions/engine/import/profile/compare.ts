import type { Field, FieldSchema } from '#functions/shapes/field.ts'
import { isGeometryType } from '#functions/shapes/field.ts'
import { splitKeyPath, type Mapping, type MappingValue } from '#functions/shapes/importer-mapping.ts'
import { complete, fieldAt, listUnknownTargets } from '../map/index.ts'
import type { ColumnReading, ColumnReadings } from '../map/reading.ts'
import {
  getMisses,
  countParsedBooleans,
  countParsedDates,
  countParsedNumbers,
  type ColumnProfile,
} from './column.ts'
import type { Profile } from './index.ts'
import { countMissing } from './missing.ts'
import type { Miss } from './tally.ts'

/** The effect of an import on a field of a data type. */
interface FieldComparison {
  /** As mappings write it. */
  field: string
  /** The column; null where the mapping computes the value. */
  path: string | null
  /** Rows with a value for it, and rows whose value would be rejected. Null: only known after reading the rows. */
  values: number | null
  refused: number | null
  /** Rows without a value, where the field is required; else 0. Null: only known after reading the rows. */
  missing: number | null
  /** Some rows that would be refused. */
  failing: Miss[]
}

interface Comparison {
  fields: FieldComparison[]
  /** Targets of the mapping that the data type does not have. */
  unknownTargets: string[]
  /** Columns that the mapping names and no row has. */
  absentColumns: string[]
  /** Columns that the mapping does not use. */
  unusedColumns: string[]
}

/**
 * What of all rows a data type would refuse, field by field. Types are compared; the further rules of fields, and times
 * that clocks skip, are found only by reading the rows. `columns`: how they are read.
 */
export function compare(
  profile: Profile,
  schema: FieldSchema,
  mapping: Mapping,
  columns: ColumnReadings = {},
): Comparison {
  const byPath = new Map(profile.columns.map((column) => [column.path, column]))
  const entries = Object.entries(complete(mapping, schema))
  const usedColumns = new Set(entries.flatMap(([, value]) => columnsIn(value)))
  const fields = entries.flatMap(([target, value]): FieldComparison[] => {
    const field = fieldAt(schema, splitKeyPath(target))
    return field ? [compareField(target, field, value, profile, byPath, columns)] : []
  })
  return {
    fields,
    unknownTargets: listUnknownTargets(mapping, schema),
    absentColumns: [...usedColumns].filter((path) => !byPath.has(path)),
    unusedColumns: [...byPath.keys()].filter(
      (path) =>
        ![...usedColumns].some(
          (one) => one === path || one.startsWith(`${path}.`) || path.startsWith(`${one}.`),
        ),
    ),
  }
}

/** All columns that a mapping value uses. */
export function columnsIn(value: MappingValue | undefined): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  const own = 'field' in value ? [value.field] : value.arguments.flatMap(columnsIn)
  return [...own, ...columnsIn(value.defaultValue)]
}

function compareField(
  target: string,
  field: Field,
  value: MappingValue,
  { rows }: Profile,
  byPath: Map<string, ColumnProfile>,
  columns: ColumnReadings,
): FieldComparison {
  const unknown: FieldComparison = {
    field: target,
    path: null,
    values: null,
    refused: null,
    missing: null,
    failing: [],
  }
  const isColumn = typeof value === 'object' && value !== null && !Array.isArray(value) && 'field' in value
  if (!isColumn) return unknown
  const isRequired = field.validation?.required === true && value.defaultValue === undefined
  const column = byPath.get(value.field)
  if (!column) return { ...unknown, path: value.field, values: 0, refused: 0, missing: isRequired ? rows : 0 }
  // Text fields keep the words that are missing values elsewhere.
  const words = Object.values(column.counts.words).reduce((sum, times) => sum + times, 0)
  const reading = columns[value.field] ?? {}
  const none = countMissing(column, reading.missing)
  const values = column.values - none.values + (field.type === 'text' ? words - none.usual : 0)
  const fit = measureFit(column, field, reading)
  if (fit === null) return { ...unknown, path: value.field, values, missing: isRequired ? rows - values : 0 }
  const isTaken = field.type === 'text' ? none.values : field.type === 'number' ? none.numbers : 0
  const rejected = Math.max(0, column.values - fit.parsed - (none.values - isTaken))
  return {
    field: target,
    path: value.field,
    values,
    refused: rejected,
    missing: isRequired ? rows - values : 0,
    failing:
      rejected > 0
        ? fit.failing.filter((miss) => !reading.missing?.includes(miss.value.trim().toLowerCase()))
        : [],
  }
}

/** How many of a column's values a field accepts; null for lists and maps, whose contents are not counted. */
function measureFit(
  column: ColumnProfile,
  { type }: Field,
  reading: ColumnReading,
): { parsed: number; failing: Miss[] } | null {
  const { counts, misses, fits } = column
  if (type === 'text') return { parsed: fits.text.parsed, failing: misses.text }
  if (type === 'number')
    return { parsed: countParsedNumbers(counts, reading), failing: getMisses(column, 'number', reading) }
  if (type === 'boolean') return { parsed: countParsedBooleans(counts, reading), failing: misses.boolean }
  if (type === 'date')
    return { parsed: countParsedDates(counts, reading), failing: getMisses(column, 'date', reading) }
  return isGeometryType(type) ? { parsed: counts.shapes[type] ?? 0, failing: misses.shape } : null
}
