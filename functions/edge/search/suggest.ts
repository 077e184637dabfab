import {
  toSearchQuestion,
  beginningWith,
  bits,
  find,
  maxWords,
  type SearchIndex,
  type SearchOptions,
} from './index.ts'
import { splitWords } from './words.ts'

/** Maximum numbers of suggestions, and of words and titles considered for them. */
const [mostSuggested, mostLookedAt, mostTitles] = [8, 400, 50]

/**
 * Suggestions for a partial text: completions of its last word, with the words before it, and titles that have all words. They are
 * texts to search for, not results.
 */
export function suggest(
  index: SearchIndex,
  text: string,
  { locale, isShown = () => true }: Omit<SearchOptions, 'sort'>,
): string[] {
  const queryWords = splitWords(text)
  const last = queryWords.at(-1)
  if (!last || queryWords.length > maxWords) return []
  const before = queryWords.slice(0, -1)
  const isSeen = (at: number) => index.entries[at] !== undefined && isShown(index.entries[at])
  const candidates: { text: string; count: number }[] = []
  let lookCount = 0
  for (const at of beginningWith(index, last.plain)) {
    if ((lookCount += 1) > mostLookedAt) break
    let count = 0
    let isNamed = false
    for (let i = index.starts[at] ?? 0; i < (index.starts[at + 1] ?? 0); i += 1) {
      const place = index.places[i] ?? 0
      // Only words of titles, domains and columns: values and texts would offer any word.
      if ((place & 0b111) === 0 || !isSeen(place >> bits)) continue
      isNamed = true
      count += 1
    }
    if (isNamed) candidates.push({ text: index.spelled[at] ?? index.words[at] ?? '', count })
  }
  candidates.sort((a, b) => b.count - a.count || a.text.length - b.text.length)
  const start = before.map(({ spelled }) => spelled).join(' ')
  const words = candidates.map((candidate) => (start === '' ? candidate.text : `${start} ${candidate.text}`))
  const { results } = find(index, toSearchQuestion(text.slice(0, 200)), {
    locale,
    sort: 'relevance',
    isShown,
  })
  const titles = results
    .slice(0, mostTitles)
    .filter(({ title }) => {
      const own = splitWords(title).map(({ plain }) => plain)
      return queryWords.every(({ plain }) => own.some((each) => each.startsWith(plain)))
    })
    .map(({ title }) => title)
  const half = mostSuggested / 2
  const suggestions = [...words.slice(0, Math.max(half, mostSuggested - titles.length)), ...titles]
  const earlier = new Set<string>()
  return suggestions
    .filter((each) => {
      const key = each.toLowerCase()
      return !earlier.has(key) && earlier.add(key)
    })
    .slice(0, mostSuggested)
}
