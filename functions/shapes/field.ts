/** The types a field of a data type can have, with the label a person sees. */
export const fieldTypes = {
  array: 'List',
  object: 'Map',
  text: 'Text',
  number: 'Number',
  boolean: 'True/False',
  date: 'Date/Time',
  point: 'GeoJSON Point',
  line: 'GeoJSON LineString',
  multiline: 'GeoJSON MultiLineString',
  polygon: 'GeoJSON Polygon',
  multipolygon: 'GeoJSON MultiPolygon',
} as const
export type FieldType = keyof typeof fieldTypes

/** Field types whose value is a GeoJSON geometry. */
export const geometryTypes = ['point', 'line', 'multiline', 'polygon', 'multipolygon'] as const
export type GeometryType = (typeof geometryTypes)[number]

/** True for the field types whose value is a GeoJSON geometry. */
export function isGeometryType(type: string): type is GeometryType {
  return (geometryTypes as readonly string[]).includes(type)
}

/** What a number or date measures, e.g. `{ type: 'temperature', value: 'celsius' }`. */
export interface Measurement {
  type: string
  value: string
}

/**
 * How exact a date is. `second`, which is meant where nothing is said, and `minute` are instants: a moment, in UTC. The others are
 * calendar dates: a day, month or year on the calendar of wherever it was written down, which no zone moves.
 */
export const precisions = ['second', 'minute', 'day', 'month', 'year'] as const
export type Precision = (typeof precisions)[number]
export type CalendarPrecision = Exclude<Precision, 'second' | 'minute'>

/** Whether values are calendar dates: `YYYY-MM-DD` on the wire, that of a month or a year its first day. */
export function isCalendarDate<F extends { type?: string | undefined; precision?: string | undefined }>(
  field: F,
): field is F & { type: 'date'; precision: CalendarPrecision } {
  const { type, precision } = field
  return type === 'date' && (precision === 'day' || precision === 'month' || precision === 'year')
}

/** One field of a data type. `items` only for lists, `schema` only for maps, `measurement` only for numbers and dates. */
export interface Field {
  name: string
  type: FieldType
  notes?: string
  items?: Field
  schema?: FieldSchema
  validation?: Record<string, unknown>
  measurement?: Measurement
  /** Only for dates; absent: to the second. */
  precision?: Precision
  /** Only for text: whether searching records looks into it. */
  search?: boolean
}

/** Fields by key, in the order a person gave them. */
export type FieldSchema = Record<string, Field>

/** The units of each measurement of a number, by key, with the label a person sees. */
export const numberMeasurements: Record<string, Record<string, string>> = {
  currency: { usd: 'USD $', eur: 'EUR €' },
  distance: { millimeter: 'mm', centimeter: 'cm', meter: 'm', kilometer: 'km' },
  duration: { microsecond: 'µs', millisecond: 'ms', second: 's', minute: 'min', hour: 'h' },
  datePart: {
    hourOfDay: '0-23',
    dayOfWeek: '1-7',
    dayOfMonth: '1-31',
    dayOfYear: '1-366',
    week: '1-53',
    month: '1-12',
    customMonth: '1-12',
    quarter: '1-4',
    customQuarter: '1-4',
    year: 'year',
    customYear: 'custom year',
    decade: 'decade',
  },
  speed: { kilometer: 'km/h' },
  area: { millimeter: 'mm²', centimeter: 'cm²', meter: 'm²', kilometer: 'km²' },
  temperature: { celsius: '°C' },
  angle: { degree: '°' },
  percentage: { decimal: '0-1' },
  concentration: { microgram: 'µg/m³' },
}

/** The spans a date can be cut down to; the measurement of a date. */
export const dateBuckets = [
  'second',
  'minute',
  'hour',
  'day',
  'week',
  'month',
  'quarter',
  'customQuarter',
  'year',
  'customYear',
  'decade',
] as const
export type DateBucket = (typeof dateBuckets)[number]
