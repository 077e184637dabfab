import type { ColumnReading } from '#functions/shapes/importer-columns.ts'

export { numberSigns } from '#functions/shapes/importer-columns.ts'
export type { ColumnReading, ColumnReadings, NumberSign } from '#functions/shapes/importer-columns.ts'

/** A rejected value, with a sentence for people. */
export class Refusal {
  constructor(
    readonly message: string,
    readonly value: unknown,
    /** Where in the field: `.key` and `.0` for members and items; empty for the field itself. */
    readonly within = '',
  ) {}
}

/** A place name without a unique point: omitted from the record, and reported. */
export class NoPlace {
  constructor(
    readonly kind: 'ambiguous' | 'unknown',
    readonly message: string,
    readonly value: string,
  ) {}
}

/** Whether a result is a reason instead of a value. */
export const isReason = (result: unknown): result is Refusal | NoPlace =>
  result instanceof Refusal || result instanceof NoPlace

const maxShown = 200

/** A value as a reject shows it: at most 200 characters. */
export function showValue(value: unknown): string {
  if (typeof value === 'string') return value.slice(0, maxShown)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'no date' : value.toISOString()
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
  return text.slice(0, maxShown)
}

/** Words for a missing value in lower case. Text fields keep them. */
const noValueWords: ReadonlySet<string> = new Set('- -- – — .. … ... n/a na #n/a null none \\n'.split(' '))

const longestNoValueWord = 4

/** Whether a trimmed text is a word for a missing value. */
export function isNoValue(text: string): boolean {
  return text.length <= longestNoValueWord && noValueWords.has(text.toLowerCase())
}

/** Returns a predicate for a column's own missing values; null: it has none. */
export function missingIn({ missing = [] }: ColumnReading): ((value: unknown) => boolean) | null {
  if (missing.length === 0) return null
  const words = new Set(missing)
  const longest = Math.max(...missing.map((word) => word.length))
  return (value) => {
    if (typeof value === 'number') return words.has(String(value))
    if (typeof value !== 'string') return false
    const text = value.trim()
    return text.length <= longest && words.has(text.toLowerCase())
  }
}

/** Whether a text is empty or white space only. */
export function isBlank(text: string): boolean {
  const first = text.charCodeAt(0)
  if (first > 32 && first < 127) return false
  return text.trim() === ''
}

/** Unambiguous words for booleans, in lower case. */
export const booleanWords: ReadonlyMap<string, boolean> = new Map([
  ...'true t yes y 1'.split(' ').map((word): [string, boolean] => [word, true]),
  ...'false f no n 0'.split(' ').map((word): [string, boolean] => [word, false]),
])
