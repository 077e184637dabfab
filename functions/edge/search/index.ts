import type { Cadence } from '#functions/shapes/metadata.ts'
import type { Locale } from '#functions/shapes/locale.ts'
import {
  facetNames,
  narrow,
  searchKinds,
  yearsIn,
  type FacetChoice,
  type FacetName,
  type SearchKind,
} from './facets.ts'
import { nearlySpelled, withLetters, type Letters } from './spelling.ts'
import { isStopWord, stemsIn, getStems, findSynonyms, splitWords, type Word } from './words.ts'

export { facetNames, searchKinds, yearsIn, type FacetChoice, type FacetName, type SearchKind }

/** The fields of an entry in which a word may occur. */
export const fields = ['title', 'name', 'column', 'note', 'value', 'text'] as const
export type Field = (typeof fields)[number]
const weights: Record<Field, number> = { title: 10, name: 4, column: 3, note: 3, value: 2.5, text: 1 }

/** A search entry of a hub. Missing facts are left out. */
export interface SearchEntry {
  kind: SearchKind
  title: string
  /** The path of its page, without a language. */
  href: string
  /** A summary, shown below the title and searched as well. */
  note: string
  /** The texts that are untranslated in the index of another language; absent if none is. */
  original?: readonly ('title' | 'note')[]
  /** The id of its domain; null without one. */
  domain: string | null
  topic?: string
  /** The labels of its download formats. */
  formats?: string[]
  /** The most frequent regions in its records. */
  places?: string[]
  /** First and last year of its records. */
  years?: [from: number, to: number]
  /** The number of its records. */
  count?: number
  /** The date of its newest data; of a story that of publication. `YYYY-MM-DD`. */
  updated?: string
  /** The intended update frequency. */
  cadence?: Cadence
  /**
   * Text columns with their most frequent values as displayed, and as stored if that differs. `hasTable`: its records can be filtered
   * by them.
   */
  columns?: [key: string, name: string, values: string[], codes?: string[]][]
  hasTable?: true
}

/** The stored index of a hub: entries sorted by title, words in alphabetical order with their stems, and postings. */
export interface SearchFile {
  /** Names of domains by id. */
  domains: Record<string, string>
  entries: SearchEntry[]
  /** The URL of the file with the `/v1` rows of the entries. */
  rows: string
  /** Separated by spaces. */
  words: string
  /** The stems of each word separated by commas, words separated by spaces. */
  stems: string
  /** The accented spelling of words that are compared without accents, by word index. */
  spelled: Record<number, string>
  /** For each word the number of entries with it, then each entry: the difference to the previous index, and a bit per field. */
  places: number[]
}

/** The lists of `/v1` that the search box of a hub requests. */
export const searchNouns = ['dataTypes', 'sources', 'pages'] as const
export type SearchNoun = (typeof searchNouns)[number]

/** Rows of those lists as an anonymous client gets them, by id, each as JSON, since most are passed on unparsed. */
export type SearchRows = Record<SearchNoun, Record<string, string>>

/** An index in memory. */
export interface SearchIndex extends Letters {
  domains: Record<string, string>
  entries: SearchEntry[]
  rows: string
  spelled: Record<number, string>
  /** Word indices by stem. */
  byStem: Map<string, number[]>
  /** The offset of each word's postings in `places`; one more than there are words. */
  starts: Int32Array
  /** Postings: entry indices with a bit for each field that has the word. */
  places: Int32Array
  /** The number of words in the title of each entry. */
  titles: Uint8Array
  /** Entry indices sorted by title, by language. */
  orders: Map<string, Int32Array>
}

/** A search: text, and a choice for each facet or null. A period is a year, or a range: `2010-2019`. */
export interface SearchQuestion extends Record<FacetName, string | null> {
  text: string
}

/** A search without facet choices. */
export const toSearchQuestion = (text: string): SearchQuestion => ({
  ...{ text, kind: null, topic: null, domain: null, format: null, place: null, period: null, cadence: null },
})

