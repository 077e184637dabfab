import { languages } from '#functions/shapes/language/index.ts'

/** The path under which a hub's page of results is stored: no request's path has a question mark. */
export const searchPath = '/?search'

export const searchKinds = ['domain', 'indicator', 'story', 'map'] as const
export type SearchKind = (typeof searchKinds)[number]

/** One thing a hub's visitor can find. */
export interface Findable {
  kind: SearchKind
  title: string
  /** The path of its page, without a language. */
  href: string
  /** More words to find it by, shown below its title. */
  note: string
  /** The domain it is of, by its id; null for what is of none. */
  domain: string | null
}

/**
 * What can be found on a hub, as it is stored: names of domains by their ids, what there is, and the file with the rows
 * that the lists of `/v1` have of it.
 */
export interface SearchFile {
  domains: Record<string, string>
  entries: Findable[]
  rows: string
}

/** The lists of `/v1` that a search of a hub asks. */
export const searchNouns = ['dataTypes', 'sources', 'pages'] as const
export type SearchNoun = (typeof searchNouns)[number]

/** Rows as those lists answer them to a stranger, by id, each as JSON: most are only passed on. */
export type SearchRows = Record<SearchNoun, Record<string, string>>

/** An index in memory: which entries have a word, words in the order of their letters. */
export interface SearchIndex extends SearchFile {
  words: string[]
  /** Entries by the place of their word in `words`, each in rising order. */
  places: Int32Array[]
  /** For each word which letters it has, as bits: tells most of those that are spelt too differently apart at once. */
  letters: Int32Array
  /** Places of entries in the order of their titles, by language. */
  orders: Map<string, Int32Array>
}

/** What is asked of an index. */
export interface SearchQuestion {
  text: string
  kind: SearchKind | null
  domain: string | null
}

/** What was found: how many in all, in the order of titles; and how many there would be of each kind and domain. */
export interface SearchResult {
  results: Findable[]
  kinds: Record<SearchKind, number>
  /** Names and counts by id, the most first. */
  domains: { id: string; name: string; count: number }[]
}

/** A map is found by the name of what it is, in any language. */
const mapWords = Object.values(languages)
  .map(({ edge }) => edge.kinds.map)
  .join(' ')

/** More words of a search are not looked at. */
const mostWords = 12

/** Makes an index of what is stored. Takes time with the number of entries: keep it. */
export function indexOf(file: SearchFile): SearchIndex {
  const byWord = new Map<string, number[]>()
  file.entries.forEach(({ title, note, kind }, place) => {
    const text = `${title} ${note} ${kind === 'map' ? mapWords : ''}`
    for (const word of new Set(wordsOf(text))) {
      const places = byWord.get(word)
      if (places) places.push(place)
      else byWord.set(word, [place])
    }
  })
  const words = [...byWord.keys()].sort()
  return {
    ...file,
    words,
    places: words.map((word) => Int32Array.from(byWord.get(word) ?? [])),
    letters: Int32Array.from(words, lettersOf),
    orders: new Map(),
  }
}

/**
 * What has every word of a text: as a whole word or as the beginning of one, in any case and without accents. Only where
 * nothing has them all, words that are spelt nearly so count as well: one letter other, more, less or exchanged from four
 * letters on, two from eight on. Sorted by title as the language (`locale`) sorts. Nothing for a text without words.
 */
export function find(
  index: SearchIndex,
  { text, kind, domain }: SearchQuestion,
  locale: string,
): SearchResult {
  const words = [...new Set(wordsOf(text))].slice(0, mostWords)
  const hits = withAll(index, words, false) ?? withAll(index, words, true) ?? new Set()
  const kinds: SearchResult['kinds'] = { domain: 0, indicator: 0, story: 0, map: 0 }
  const byDomain = new Map<string, number>()
  const results: Findable[] = []
  for (const place of hits.size > 0 ? orderOf(index, locale) : []) {
    const entry = hits.has(place) ? index.entries[place] : undefined
    if (!entry) continue
    const isOfKind = kind === null || entry.kind === kind
    const isOfDomain = domain === null || entry.domain === domain
    if (isOfDomain) kinds[entry.kind] += 1
    if (isOfKind && entry.domain !== null) byDomain.set(entry.domain, (byDomain.get(entry.domain) ?? 0) + 1)
    if (isOfKind && isOfDomain) results.push(entry)
  }
  const domains = [...byDomain].map(([id, count]) => ({ id, name: index.domains[id] ?? id, count }))
  domains.sort((a, b) => b.count - a.count || (a.id < b.id ? -1 : 1))
  return { results, kinds, domains }
}

