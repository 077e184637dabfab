import { numberMeasurements } from '../field.ts'
import type { FieldType, dateBuckets } from '../field.ts'
import { getOwnProperty } from './plain.ts'

/** A kind of measurement: its label, and its units by key with their labels. */
interface MeasurementKind {
  label: string
  values: Readonly<Record<string, string>>
}

const numberLabels: Record<string, string> = {
  currency: 'Currency',
  distance: 'Distance',
  duration: 'Duration',
  datePart: 'Date Segment',
  speed: 'Speed',
  area: 'Area',
  temperature: 'Temperature',
  angle: 'Angle',
  percentage: 'Percentage',
  concentration: 'Concentration',
}

const bucketLabels: Record<(typeof dateBuckets)[number], string> = {
  second: 'Second',
  minute: 'Minute',
  hour: 'Hour',
  day: 'Day',
  week: 'Week',
  month: 'Month',
  quarter: 'Quarter',
  customQuarter: 'Custom Quarter',
  year: 'Year',
  customYear: 'Custom Year',
  decade: 'Decade',
}

const byType: Partial<Record<FieldType, Readonly<Record<string, MeasurementKind>>>> = {
  number: Object.fromEntries(
    Object.entries(numberMeasurements).map(([key, values]) => [
      key,
      { label: numberLabels[key] ?? key, values },
    ]),
  ),
  date: { bucket: { label: 'Bucket', values: bucketLabels } },
}

/** Legacy keys of measurement values. */
const aliases: Record<string, Record<string, string>> = { duration: { nanosecond: 'microsecond' } }

/** The measurements of a field type by key, in form order; null if it has none. */
export function findMeasurements(type: FieldType): Readonly<Record<string, MeasurementKind>> | null {
  return getOwnProperty(byType, type) ?? null
}

/** The stored key of a measurement value: `nanosecond` of a duration always meant microseconds. */
export function measurementValue(type: unknown, value: unknown): unknown {
  if (typeof type !== 'string' || typeof value !== 'string') return value
  return getOwnProperty(getOwnProperty(aliases, type), value) ?? value
}

/** Whether the value is a unit of that measurement, including aliases. */
export function hasMeasurementValue(kind: MeasurementKind, type: string, value: unknown): boolean {
  const key = measurementValue(type, value)
  return typeof key === 'string' && Object.hasOwn(kind.values, key)
}