/** Sort orders: `updated` newest first, `records` most first; entries without the fact come last. */
export const searchSorts = ['relevance', 'name', 'updated', 'records'] as const
export type SearchSort = (typeof searchSorts)[number]

export interface SearchOptions {
  locale: Locale
  sort: SearchSort
  /** Whether results must have all words. */
  isStrict?: boolean
  /** A filter of what is visible now; by default everything. */
  isShown?: (entry: SearchEntry) => boolean
}

/** The result of a search. */
export interface SearchResult {
  results: SearchEntry[]
  /** Kinds and cadences in a fixed order, periods latest first, others by number of results. */
  facets: Record<FacetName, FacetChoice[]>
  /** The corrected text if words had no match as spelled; null if not needed. */
  meant: string | null
  /** No entry has all words: the results have at least half of them. */
  isPartial: boolean
}

/** Maximum number of words in a search, and of words for which other spellings are tried. */
export const maxWords = 12
const maxNearly = 6

/**
 * The score of an inexact match relative to the word itself. A synonym in a text is worth less than the word itself in the name of a
 * column.
 */
const [sameStem, beginning, synonym, foreign, nearly] = [0.9, 0.6, 0.3, 0.2, 0.3]

export const bits = fields.length
const mask = (1 << bits) - 1
/** The score of each combination of fields, by their bits: the best of them, and a little for each other. */
const worth = Float32Array.from({ length: 1 << bits }, (_, parts) => {
  const of = fields.filter((_field, bit) => parts & (1 << bit)).map((field) => weights[field])
  const best = Math.max(0, ...of)
  return best + 0.2 * (of.reduce((sum, weight) => sum + weight, 0) - best)
})
const isInTitle = 1

/** Parses a stored index. Expensive for many words: cache the result. */
export function parseIndex({
  domains,
  entries,
  rows,
  words: text,
  stems,
  spelled,
  places,
}: SearchFile): SearchIndex {
  const words = text === '' ? [] : text.split(' ')
  const byStem = new Map<string, number[]>()
  const add = (stem: string, at: number) => {
    const of = byStem.get(stem)
    if (of) of.push(at)
    else byStem.set(stem, [at])
  }
  stems.split(',').forEach((of, at) => {
    if (of !== '') for (const stem of of.split(' ')) add(stem, at)
  })
  words.forEach((word, at) => add(word, at))
  const starts = new Int32Array(words.length + 1)
  const hits = new Int32Array(Math.max(0, places.length - words.length))
  for (let at = 0, from = 0, to = 0; at < words.length; at += 1) {
    const count = places[from++] ?? 0
    for (let i = 0, entry = 0; i < count; i += 1) {
      const step = places[from++] ?? 0
      entry += step >> bits
      hits[to++] = (entry << bits) | (step & mask)
    }
    starts[at + 1] = to
  }
  return {
    ...{ domains, entries, rows, spelled, byStem, starts, places: hits },
    ...withLetters(words),
    titles: Uint8Array.from(entries, ({ title }) => Math.min(255, title.trim().split(/\s+/).length)),
    orders: new Map(),
  }
}

/**
 * Finds the entries with every word of a text, matching whole words, stems, prefixes and synonyms, ignoring case and accents. If none
 * has them all, misspellings match as well: one edit (replace, insert, delete, transpose) from four letters on, two from eight on.
 * Failing that, entries with at least half of the words match. Stop words are ignored if there are others. An empty text matches
 * everything, a text without words nothing.
 */
