import { showValue } from './reading.ts'

/** Values of a field that were converted in the same way, and the first of them. */
interface Conversion {
  count: number
  /** The original and the stored value; null: read as missing. At most 200 characters each. */
  first: { from: string; to: string | null; row: number }
  /** For missing values: the count of each text, of the first 20 distinct ones. */
  values?: Record<string, number>
}

/** Converted values, by field path in mappings. */
export interface Conversions {
  converted: Record<string, Conversion>
  /** Values read as missing. */
  emptied: Record<string, Conversion>
}

/** Called for each value whose stored form differs from what `/v1` accepts; null: read as missing. */
export type OnConverted = (field: string, from: unknown, to: unknown) => void

export const createEmptyConversions = (): Conversions => ({ converted: {}, emptied: {} })

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/

/**
 * Whether a value was converted. A text that contains a number, an instant or a boolean exactly as `/v1` accepts it
 * counts as the same value: text files have nothing else.
 */
export function isConverted(from: unknown, to: unknown): boolean {
  if (typeof from === 'string') {
    if (typeof to === 'string') return from !== to && !instant.test(from.trim())
    if (typeof to === 'number') return !jsonNumber.test(from.trim())
    if (typeof to === 'boolean') return from.trim() !== String(to)
    return isShape(to)
  }
  if (typeof from === 'number' || typeof from === 'boolean') return typeof from !== typeof to
  return isShape(from) && isShape(to) && from.type !== to.type
}

const isShape = (value: unknown): value is { type: string } =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** Different texts that are counted one by one. */
const maxTexts = 20

/** Counts some more of a text. */
function countText(values: Record<string, number>, text: string, count: number): void {
  if (Object.hasOwn(values, text)) values[text] = (values[text] ?? 0) + count
  else if (Object.keys(values).length < maxTexts) values[text] = count
}

/** Counts one more. `row`: among those of all pages. */
export function countConversion(
  all: Conversions,
  field: string,
  { from, to, row }: { from: unknown; to: unknown; row: number },
): void {
  const kind = to === null ? all.emptied : all.converted
  const sum = kind[field]
  if (sum) sum.count += 1
  else
    kind[field] = { count: 1, first: { from: quoteText(from), to: to === null ? null : quoteText(to), row } }
  if (to === null) countText((kind[field]!.values ??= {}), showValue(from).trim(), 1)
}

/** Merges the conversions of one part with those of the next. */
export const mergeConversions = (a: Conversions, b: Conversions): Conversions => ({
  converted: addConversions(a.converted, b.converted),
  emptied: addConversions(a.emptied, b.emptied),
})

function addConversions(
  a: Record<string, Conversion>,
  b: Record<string, Conversion>,
): Record<string, Conversion> {
  const all = { ...a }
  for (const [field, { count, first, values }] of Object.entries(b)) {
    const sum = a[field]
    const texts = { ...sum?.values }
    for (const [text, n] of Object.entries(values ?? {})) countText(texts, text, n)
    all[field] = {
      count: (sum?.count ?? 0) + count,
      first: sum?.first ?? first,
      ...((sum?.values ?? values) && { values: texts }),
    }
  }
  return all
}

/** Texts are quoted, to distinguish 7 from “7”. */
function quoteText(value: unknown): string {
  const text = showValue(value)
  return typeof value === 'string' && !instant.test(value) ? `“${text}”` : text
}

/**
 * Sentences about converted fields, with the row of the first value; conversions come before missing values. `fields`:
 * their keys in mappings with their display names, in the order of the result.
 */
export function conversionLines(
  { converted, emptied: readAsEmpty }: Conversions,
  fields: { key: string; name: string }[],
): { message: string; row: number }[] {
  return [
    ...describeConversion(
      converted,
      fields,
      (first, of) => `converted, ${of}from ${first.from} to ${first.to}`,
    ),
    ...emptiedLines(readAsEmpty, fields),
  ]
}

/** Texts of a field that a sentence names. */
const maxNamed = 5

/** 250 values “N/A” were read as empty. */
function emptiedLines(readAsEmpty: Record<string, Conversion>, fields: { key: string; name: string }[]) {
  return fields.flatMap(({ key, name }) => {
    const match = readAsEmpty[key]
    if (!match) return []
    const { count, first, values = {} } = match
    const texts = Object.entries(values).sort(([, a], [, b]) => b - a)
    const were = count === 1 ? '1 value was' : `${count} values were`
    const examples = texts.slice(0, maxNamed).map(([text, n]) => `${n} × “${text}”`)
    const others = count - texts.slice(0, maxNamed).reduce((sum, [, n]) => sum + n, 0)
    if (others > 0) examples.push(`${others} others`)
    const list = texts.length === 1 && others === 0 ? `“${texts[0]?.[0]}”` : examples.join(', ')
    return [{ message: `${name}: ${were} read as empty: ${list}.`, row: first.row }]
  })
}

function describeConversion(
  kind: Record<string, Conversion>,
  fields: { key: string; name: string }[],
  describe: (first: Conversion['first'], of: string) => string,
) {
  return fields.flatMap(({ key, name }) => {
    const match = kind[key]
    if (!match) return []
    const { count, first } = match
    const text =
      count === 1
        ? `1 value was ${describe(first, '')}`
        : `${count} values were ${describe(first, 'the first ')}`
    return [{ message: `${name}: ${text}.`, row: first.row }]
  })
}
