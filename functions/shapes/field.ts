import type { RegionSet } from './regionSets.ts'

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

/**
 * One of the values that a field can have: what it is called where people read it (files for programs keep the value), and whether it
 * stands for none ("not stated"), which importers read as an empty one.
 */
export interface CodedValue {
  value: string | number | boolean
  name?: string
  missing?: true
}

/** What a field knows about its values beside their type, how exact they are and what they measure. */
export interface FieldKnowledge {
  /** Only for numbers without a measurement that has one: the unit, in free text. */
  unit?: string
  /** Only for texts, numbers and booleans: what some of the values mean, in the order in which they are to be listed. */
  values?: CodedValue[]
  /** Only for texts and numbers: values name things, so that a sum or an average of them says nothing. */
  identifier?: true
  /** Only for numbers that are no identifiers: their sum means something, as that of counts does and that of temperatures does not. */
  additive?: true
  /** Only for texts and numbers: the set that the regions which values name are of. */
  region?: RegionSet
  /** Only for text: the values are calculated and none is taken from who brings records. */
  regionOf?: RegionOf
}

export const knowledgeKeys = ['unit', 'values', 'identifier', 'additive', 'region'] as const

/** What a field knows of itself, without what it does not say. */
export function knowledgeOf(field: FieldKnowledge): FieldKnowledge {
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
 * Whether a field holds amounts: numbers that are no identifiers, no parts of dates and no codes of something. Only of those a sum,
 * an average or an axis is proposed; who asks for one of others gets it.
 */
export function isAmount(
  field: (FieldKnowledge & { type?: string | undefined; measurement?: Measurement }) | undefined,
): boolean {
  return (
    field?.type === 'number' &&
    field.identifier !== true &&
    field.region === undefined &&
    field.measurement?.type !== 'datePart' &&
    !hasNames(field)
  )
}

/** Whether values of a field are codes, which people read by name. What only stands for "no value" makes no code of the others. */
export function hasNames({ values }: FieldKnowledge): boolean {
  return values?.some(({ name, missing }) => name !== undefined && missing !== true) ?? false
}

/** Where the values of a calculated text come from: the area of a boundary set that holds the point in the field `point`. */
export interface RegionOf {
  point: string
  boundarySetId: string
  value: 'code' | 'name'
}

/** One field of a data type. `items` only for lists, `schema` only for maps, `measurement` only for numbers and dates. */
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
  /** Only for text: whether searching records looks into it. */
  search?: boolean
}

/** Fields by key, in the order a person gave them. */
export type FieldSchema = Record<string, Field>

/** The fields whose values who brings records may bring: those that are calculated are not among them. */
export function broughtFields(schema: FieldSchema): FieldSchema {
  return Object.fromEntries(Object.entries(schema).filter(([, { regionOf }]) => !regionOf))
}

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