export function find(index: SearchIndex, question: SearchQuestion, options: SearchOptions): SearchResult {
  const queryWords = splitWords(question.text)
  const unique = queryWords.filter(
    ({ plain }, i) => queryWords.findIndex((other) => other.plain === plain) === i,
  )
  const telling = unique.filter((word) => !isStopWord(word))
  const words = (telling.length > 0 ? telling : unique).slice(0, maxWords)
  const { scores, forms, isPartial, isNearly } =
    question.text === '' ? everything(index) : computeScores(index, words, options)
  const { hits, facets } = narrow(index, question, scores, options.isShown)
  const { sort, locale } = options
  if (sort === 'relevance') hits.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
  else {
    const rank = computeRanks(index, locale)
    const size = sizes[sort]
    const of = new Map(hits.map((at) => [at, size(index.entries[at])]))
    // Ties are sorted by name.
    hits.sort((a, b) => (of.get(b) ?? 0) - (of.get(a) ?? 0) || (rank[a] ?? 0) - (rank[b] ?? 0))
  }
  const best = isNearly ? findBest(hits, scores) : undefined
  return {
    results: hits.flatMap((at) => index.entries[at] ?? []),
    facets,
    meant: best === undefined ? null : findCorrectedText(index, question.text, words, forms, best),
    isPartial,
  }
}

/** The primary sort key, descending; entries without it come last. */
const sizes: Record<Exclude<SearchSort, 'relevance'>, (entry: SearchEntry | undefined) => number> = {
  name: () => 0,
  updated: (entry) => (entry?.updated === undefined ? -Infinity : Date.parse(entry.updated)),
  records: (entry) => entry?.count ?? -1,
}

/** Indices of matching words with their quality, best first. */
type Forms = [at: number, quality: number][]

interface Scores {
  /** Per entry; 0 if it does not match. */
  scores: Float32Array
  forms: Forms[]
  isPartial: boolean
  isNearly: boolean
}

const everything = ({ entries }: SearchIndex): Scores => {
  return { scores: new Float32Array(entries.length).fill(1), forms: [], isPartial: false, isNearly: false }
}

function computeScores(
  index: SearchIndex,
  words: readonly Word[],
  { locale, isStrict = false }: SearchOptions,
): Scores {
  const strict = words.map((word) => findForms(index, word, locale))
  const exact = withWords(index, strict, words.length)
  if (exact || words.length === 0)
    return {
      scores: exact ?? new Float32Array(index.entries.length),
      forms: strict,
      isPartial: false,
      isNearly: false,
    }
  const forms = strict.map((of, i): Forms => {
    const word = words[i]
    return word && i < maxNearly ? [...of, ...findMisspellings(index, word, of)] : of
  })
  const close = withWords(index, forms, words.length)
  if (close) return { scores: close, forms, isPartial: false, isNearly: true }
  const some = isStrict ? null : withWords(index, forms, Math.ceil(words.length / 2))
  const scores = some ?? new Float32Array(index.entries.length)
  return { scores, forms, isPartial: some !== null, isNearly: some !== null }
}

/** The words of an index that match a word of the search. */
function findForms(index: SearchIndex, word: Word, locale: Locale): Forms {
  const forms = new Map<number, number>()
  const add = (at: number, quality: number) => forms.set(at, Math.max(forms.get(at) ?? 0, quality))
  const own = index.byStem.get(word.plain) ?? []
  for (const at of own) add(at, index.words[at] === word.plain ? 1 : sameStem)
  for (const stem of getStems(word)) for (const at of index.byStem.get(stem) ?? []) add(at, sameStem)
  for (const at of beginningWith(index, word.plain)) add(at, beginning)
  for (const other of findSynonyms(word, locale))
    for (const key of [other.plain, ...stemsIn(other, other.locale)])
      for (const at of index.byStem.get(key) ?? []) add(at, other.locale === locale ? synonym : foreign)
  return [...forms].sort(([, a], [, b]) => b - a)
}

/** Misspellings of a word, without exact matches. */
function findMisspellings(index: SearchIndex, { plain }: Word, exactForms: Forms): Forms {
  const others = new Set(exactForms.map(([at]) => at))
  const hits: Forms = []
  for (const { at, changes, isWhole } of nearlySpelled(index, plain))
    if (!others.has(at)) hits.push([at, (nearly / changes) * (isWhole ? 1 : 0.5)])
  return hits.sort(([, a], [, b]) => b - a)
}

/** The indices of words with a prefix. */
export function* beginningWith({ words }: Pick<SearchIndex, 'words'>, start: string): Generator<number> {
  let [low, high] = [0, words.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((words[middle] ?? '') < start) low = middle + 1
    else high = middle
  }
  while (words[low]?.startsWith(start)) yield low++
}

