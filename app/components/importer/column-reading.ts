import { numberSigns, type ColumnReading } from '#functions/shapes/importer-columns.ts'
import type { FieldType } from '#functions/shapes/field.ts'

export type { ColumnReading, ColumnReadings } from '#functions/shapes/importer-columns.ts'

/** The options of a column's reading that a form offers; others are preserved. */
export const columnReadingNames = ['decimal', 'group', 'sign', 'order', 'twice'] as const
type ReadingName = (typeof columnReadingNames)[number]

interface ReadingChoice {
  name: ReadingName
  label: string
  /** The first is the default. */
  options: { value: string; label: string }[]
}

const number: ReadingChoice[] = [
  {
    name: 'decimal',
    label: 'Decimal sign',
    options: [
      { value: '', label: 'Point (1.5)' },
      { value: ',', label: 'Comma (1,5)' },
    ],
  },
  {
    name: 'group',
    label: 'Thousands',
    options: [
      { value: '', label: 'As usual' },
      { value: '.', label: 'Point' },
      { value: ',', label: 'Comma' },
      { value: ' ', label: 'Space' },
      { value: "'", label: 'Apostrophe' },
    ],
  },
  {
    name: 'sign',
    label: 'Sign beside it',
    options: [{ value: '', label: 'None' }, ...numberSigns.map((sign) => ({ value: sign, label: sign }))],
  },
]

const date: ReadingChoice[] = [
  {
    name: 'order',
    label: '1/2/2026 is',
    options: [
      { value: '', label: 'Refused' },
      { value: 'dayFirst', label: '1 February' },
      { value: 'monthFirst', label: '2 January' },
    ],
  },
  {
    name: 'twice',
    label: 'An hour shown twice is',
    options: [
      { value: '', label: 'Refused' },
      { value: 'first', label: 'The first one' },
      { value: 'second', label: 'The second one' },
    ],
  },
]

/** The reading options for a column of a field type; [] if texts are unambiguous. */
export function readingOffers(type: FieldType): ReadingChoice[] {
  if (type === 'number' || type === 'point') return number
  return type === 'date' ? date : []
}

/** A reading in words: "comma as decimal sign"; '' for the defaults. */
export function readingWords(reading: ColumnReading | undefined): string {
  if (!reading) return ''
  return [
    reading.decimal === ',' ? 'decimal comma' : '',
    reading.group ? `thousands by "${reading.group}"` : '',
    reading.sign ? `with ${reading.sign}` : '',
    reading.order === 'dayFirst'
      ? 'day before month'
      : reading.order === 'monthFirst'
        ? 'month before day'
        : '',
    reading.twice ? `of an hour shown twice the ${reading.twice}` : '',
    reading.missing ? `${reading.missing.map((word) => `“${word}”`).join(', ')} as missing` : '',
    reading.true ? `true is ${reading.true.join(', ')}` : '',
  ]
    .filter(Boolean)
    .join('; ')
}
