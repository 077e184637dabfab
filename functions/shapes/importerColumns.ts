import * as v from 'valibot'

/** Signs that may stand at numbers and are no part of them. */
export const numberSigns = ['$', '€', '£', '¥', '%'] as const
export type NumberSign = (typeof numberSigns)[number]

const words = v.pipe(
  v.array(v.pipe(v.string(), v.trim(), v.toLowerCase(), v.minLength(1), v.maxLength(50))),
  v.minLength(1),
  v.maxLength(20),
)

/**
 * How the texts of one column are read, where texts alone do not say it. Decided once from all rows of the column and
 * kept with the mapping, so that the same text is the same value in every run.
 */
const ColumnReadingShape = v.strictObject({
  /** What parts whole and fraction of its numbers; absent: a point. */
  decimal: v.optional(v.picklist(['.', ','])),
  /** What stands between the thousands of its numbers; absent: the comma, or the point where that is the decimal sign. */
  group: v.optional(v.picklist([',', '.', ' ', "'"])),
  /** A sign that may stand at its numbers and is no part of them. Absent: a number with a sign is refused. */
  sign: v.optional(v.picklist(numberSigns)),
  /** Whether 1/2/2019 is the first of February or the second of January; absent: such a date is refused. */
  order: v.optional(v.picklist(['dayFirst', 'monthFirst'])),
  /** Which of two instants a time means that the clocks show twice; absent: such a time is refused. */
  twice: v.optional(v.picklist(['first', 'second'])),
  /** Its words for true and false in lower case, instead of the usual ones. */
  true: v.optional(words),
  false: v.optional(words),
  /** Words in lower case, or numbers as text, that stand for no value in this column, besides the usual ones; in texts only they do. */
  missing: v.optional(words),
})
export type ColumnReading = v.InferOutput<typeof ColumnReadingShape>

const mostColumns = 1000

/** Readings by column: the dot path in the row, as mappings write it. */
export const ColumnReadingsShape = v.pipe(
  v.record(v.pipe(v.string(), v.minLength(1), v.maxLength(500)), ColumnReadingShape),
  v.check((all) => Object.keys(all).length <= mostColumns, `Must not have more than ${mostColumns} columns.`),
)
export type ColumnReadings = Readonly<Record<string, ColumnReading>>