/** Scores of the entries with at least `least` of the words, each in one of its forms; null if there are none. */
function withWords(index: SearchIndex, words: readonly Forms[], least: number): Float32Array | null {
  const { entries, starts, places, titles } = index
  const scores = new Float32Array(entries.length)
  const had = new Uint8Array(entries.length)
  const inTitle = new Float32Array(entries.length)
  for (const forms of words) {
    const of = new Float32Array(entries.length)
    const titleScores = new Float32Array(entries.length)
    let count = 0
    for (const [at, quality] of forms)
      for (let i = starts[at] ?? 0; i < (starts[at + 1] ?? 0); i += 1) {
        const place = places[i] ?? 0
        const entry = place >> bits
        const value = quality * (worth[place & mask] ?? 0)
        if (of[entry] === 0) count += 1
        if (value > (of[entry] ?? 0)) of[entry] = value
        if (place & isInTitle && quality > (titleScores[entry] ?? 0)) titleScores[entry] = quality
      }
    // Rare words weigh more than frequent ones.
    const rarity = Math.log(1 + entries.length / Math.max(1, count))
    for (let entry = 0; entry < of.length; entry += 1) {
      const value = of[entry] ?? 0
      if (value === 0) continue
      scores[entry] = (scores[entry] ?? 0) + value * rarity
      had[entry] = (had[entry] ?? 0) + 1
      inTitle[entry] = (inTitle[entry] ?? 0) + (titleScores[entry] ?? 0)
    }
  }
  let isAny = false
  for (let entry = 0; entry < scores.length; entry += 1) {
    if ((had[entry] ?? 0) < least || least === 0) {
      scores[entry] = 0
      continue
    }
    isAny = true
    // A title that consists mostly of the searched words ranks higher.
    const share = (inTitle[entry] ?? 0) / Math.max(1, titles[entry] ?? 1, words.length)
    scores[entry] = (scores[entry] ?? 0) * ((had[entry] ?? 0) / words.length) * (1 + share)
  }
  return isAny ? scores : null
}

function findBest(hits: readonly number[], scores: Float32Array): number | undefined {
  let best: number | undefined
  for (const at of hits) if (best === undefined || (scores[at] ?? 0) > (scores[best] ?? 0)) best = at
  return best
}

/** The text with unmatched words replaced by those of the best result; null if there are none. */
function findCorrectedText(
  index: SearchIndex,
  text: string,
  words: readonly Word[],
  forms: readonly Forms[],
  best: number,
): string | null {
  const instead = new Map<string, string>()
  words.forEach(({ plain }, i) => {
    const form = forms[i]?.find(([at]) => has(index, at, best))
    if (!form || form[1] > nearly) return
    instead.set(plain, index.spelled[form[0]] ?? index.words[form[0]] ?? plain)
  })
  if (instead.size === 0) return null
  return splitWords(text)
    .map(({ plain, spelled }) => instead.get(plain) ?? spelled)
    .join(' ')
}

function has({ starts, places }: SearchIndex, at: number, entry: number): boolean {
  let [low, high] = [starts[at] ?? 0, starts[at + 1] ?? 0]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((places[middle] ?? 0) >> bits < entry) low = middle + 1
    else high = middle
  }
  return low < (starts[at + 1] ?? 0) && (places[low] ?? 0) >> bits === entry
}

/** The rank of each entry by title. */
function computeRanks({ orders, entries }: SearchIndex, locale: string): Int32Array {
  const storedOrder = orders.get(locale)
  if (storedOrder) return storedOrder
  const { compare } = new Intl.Collator(locale, { sensitivity: 'base', numeric: true })
  const order = [...entries.keys()].sort(
    (a, b) => compare(entries[a]?.title ?? '', entries[b]?.title ?? '') || a - b,
  )
  const ranks = new Int32Array(entries.length)
  order.forEach((at, rank) => (ranks[at] = rank))
  orders.set(locale, ranks)
  return ranks
}
