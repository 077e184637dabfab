import * as v from 'valibot'
import { exportFormats } from './export-format.ts'
import { Visibility } from './options.ts'
import { request } from './question.ts'
import type { Geometry } from './fields/geometry.ts'

/** A record in the API. `id` is its stable integer as text; `externalId` its id in the source's data. */
export interface Datum {
  id: string
  sourceId: string
  externalId: string
  createdAt: string
  updatedAt: string
  /** By field key, in schema order; fields without a value are omitted. */
  data: Record<string, unknown>
  /** The representative geometry of the record; null without any. */
  geometry: Geometry | null
}

/** Maximum number of records per call. */
export const maxBatch = 1000

/** A record, or a list of them. The fields depend on the data type. */
export const NewDatum = v.union(
  [
    v.pipe(v.array(v.unknown()), v.minLength(1), v.maxLength(maxBatch)),
    // To valibot a list is a record too, so a list that is too long must not match as one.
    v.pipe(
      v.record(v.string(), v.unknown()),
      v.check((input) => !Array.isArray(input)),
    ),
  ],
  `Must be an object, or a list of 1 to ${maxBatch} objects.`,
)
export type NewDatum = v.InferOutput<typeof NewDatum>

/** Records to delete, by their stable ids. Unknown ids are no error. */
export const RecordIds = v.strictObject({
  ids: v.pipe(v.array(v.pipe(v.string(), v.maxLength(64))), v.minLength(1), v.maxLength(maxBatch)),
})

/** Changed fields; null removes a value. */
export const DatumChanges = v.record(v.string(), v.unknown())
export type DatumChanges = v.InferOutput<typeof DatumChanges>

/** The options of every record query; the query language validates them. */
const question = {
  filters: request.filters,
  where: request.filters,
  search: request.search,
  before: request.before,
  after: request.after,
  within: request.within,
  intersects: request.intersects,
  timezone: request.timezone,
  customYearStart: request.customYearStart,
  joins: request.joins,
  maxVisibility: v.optional(Visibility),
}
const rows = {
  ...question,
  exclusions: request.exclusions,
  orderings: request.orderings,
  limit: request.limit,
  offset: request.offset,
}

/** How the total of a list is determined: exactly, as far as it is fast, or not at all. */
export const countModes = ['exact', 'estimate', 'none'] as const
export type CountMode = (typeof countModes)[number]

/** `next`: the token of the next page. `count`: default `estimate`. */
export const DatumOptions = v.strictObject({
  ...rows,
  count: v.optional(v.picklist(countModes, `Must be one of: ${countModes.join(', ')}`)),
  next: v.optional(v.pipe(v.string(), v.maxLength(4000))),
})
export type DatumOptions = v.InferOutput<typeof DatumOptions>

export const AnalyticsOptions = v.strictObject({
  ...rows,
  aggregations: request.aggregations,
  groupings: request.groupings,
})
export type AnalyticsOptions = v.InferOutput<typeof AnalyticsOptions>

const fieldList = v.union([
  v.array(v.string()),
  v.pipe(
    v.string(),
    v.transform((text) => text.split(',').filter((name) => name !== '')),
  ),
])

/** `field`: one or several fields. `search`: only values that contain this text. */
export const ValuesOptions = v.strictObject({ ...question, field: fieldList, limit: request.limit })
export type ValuesOptions = v.InferOutput<typeof ValuesOptions>

export const FieldsOptions = v.strictObject({ maxVisibility: v.optional(Visibility) })
export type FieldsOptions = v.InferOutput<typeof FieldsOptions>

/** `profile`: include statistics of each field. */
export const FieldListOptions = v.strictObject({
  ...FieldsOptions.entries,
  profile: v.optional(
    v.pipe(
      v.union([v.boolean(), v.picklist(['1', '0', 'true', 'false'])], 'Must be 1 or 0.'),
      v.transform((value) => value === true || value === '1' || value === 'true'),
    ),
  ),
})
export type FieldListOptions = v.InferOutput<typeof FieldListOptions>

/** The zoom of a web map with tiles of 256 or 512 pixels. */
export const ClusterOptions = v.strictObject({
  ...question,
  zoom: v.pipe(
    v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,2}(\.\d+)?$/))], 'Invalid zoom.'),
    v.transform((zoom) => Math.floor(Number(zoom))),
    v.minValue(0, 'Invalid zoom.'),
    v.maxValue(22, 'Invalid zoom.'),
  ),
})
export type ClusterOptions = v.InferOutput<typeof ClusterOptions>

const flag = v.optional(
  v.pipe(
    v.union([v.boolean(), v.picklist(['true', 'false'])]),
    v.transform((value) => value === true || value === 'true'),
  ),
)

/**
 * `fields`: keys of the columns, in order. `names`: column headers are names instead of keys. `excel`: cells that a spreadsheet would
 * evaluate are escaped.
 */
export const ExportOptions = v.strictObject({
  ...rows,
  aggregations: request.aggregations,
  groupings: request.groupings,
  format: v.optional(v.picklist(exportFormats, `Must be one of: ${exportFormats.join(', ')}`)),
  fields: v.optional(fieldList),
  names: flag,
  bom: flag,
  excel: flag,
})
export type ExportOptions = v.InferOutput<typeof ExportOptions>
