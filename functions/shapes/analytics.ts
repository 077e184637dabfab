import type { CalendarPrecision, Field, FieldKnowledge, FieldType, Measurement, Precision } from './field.ts'

/** One value of the query language: a constant, a field, or a function of values. */
export type QueryValue =
  | string
  | number
  | boolean
  | null
  | { field: string }
  | { function: string; arguments?: QueryValue[] }

interface Aggregation {
  alias: string
  value: QueryValue
  name?: string
  notes?: string
  filters?: unknown
}

interface Ordering {
  value: QueryValue
  direction: 'asc' | 'desc'
}

/** A query on the rows of a source or data type. */
export interface AnalyticsQuery {
  aggregations?: Aggregation[]
  groupings?: QueryValue[]
  orderings?: Ordering[]
  filters?: unknown
  limit?: number
  offset?: number
  search?: string
  before?: string
  after?: string
  within?:
    | { xmin: number; ymin: number; xmax: number; ymax: number }
    | { boundarySetId: string; area: string | string[] }
  intersects?: { x: number; y: number }
  timezone?: string
  customYearStart?: number
  exclusions?: string[]
}

/** A column of a result. `type` is absent if it could not be inferred. `values` has only those that occur in the rows. */
export interface OutputField extends FieldKnowledge {
  name: string
  type?: FieldType | 'geometry'
  notes?: string
  items?: Field
  measurement?: Measurement
  /** Only for dates; `day`, `month` and `year`: calendar dates, `YYYY-MM-DD` in the rows. */
  precision?: Precision
  validation?: Record<string, unknown>
}

/** The days covered by the data of a date column, independent of the first and last row. */
export interface Coverage {
  /** The column: dates truncated to spans, their years or decades, or years as numbers. */
  alias: string
  /** First and last day, inclusive, `YYYY-MM-DD` in the time zone of the result. */
  from: string
  to: string
  /** The precision of the dates: with `month` the data have only the first day of each month, which covers all of it. */
  precision: CalendarPrecision
  /** Absent for calendar dates. */
  moments?: Moments
}

/** The covered instants, where days are not exact enough: the first and the last one, inclusive. */
export interface Moments {
  from: string
  to: string
  /** In milliseconds: all instants are multiples of it apart in local time, so that none is missing in between. */
  step?: number
}

/** The aggregate functions; a value computed from them has none. */
export const aggregateFunctions = [
  'count',
  'distinctCount',
  'sum',
  'average',
  'median',
  'min',
  'max',
] as const
export type AggregateFunction = (typeof aggregateFunctions)[number]

/** The structure of a result: its columns by alias, the grouped ones, and the order of rows. */
export interface Output {
  schema: Record<string, OutputField>
  /** `function`: set if the column is a single aggregate function. */
  aggregations: { alias: string; name: string; function?: AggregateFunction }[]
  groupings: { alias: string }[]
  orderings: { alias: string; direction: 'asc' | 'desc' }[]
  /** The time zone in which dates were truncated. Absent without aggregation. */
  timeZone?: string
  /** The total number of rows if a limit cut them; absent if all rows are included. */
  total?: number
  /** `total` is not exact. */
  estimated?: true
  /** The number of skipped rows; absent if none. */
  skipped?: number
  /** Absent without such a column, or if unknown. */
  coverage?: Coverage
}

/** A row of a result, by alias. Dates are ISO text, geometry is GeoJSON, null is a missing value. */
export type AnswerRow = Record<string, unknown>

export const visualizationTypes = [
  'number',
  'line',
  'bar',
  'area',
  'pie',
  'scatter',
  'heatmap',
  'histogram',
  'table',
  'map',
  'text',
] as const
export type VisualizationType = (typeof visualizationTypes)[number]

/** How the values of regions are classified. `own`: with bounds given by the author. */
export const classMethods = ['quantile', 'equal', 'natural', 'own'] as const
export type ClassMethod = (typeof classMethods)[number]

/** The palettes of classes: three sequential, two diverging. */
export const mapPalettes = ['blue', 'orange', 'green', 'blue-orange', 'purple-green'] as const
export type MapPalette = (typeof mapPalettes)[number]

/** Limits for the number of classes: fewer say little, more are indistinguishable. */
export const classCounts = { least: 3, most: 7 } as const
/** Zoom levels of live maps: from the whole earth to a house. */
export const zoomLevels = { least: 0, most: 20 } as const
/** Maximum number of columns in a pop-up. */
export const maxPopupColumns = 6

/** The settings of maps that are no alias of one column. */
export const mapSettingNames = [
  'classes',
  'palette',
  'labels',
  'popup',
  'zoom',
  'sizeByValue',
  'per',
  'clusterByRegion',
] as const

/** The classes of a map's regions: `count` of them, or `own` ones, each except the first starting at one of the `bounds`. */
export interface MapClasses {
  by: ClassMethod
  count?: number
  bounds?: number[]
}

/** The zoom range of a live map, in zoom levels of web maps. */
interface MapZoom {
  least?: number
  most?: number
}

/**
 * What the measure of a region is divided by: its area, or a numeric attribute of an organization's boundary set, labelled `name` on
 * maps.
 */
export type MapPer = 'area' | { attribute: string; name?: string }

/**
 * How an insight is visualized. Settings are aliases of the result, all optional and inferred: x, y, series, color, size (charts);
 * latitude/longitude or geometry, or region + boundarySetId (maps). Settings of maps that are no aliases are described in
 * `map-settings.ts`.
 */
export interface Visualization {
  type: VisualizationType
  settings?: {
    x?: string
    y?: string
    series?: string
    color?: string
    size?: string
    label?: string
    latitude?: string
    longitude?: string
    geometry?: string
    region?: string
    boundarySetId?: string
    unit?: string
    stacked?: boolean
    classes?: MapClasses
    palette?: MapPalette
    labels?: boolean
    popup?: string[]
    zoom?: MapZoom
    sizeByValue?: boolean
    per?: MapPer
    clusterByRegion?: boolean
  }
}
