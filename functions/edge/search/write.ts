import { languages } from '#functions/shapes/language/index.ts'
import { fields, type Field, type SearchEntry, type SearchFile } from './index.ts'
import { getStems, splitWords } from './words.ts'

/** A search entry, with text that is searched but not shown. */
export interface SearchDocument extends SearchEntry {
  /** Names and descriptions of its columns. */
  columnTexts?: readonly string[]
  /** The names of its domain and its topic. */
  names?: readonly string[]
  /** Its text; only a limited number of distinct words is indexed. */
  text?: string
}

/** Maximum number of distinct words that are indexed of one text. */
const maxWords = 600

/** A map is found by the word for map, in any language. */
const mapWords = Object.values(languages)
  .map(({ edge }) => edge.kinds.map)
  .join(' ')

/** Builds the stored index: every word with its entries and fields. `rows`: see `SearchFile`. */
export function writeIndex(
  documents: readonly SearchDocument[],
  { domains, rows }: Pick<SearchFile, 'domains' | 'rows'>,
): SearchFile {
  const { compare } = new Intl.Collator('en', { sensitivity: 'base', numeric: true })
  const inOrder = [...documents].sort((a, b) => compare(a.title, b.title) || (a.href < b.href ? -1 : 1))
  const byWord = new Map<string, Map<number, number>>()
  const spellings = new Map<string, Map<string, number>>()
  const add = (place: number, field: Field, texts: readonly string[]) => {
    const bit = 1 << fields.indexOf(field)
    const own = new Set<string>()
    for (const text of texts)
      for (const { plain, spelled } of splitWords(text, true)) {
        if (own.size >= maxWords) return
        own.add(plain)
        const of = byWord.get(plain) ?? new Map<number, number>()
        byWord.set(plain, of.set(place, (of.get(place) ?? 0) | bit))
        if (spelled === plain) continue
        const as = spellings.get(plain) ?? new Map<string, number>()
        spellings.set(plain, as.set(spelled, (as.get(spelled) ?? 0) + 1))
      }
  }
  const entries = inOrder.map(({ columnTexts = [], names = [], text = '', ...entry }, place): SearchEntry => {
    add(place, 'title', [entry.title])
    add(place, 'name', entry.kind === 'map' ? [...names, mapWords] : names)
    add(place, 'note', [entry.note])
    add(place, 'column', [...columnTexts, ...(entry.columns ?? []).map(([, name]) => name)])
    add(
      place,
      'value',
      (entry.columns ?? []).flatMap(([, , values]) => values),
    )
    add(place, 'text', [text])
    return entry
  })
  const words = [...byWord.keys()].sort()
  const spelled: Record<number, string> = {}
  const stems: string[] = []
  const places: number[] = []
  words.forEach((word, at) => {
    const as = [...(spellings.get(word) ?? [])].sort(([, a], [, b]) => b - a)[0]?.[0]
    if (as !== undefined) spelled[at] = as
    stems.push(getStems({ plain: word, spelled: as ?? word }).join(' '))
    const of = [...(byWord.get(word) ?? [])].sort(([a], [b]) => a - b)
    places.push(of.length)
    let before = 0
    for (const [place, parts] of of) {
      places.push((place - before) * partsOfEntry + parts)
      before = place
    }
  })
  return { domains, entries, rows, words: words.join(' '), stems: stems.join(','), spelled, places }
}

/** Factor that leaves room for a bit per field. */
const partsOfEntry = 1 << fields.length
