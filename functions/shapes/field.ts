/** The field types of data types, with their labels. */
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
 * The precision of a date. `second` (the default) and `minute` are instants in UTC. The others are calendar dates: a local day, month
 * or year, independent of time zones.
 */
export const precisions = ['second', 'minute', 'day', 'month', 'year'] as const
export type Precision = (typeof precisions)[number]
export type CalendarPrecision = Exclude<Precision, 'second' | 'minute'>

/** Whether values are calendar dates: `YYYY-MM-DD` in the API, for a month or year its first day. */
export function isCalendarDate<F extends { type?: string | undefined; precision?: string | undefined }>(
  field: F,
): field is F & { type: 'date'; precision: CalendarPrecision } {
  const { type, precision } = field
  return type === 'date' && (precision === 'day' || precision === 'month' || precision === 'year')
}

/**
 * A coded value of a field: its name for people (files for programs keep the code), and whether it stands for a missing value, which
 * importers read as empty.
 */
export interface CodedValue {
  value: string | number | boolean
  name?: string
  missing?: true
}

/** Knowledge about a field's values besides type, precision and measurement. */
export interface FieldKnowledge {
  /** Only for numbers without a measurement: the unit, in free text. */
  unit?: string
  /** Only for texts, numbers and booleans: the meanings of values, in display order. */
  values?: CodedValue[]
  /** Only for texts and numbers: values are identifiers, whose sum or average is meaningless. */
  identifier?: true
  /** Only for numbers that are no identifiers: their sum is meaningful, as of counts, unlike temperatures. */
  additive?: true
  /** Only for texts and numbers: the set of the regions that values name; a built-in one, or a public one of the owner. */
  region?: string
  /** Only for text: the values are calculated, and ignored in incoming records. */
  regionOf?: RegionLookup
}

export const knowledgeKeys = ['unit', 'values', 'identifier', 'additive', 'region'] as const

/** The knowledge members of a field that are set. */
export function pickFieldKnowledge(field: FieldKnowledge): FieldKnowledge {
  const { unit, values, identifier, additive, region, regionOf } = field
  return {
    ...(unit !== undefined && { unit }),
    ...(values !== undefined && { values }),
    ...(identifier !== undefined && { identifier }),
    ...(additive !== undefined && { additive }),
    ...(region !== undefined && { region }),
    ...(regionOf !== undefined && { regionOf }),
  }
}

/**
 * Whether a field is a measure: a number that is no identifier, date part or code. Sums, averages and axes are suggested only for
 * these; other fields can still be chosen.
 */
export function isAmount(
  field: (FieldKnowledge & { type?: string | undefined; measurement?: Measurement }) | undefined,
): boolean {
  return (
    field?.type === 'number' &&
    field.identifier !== true &&
    field.region === undefined &&
    findDatePart(field) === undefined &&
    !hasNames(field)
  )
}

/** The part of dates that the numbers of a field are, such as `year` or `month`; undefined for other fields. */
export function findDatePart(field: { measurement?: Measurement } | undefined): string | undefined {
  return field?.measurement?.type === 'datePart' ? field.measurement.value : undefined
}

/** Whether values of a field are codes with names. Codes for missing values alone do not count. */
export function hasNames({ values }: FieldKnowledge): boolean {
  return values?.some(({ name, missing }) => name !== undefined && missing !== true) ?? false
}

/** The origin of a calculated text: the area of a boundary set that contains the point in the field `point`. */
export interface RegionLookup {
  point: string
  boundarySetId: string
  value: 'code' | 'name'
}

/** A field of a data type. `items` only for lists, `schema` only for maps, `measurement` only for numbers and dates. */
export interface Field extends FieldKnowledge {
  name: string
  type: FieldType
  notes?: string
  items?: Field
  schema?: FieldSchema
  validation?: Record<string, unknown>
  measurement?: Measurement
  /** Only for dates; absent: to the second. */
  precision?: Precision
  /** Only for text: whether the search of records includes it. */
  search?: boolean
}

/** Fields by key, in the order a person gave them. */
export type FieldSchema = Record<string, Field>

/** The fields that incoming records may have: all but calculated ones. */
export function broughtFields(schema: FieldSchema): FieldSchema {
  return Object.fromEntries(Object.entries(schema).filter(([, { regionOf }]) => !regionOf))
}

/** The units of each measurement of a number, by key, with their labels. */
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

/** The spans a date can be truncated to; the measurement of a date. */
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
