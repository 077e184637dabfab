import type { SearchEntry } from './index.ts'
import { splitWords } from './words.ts'

/** A value of a column: `code` as stored, `value` as displayed. */
interface ColumnValue {
  key: string
  name: string
  value: string
  code: string
}

const matchesByEntry = new WeakMap<SearchEntry, { value: ColumnValue; words: string[] }[]>()

function getColumnValues(entry: SearchEntry) {
  const values =
    matchesByEntry.get(entry) ??
    (entry.columns ?? []).flatMap(([key, name, all, codes]) =>
      all.map((value, i) => {
        const match = { key, name, value, code: codes?.[i] ?? value }
        return { value: match, words: splitWords(value).map(({ plain }) => plain) }
      }),
    )
  matchesByEntry.set(entry, values)
  return values
}

/**
 * The column value that a text looks for: all of its words are in the text, and not all of them in the title. Of several the one with
 * the most words. Null without one.
 */
export function valueIn(entry: SearchEntry, text: string): ColumnValue | null {
  const queryWords = new Set(splitWords(text).map(({ plain }) => plain))
  const title = new Set(splitWords(entry.title).map(({ plain }) => plain))
  let best: { value: ColumnValue; words: string[] } | null = null
  for (const value of getColumnValues(entry)) {
    const { words } = value
    if (words.length <= (best?.words.length ?? 0)) continue
    if (words.every((word) => queryWords.has(word)) && !words.every((word) => title.has(word))) best = value
  }
  return best?.value ?? null
}
