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

/** A question asked of the rows of a source or data type. */
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

/**
 * What one column of an answer is. `type` is absent when nothing could be inferred. Of a field's `values` it has those that its rows
 * have.
 */
export interface OutputField extends FieldKnowledge {
  name: string
  type?: FieldType | 'geometry'
  notes?: string
  items?: Field
  measurement?: Measurement
  /** Only of dates; `day`, `month` and `year`: calendar dates, `YYYY-MM-DD` in the rows. */
  precision?: Precision
  validation?: Record<string, unknown>
}

/** Which days the data behind a column of dates reach over, wherever the rows of the answer begin and end. */
export interface Coverage {
  /** The column: dates cut into spans, or the years or decades of dates. */
  alias: string
  /** First and last day, `YYYY-MM-DD` in the time zone of the answer, both of them included. */
  from: string
  to: string
  /** How far apart the dates are at least: with `month` the data know the first day of each month alone, and all of it is covered. */
  precision: CalendarPrecision
  /** Absent: the dates are calendar dates. */
  moments?: Moments
}

/** Which instants the data reach over, where a day is not exact enough: the first and the last one, both included. */
export interface Moments {
  from: string
  to: string
  /** Milliseconds: all instants lie a multiple of it apart on the clock of the answer, so that none is missing in between. */
  step?: number
}

/** The functions of which an aggregation may be one; a value that computes with them has none. */
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

/** What an answer looks like: its columns by alias, which of them group, and how the rows are ordered. */
export interface Output {
  schema: Record<string, OutputField>
  /** `function` where the value of the column is one aggregate function alone. */
  aggregations: { alias: string; name: string; function?: AggregateFunction }[]
  groupings: { alias: string }[]
  orderings: { alias: string; direction: 'asc' | 'desc' }[]
  /** By whose clocks dates were cut into days, months and the like. Absent where nothing was aggregated. */
  timeZone?: string
  /** How many rows there are, where a limit left some of them out. Absent: the rows are all there are. */
  total?: number
  /** `total` is not exact. */
  estimated?: true
  /** How many rows were left out before the first one. Absent: none. */
  skipped?: number
  /** Absent: there is no such column, or it is not known. */
  coverage?: Coverage
}

/** A row of an answer, by alias. Dates are ISO text, geometry is GeoJSON, null is "no value". */
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

/** How an author divides the values of regions into classes. `own`: at bounds that the author names. */
export const classMethods = ['quantile', 'equal', 'natural', 'own'] as const
export type ClassMethod = (typeof classMethods)[number]

/** The colours of classes: three from little to much, two from far below to far above. */
export const mapPalettes = ['blue', 'orange', 'green', 'blue-orange', 'purple-green'] as const
export type MapPalette = (typeof mapPalettes)[number]

/** So many classes a map has where its author says how many: fewer tell little, more can not be told apart. */
export const classCounts = { least: 3, most: 7 } as const
/** The zoom levels of live maps: the whole earth, and a house. */
export const zoomLevels = { least: 0, most: 20 } as const
/** So many columns a pop-up has at most. */
export const mostPopupColumns = 6

/** The settings of maps that name no column of the answer, or several. */
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

/** The classes of a map's regions: `count` of them, or `own` ones, each of which but the first begins at one of the `bounds`. */
export interface MapClasses {
  by: ClassMethod
  count?: number
  bounds?: number[]
}

/** How far away and how near a live map can be moved: zoom levels of web maps. */
export interface MapZoom {
  least?: number
  most?: number
}

/** What the measure of a region is divided by: its area, or a number that the boundary set of an organization has of it, called `name` on maps. */
export type MapPer = 'area' | { attribute: string; name?: string }

/**
 * How an insight is drawn. Settings name aliases of the answer; each is optional and inferred from the output:
 * x, y, series, color, size (charts); latitude/longitude or geometry, or region + boundarySetId (maps). What only maps read,
 * and is no alias, is described in `mapSettings.ts`.
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
