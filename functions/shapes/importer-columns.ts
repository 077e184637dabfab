import * as v from 'valibot'

/** Symbols around numbers that are not part of them. */
export const numberSigns = ['$', '€', '£', '¥', '%'] as const
export type NumberSign = (typeof numberSigns)[number]

const words = v.pipe(
  v.array(v.pipe(v.string(), v.trim(), v.toLowerCase(), v.minLength(1), v.maxLength(50))),
  v.minLength(1),
  v.maxLength(20),
)

/**
 * How the texts of a column are read if ambiguous. Decided once from all rows of the column and stored with the mapping, so that the
 * same text always gives the same value.
 */
const ColumnReadingShape = v.strictObject({
  /** The decimal separator; default: a point. */
  decimal: v.optional(v.picklist(['.', ','])),
  /** The thousands separator; default: the comma, or the point if that is the decimal separator. */
  group: v.optional(v.picklist([',', '.', ' ', "'"])),
  /** A symbol around its numbers. Absent: a number with a symbol is rejected. */
  sign: v.optional(v.picklist(numberSigns)),
  /** Whether 1/2/2019 is 1 February or January 2; absent: such a date is rejected. */
  order: v.optional(v.picklist(['dayFirst', 'monthFirst'])),
  /** Which of two instants an ambiguous local time means; absent: such a time is rejected. */
  twice: v.optional(v.picklist(['first', 'second'])),
  /** Its words for true and false in lower case, instead of the default ones. */
  true: v.optional(words),
  false: v.optional(words),
  /**
   * Words in lower case, or numbers as text, that mean a missing value in this column, besides the default ones; in text columns only
   * these.
   */
  missing: v.optional(words),
})
export type ColumnReading = v.InferOutput<typeof ColumnReadingShape>

const maxColumns = 1000

/** Readings by column, as dot paths like in mappings. */
export const ColumnReadingsShape = v.pipe(
  v.record(v.pipe(v.string(), v.minLength(1), v.maxLength(500)), ColumnReadingShape),
  v.check((all) => Object.keys(all).length <= maxColumns, `Must not have more than ${maxColumns} columns.`),
)
export type ColumnReadings = Readonly<Record<string, ColumnReading>>
