import { languages } from '#functions/shapes/language/index.ts'
import { concepts, type Concept, type SearchLanguage } from '#functions/shapes/language/search.ts'
import type { Locale } from '#functions/shapes/locale.ts'

/** A word of a text: `plain` for comparison, `spelled` with its accents for display. Both are in lower case. */
export interface Word {
  plain: string
  spelled: string
}

/** Longer words are codes and URLs, which are truncated to this length. */
const longest = 40

/** Letters without a Unicode decomposition. */
const alike: Record<string, string> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i', ħ: 'h' },
  // Arabic: interchangeable final forms, and the elongation character.
  ...{ ى: 'ي', ة: 'ه', ـ: '' },
}
const unlike = new RegExp(`[${Object.keys(alike).join('')}]`, 'g')
const ascii = /^[a-z0-9]*$/

/** Normalizes a text: no accents, no Arabic vowel signs, interchangeable letters unified. Takes lower case. */
function normalizeText(text: string): string {
  if (ascii.test(text)) return text
  const letters = text.normalize('NFKD').replace(/\p{M}/gu, '')
  return letters.replace(unlike, (sign) => alike[sign] ?? sign).replace(/[^\p{L}\p{N}]/gu, '')
}

const unspacedScripts = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}'
/** A run of characters of an unspaced script, or a word of any other. */
const run = new RegExp(
  `[${unspacedScripts}][${unspacedScripts}\\p{M}]*|(?:(?![${unspacedScripts}])[\\p{L}\\p{N}][\\p{M}ـ]*)+`,
  'gu',
)
const isUnspaced = new RegExp(`^[${unspacedScripts}]`, 'u')

/**
 * The words of a text in order. Unspaced scripts are split into bigrams; `isStored` adds the last character alone, so that a search
 * for a single character finds it as the beginning of a bigram or at the end of a text.
 */
export function splitWords(text: string, isStored = false): Word[] {
  const words: Word[] = []
  for (const [spelling] of text.toLowerCase().normalize('NFC').matchAll(run)) {
    const plain = normalizeText(spelling).slice(0, longest)
    if (plain === '') continue
    if (!isUnspaced.test(plain)) {
      words.push({ plain, spelled: spelling.slice(0, longest) })
      continue
    }
    const signs = [...plain]
    for (let i = 0; i < signs.length - 1; i += 1) push(words, (signs[i] ?? '') + (signs[i + 1] ?? ''))
    if (isStored || signs.length === 1) push(words, signs.at(-1) ?? '')
  }
  return words
}

const push = (words: Word[], plain: string) => words.push({ plain, spelled: plain })

const allWords = Object.values(languages).map(({ search }) => search)

/**
 * The stems of a word in every hub language of its script, since a text's language is unknown. Without the word itself; empty for
 * numbers, codes and very short words.
 */
export function getStems({ plain, spelled }: Word, of: readonly SearchLanguage[] = allWords): string[] {
  if (plain.length < 3 || /\p{N}/u.test(plain)) return []
  const allStems = new Set<string>()
  for (const { script, stems } of of)
    if (script.test(plain))
      for (const form of spelled === plain ? [plain] : [spelled, plain])
        for (const stem of stems(form)) allStems.add(normalizeText(stem))
  allStems.delete(plain)
  allStems.delete('')
  return [...allStems]
}

/** The stems of a word in one language; other languages would stem it differently. */
export const stemsIn = (word: Word, locale: Locale): string[] => getStems(word, [languages[locale].search])

let stopWords: ReadonlySet<string> | null = null

/** Whether a word is a stop word in any language. */
export function isStopWord({ plain }: Word): boolean {
  stopWords ??= new Set(allWords.flatMap((search) => splitWords(search.stopWords)).map((word) => word.plain))
  return stopWords.has(plain)
}

/** A synonym, and its language. */
interface Synonym extends Word {
  locale: Locale
}

/** Words of each concept in all languages, and concepts by the words and stems of one language. */
interface Synonyms {
  of: Map<Concept, Synonym[]>
  byLocale: Map<Locale, Map<string, Set<Concept>>>
}
let synonyms: Synonyms | null = null

function readSynonyms(): Synonyms {
  const of = new Map<Concept, Synonym[]>(concepts.map((concept) => [concept, []]))
  const byLocale: Synonyms['byLocale'] = new Map()
  for (const [locale, { search }] of Object.entries(languages)) {
    const byKey = new Map<string, Set<Concept>>()
    for (const concept of concepts)
      for (const word of splitWords(search.synonyms[concept])) {
        of.get(concept)?.push({ ...word, locale: locale as Locale })
        for (const key of [word.plain, ...getStems(word, [search])])
          byKey.set(key, (byKey.get(key) ?? new Set()).add(concept))
      }
    byLocale.set(locale as Locale, byKey)
  }
  return { of, byLocale }
}

/**
 * The synonyms of a word in all languages: by the page's language, else by the first language that knows the word, since people search
 * in their own on any page. Empty for an unknown word.
 */
export function findSynonyms(word: Word, locale: Locale): Synonym[] {
  synonyms ??= readSynonyms()
  const { of, byLocale } = synonyms
  const keys = [word.plain, ...getStems(word)]
  for (const language of new Set<Locale>([locale, ...byLocale.keys()]))
    for (const key of keys) {
      const stem = byLocale.get(language)?.get(key)
      if (stem)
        return [...stem]
          .flatMap((concept) => of.get(concept) ?? [])
          .filter(({ plain }) => plain !== word.plain)
    }
  return []
}
