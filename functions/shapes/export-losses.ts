import type { ExportFormat } from './export-format.ts'
import { isCalendarDate, isGeometryType, type FieldSchema } from './field.ts'

/** Something in records that a format cannot represent. */
export type Loss =
  | 'utc'
  | 'repeatedHour'
  | 'textTimes'
  | 'before1900'
  | 'cutNames'
  | 'cutTexts'
  | 'longTexts'
  | 'textLists'
  | 'textShapes'
  | 'oneShape'
  | 'roundedShapes'
  | 'onlyShapes'
  | 'oneText'

/** What each format cannot represent, shown beside the downloads. To be extended with new formats. */
export const losses: Readonly<Record<ExportFormat, readonly Loss[]>> = {
  csv: ['textLists', 'textShapes'],
  tsv: ['textLists', 'textShapes'],
  json: ['utc'],
  ndjson: ['utc'],
  geojson: ['utc', 'oneShape', 'roundedShapes'],
  geojsonl: ['utc', 'oneShape', 'roundedShapes'],
  xlsx: ['repeatedHour', 'before1900', 'longTexts', 'textLists', 'textShapes'],
  kml: ['textTimes', 'textLists', 'oneShape', 'roundedShapes'],
  kmz: ['textTimes', 'textLists', 'oneShape', 'roundedShapes'],
  shp: ['textTimes', 'cutNames', 'cutTexts', 'textLists', 'oneShape'],
  gpx: ['textTimes', 'oneText', 'onlyShapes', 'roundedShapes'],
  parquet: ['utc'],
  zip: ['textLists'],
}

/** The properties of the fields that losses depend on. */
interface Facts {
  hasTimes: boolean
  hasDates: boolean
  hasTexts: boolean
  hasLists: boolean
  shapes: string[]
  hasLongNames: boolean
  isOtherClock: boolean
}

const appliesTo: Record<Loss, (facts: Facts) => boolean> = {
  utc: ({ hasTimes, isOtherClock }) => hasTimes && isOtherClock,
  repeatedHour: ({ hasTimes, isOtherClock }) => hasTimes && isOtherClock,
  textTimes: ({ hasTimes }) => hasTimes,
  before1900: ({ hasDates }) => hasDates,
  cutNames: ({ hasLongNames }) => hasLongNames,
  cutTexts: ({ hasTexts, hasLists }) => hasTexts || hasLists,
  // Only lists, maps and outlines as text are long enough.
  longTexts: ({ hasLists, shapes }) => hasLists || shapes.some((type) => type !== 'point'),
  textLists: ({ hasLists }) => hasLists,
  textShapes: ({ shapes }) => shapes.some((type) => type !== 'point'),
  oneShape: ({ shapes }) => shapes.length > 1,
  roundedShapes: ({ shapes }) => shapes.length > 0,
  onlyShapes: () => true,
  oneText: () => true,
}

/** What a file of records with these fields cannot represent; `timeZone`: that of their place. */
export function listExportLosses(format: ExportFormat, schema: FieldSchema, timeZone: string): Loss[] {
  const fields = Object.values(schema)
  const dates = fields.flatMap((field) => [field, ...(field.items ? [field.items] : [])]).filter(isDate)
  const facts: Facts = {
    hasDates: dates.length > 0,
    hasTimes: dates.some((field) => !isCalendarDate(field)),
    hasTexts: fields.some(({ type }) => type === 'text'),
    hasLists: fields.some(({ type }) => type === 'array' || type === 'object'),
    shapes: fields.map(({ type }) => type).filter(isGeometryType),
    hasLongNames: Object.keys(schema).some((key) => key.length > 10),
    isOtherClock: timeZone !== 'UTC',
  }
  return losses[format].filter((loss) => appliesTo[loss](facts))
}

const isDate = ({ type }: { type: string }) => type === 'date'
