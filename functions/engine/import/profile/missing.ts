import { mapValues } from '#functions/platform/map-values.ts'
import type { FieldType } from '#functions/shapes/field.ts'
import type { ColumnProfile, Fit } from './column.ts'
import type { CountsByName, Miss } from './tally.ts'

/**
 * A text that may stand for a missing value, and its count. `usual`: read so in every field but text; `chosen`:
 * proposed, because everything else is of another type; `offered`: only a person can decide.
 */
export interface MissingWord {
  word: string
  count: number
  how: 'usual' | 'chosen' | 'offered'
}

/** Further phrases for a missing value, in lower case. Some may be a value of a text field. */
const phrases: ReadonlySet<string> = new Set(
  (
    'n.a.|n. a.|n.a|n/d|n.d.|nd|nan|nil|.|*|**|***|?|??|:|...|missing|not available|not applicable|not reported|not stated|' +
    'not recorded|not known|unknown|unspecified|no data|nodata|no value|none reported|not provided|suppressed|confidential|withheld|' +
    'tbd|tba|k.a.|k. a.|keine angabe|keine angaben|keine daten|unbekannt|s/d|s.d.|sin datos|sin dato|no disponible|' +
    'no aplica|desconocido|non disponible|non renseigné|nc|n.c.|inconnu|غير متوفر|غير متاح|لا ينطبق|غير معروف|不明|該当なし|データなし|不詳'
  ).split('|'),
)

/** Codes that mean "not stated" in some tables, and are a number in others. */
const code = /^-?(?:9{3,6}|99)(?:[.,]0+)?$/
const minCodes = 2
const maxWords = 8

/** Whether a text may stand for a missing value, in some column. */
export function mayBeMissing(value: string): boolean {
  const word = toWord(value)
  return phrases.has(word) || code.test(word)
}

/** A column without phrases for a missing value, and these phrases; the column itself where it has none. */
export function withoutPhrases(column: ColumnProfile): { column: ColumnProfile; words: CountsByName } {
  const words = countWords(column, (text) => phrases.has(text))
  const count = sumCounts(words)
  if (count === 0 || count >= column.values) return { column, words: {} }
  const values = column.values - count
  const { kinds } = column.counts
  const isWord = ({ value }: { value: string }) => Object.hasOwn(words, toWord(value))
  const omitMissingWords = (list: Miss[]) => list.filter((miss) => !isWord(miss))
  const refit = (fit: Fit): Fit => ({ ...fit, ratio: Math.min(1, fit.parsed / values) })
  const { fits, misses } = column
  return {
    words,
    column: {
      ...column,
      values,
      counts: { ...column.counts, values, kinds: { ...kinds, text: Math.max(0, (kinds.text ?? 0) - count) } },
      top: column.top.filter((each) => !isWord(each)),
      maybeMissing: [],
      all: column.all?.filter((value) => !isWord({ value })) ?? null,
      examples: column.examples.filter((value) => !isWord({ value })),
      misses: mapValues(misses, omitMissingWords),
      fits: { ...mapValues(fits, refit), text: { ...refit(fits.text), parsed: fits.text.parsed - count } },
    },
  }
}

/** The words that are or may be missing values in a field of this type; most frequent first. */
export function missingWords(column: ColumnProfile, type: FieldType, choice: CountsByName): MissingWord[] {
  const isText = type === 'text'
  const words = (bag: CountsByName, how: MissingWord['how']): MissingWord[] =>
    Object.entries(bag).map(([word, count]) => ({ word, count, how }))
  const usual = words(column.counts.words, isText ? 'offered' : 'usual')
  const others = isText
    ? words(
        countWords(column, (text) => phrases.has(text)),
        'offered',
      )
    : [...words(choice, 'chosen'), ...(type === 'number' ? words(findEndCodes(column), 'offered') : [])]
  return [...usual, ...others].sort((a, b) => b.count - a.count).slice(0, maxWords)
}

/** Words that may be missing values in a field of this type, and are not read so yet; most frequent first. */
export function openWords(
  column: ColumnProfile,
  type: FieldType,
  missing: readonly string[] = [],
): { word: string; count: number }[] {
  return missingWords(column, type, withoutPhrases(column).words)
    .filter(({ word, how }) => how !== 'usual' && !missing.includes(word.toLowerCase()))
    .map(({ word, count }) => ({ word, count }))
}

/** The number of values that are read as missing, and of those that are numbers. */
export function countMissing(column: ColumnProfile, missing: readonly string[] = []) {
  const spellings = new Set(missing)
  const words = countWords(column, (text) => spellings.has(text))
  const numbers = Object.entries(words).filter(([word]) => Number.isFinite(Number(word)))
  const usual = Object.entries(column.counts.words).filter(([word]) => spellings.has(word.toLowerCase()))
  return {
    values: sumCounts(words),
    numbers: sumCounts(Object.fromEntries(numbers)),
    usual: sumCounts(Object.fromEntries(usual)),
  }
}

/** Codes at an end of the range of a column that come more than once. */
function findEndCodes(column: ColumnProfile): CountsByName {
  const { least, most } = column.fits.number
  const isEnd = (value: string) => Number(value) === least || Number(value) === most
  return Object.fromEntries(
    Object.entries(countWords(column, (text) => code.test(text))).filter(
      ([word, count]) => count >= minCodes && isEnd(word),
    ),
  )
}

/** The counts of some words, as far as they are among the most frequent values. */
function countWords({ top, maybeMissing }: ColumnProfile, isWanted: (word: string) => boolean): CountsByName {
  const counts: CountsByName = {}
  for (const { value, count } of [...top, ...maybeMissing]) {
    const word = toWord(value)
    if (isWanted(word)) counts[word] = (counts[word] ?? 0) + count
  }
  return counts
}

const toWord = (value: string) => value.trim().toLowerCase()
const sumCounts = (bag: CountsByName) => Object.values(bag).reduce((sum, count) => sum + count, 0)
