import { describe, expect, it } from 'vitest'
import { fieldTypes } from '../field.ts'
import type { FieldType } from '../field.ts'
import { hasMeasurementValue, measurementValue, findMeasurements } from './measurements.ts'

const expected = {
  currency: 'usd eur',
  distance: 'millimeter centimeter meter kilometer',
  duration: 'microsecond millisecond second minute hour',
  datePart:
    'hourOfDay dayOfWeek dayOfMonth dayOfYear week month customMonth quarter customQuarter year customYear decade',
  speed: 'kilometer',
  area: 'millimeter centimeter meter kilometer',
  temperature: 'celsius',
  angle: 'degree',
  percentage: 'decimal',
  concentration: 'microgram',
}
const buckets = 'second minute hour day week month quarter customQuarter year customYear decade'
const summarizeMeasurements = (type: FieldType) =>
  Object.fromEntries(
    Object.entries(findMeasurements(type) ?? {}).map(([key, kind]) => [
      key,
      Object.keys(kind.values).join(' '),
    ]),
  )

describe('measurements', () => {
  it('are ten for numbers and the bucket for dates', () => {
    expect(summarizeMeasurements('number')).toEqual(expected)
    expect(summarizeMeasurements('date')).toEqual({ bucket: buckets })
  })
  it('are none for other types', () => {
    const others = Object.keys(fieldTypes).filter((type) => type !== 'number' && type !== 'date')
    expect(others.map((type) => findMeasurements(type as FieldType))).toEqual(others.map(() => null))
  })
  it('have labels', () => {
    expect(Object.values(findMeasurements('number') ?? {}).map(({ label }) => label)).toEqual([
      'Currency', 'Distance', 'Duration', 'Date Segment', 'Speed', 'Area', 'Temperature', 'Angle', 'Percentage',
      'Concentration',
    ]) // prettier-ignore
  })
  it('replace nanosecond by microsecond, in durations only', () => {
    const duration = findMeasurements('number')!.duration!
    expect(measurementValue('duration', 'nanosecond')).toBe('microsecond')
    expect(measurementValue('distance', 'nanosecond')).toBe('nanosecond')
    expect(hasMeasurementValue(duration, 'duration', 'nanosecond')).toBe(true)
    expect(hasMeasurementValue(duration, 'duration', 'toString')).toBe(false)
  })
})