/** The entries that have all words; null for none. */
function withAll(index: SearchIndex, words: string[], isNearly: boolean): Set<number> | null {
  let all: Set<number> | null = null
  for (const word of words) {
    const of = new Set<number>()
    for (const at of isNearly ? nearly(index, word) : beginning(index, word))
      for (const place of index.places[at] ?? []) if (!all || all.has(place)) of.add(place)
    if (of.size === 0) return null
    all = of
  }
  return all
}

/** The words that begin so, by their places. */
function* beginning({ words }: SearchIndex, start: string): Generator<number> {
  let [low, high] = [0, words.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((words[middle] ?? '') < start) low = middle + 1
    else high = middle
  }
  while (words[low]?.startsWith(start)) yield low++
}

/** The words that begin nearly so, by their places. */
function* nearly(index: SearchIndex, start: string): Generator<number> {
  const most = start.length >= 8 ? 2 : start.length >= 4 ? 1 : 0
  if (most === 0) return yield* beginning(index, start)
  const letters = lettersOf(start)
  for (let at = 0; at < index.words.length; at += 1) {
    const word = index.words[at] ?? ''
    if (word.length < start.length - most || bitsIn(letters & ~(index.letters[at] ?? 0)) > most) continue
    if (differsAtMost(start, word, most)) yield at
  }
}

/**
 * Whether the beginning of a word can be made of a text by so many changes: a letter put in, left out, replaced, or two
 * neighbours exchanged (the optimal string alignment distance; that of the beginning is the least of its last row).
 */
function differsAtMost(text: string, word: string, most: number): boolean {
  const width = Math.min(word.length, text.length + most)
  let before: number[] = []
  let last = Array.from({ length: width + 1 }, (_, i) => i)
  for (let i = 1; i <= text.length; i += 1) {
    const row = [i]
    let least = i
    for (let j = 1; j <= width; j += 1) {
      const isSame = text[i - 1] === word[j - 1]
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (isSame ? 0 : 1))
      if (i > 1 && j > 1 && text[i - 1] === word[j - 2] && text[i - 2] === word[j - 1])
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1)
      row.push(cost)
      if (cost < least) least = cost
    }
    if (least > most) return false
    before = last
    last = row
  }
  return Math.min(...last) <= most
}

/** The places of all entries in the order of their titles. */
function orderOf({ orders, entries }: SearchIndex, locale: string): Int32Array {
  const known = orders.get(locale)
  if (known) return known
  const { compare } = new Intl.Collator(locale, { sensitivity: 'base', numeric: true })
  const order = Int32Array.from(entries.keys()).sort((a, b) => {
    const [one, other] = [entries[a], entries[b]]
    return compare(one?.title ?? '', other?.title ?? '') || compare(one?.href ?? '', other?.href ?? '')
  })
  orders.set(locale, order)
  return order
}

/** A bit for each letter a to z and one for all others. */
function lettersOf(word: string): number {
  let bits = 0
  for (let i = 0; i < word.length; i += 1) {
    const position = word.charCodeAt(i) - 97
    bits |= 1 << (position >= 0 && position < 26 ? position : 26)
  }
  return bits
}

function bitsIn(bits: number): number {
  let count = 0
  for (let left = bits; left !== 0; left &= left - 1) count += 1
  return count
}

/** Letters that no decomposition of Unicode makes plain. */
const alike: Record<string, string> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i', ħ: 'h' },
  // Arabic: final forms that are written either way, and the line that only stretches a word.
  ...{ ى: 'ي', ة: 'ه', ـ: '' },
}
const unlike = new RegExp(`[${Object.keys(alike).join('')}]`, 'g')

/** A word; of scripts without spaces between words each sign is one. */
const word = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}]+/gu

/** The words of a text, in lower case, without accents and the vowel signs of Arabic. */
export function wordsOf(text: string): string[] {
  const plain = text.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '').replace(unlike, alikeOf)
  return plain.match(word) ?? []
}

const alikeOf = (position: string) => alike[position] ?? position
