import { languages } from '#functions/shapes/language/index.ts'
import { concepts, type Concept, type SearchWords } from '#functions/shapes/language/search.ts'
import type { Locale } from '#functions/shapes/locale.ts'

/** A word of a text: `plain` is compared, `spelled` is shown and has its accents. Both are in lower case. */
export interface Word {
  plain: string
  spelled: string
}

/** Longer words are codes and addresses: only so much of them is looked at. */
const longest = 40

/** Letters that no decomposition of Unicode makes plain. */
const alike: Record<string, string> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i', ħ: 'h' },
  // Arabic: final forms that are written either way, and the line that only stretches a word.
  ...{ ى: 'ي', ة: 'ه', ـ: '' },
}
const unlike = new RegExp(`[${Object.keys(alike).join('')}]`, 'g')
const ascii = /^[a-z0-9]*$/

/** A text without accents, the vowel signs of Arabic and what else two spellings of a word differ in. Takes lower case. */
function plainOf(text: string): string {
  if (ascii.test(text)) return text
  const letters = text.normalize('NFKD').replace(/\p{M}/gu, '')
  return letters.replace(unlike, (sign) => alike[sign] ?? sign).replace(/[^\p{L}\p{N}]/gu, '')
}

const unspacedScripts = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}'
/** A run of signs of a script without spaces between words, or a word of any other. */
const run = new RegExp(
  `[${unspacedScripts}][${unspacedScripts}\\p{M}]*|(?:(?![${unspacedScripts}])[\\p{L}\\p{N}][\\p{M}ـ]*)+`,
  'gu',
)
const isUnspaced = new RegExp(`^[${unspacedScripts}]`, 'u')

/**
 * The words of a text in their order. Scripts without spaces between words are cut into pairs of signs; `isStored` adds the last sign
 * alone, so that a search for a single sign finds it as the beginning of a pair or as the end of a text.
 */
export function wordsOf(text: string, isStored = false): Word[] {
  const words: Word[] = []
  for (const [spelling] of text.toLowerCase().normalize('NFC').matchAll(run)) {
    const plain = plainOf(spelling).slice(0, longest)
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
 * What a word is compared by beside its letters: its stem in every language of hubs that is written in its script, since a hub does
 * not say which one its texts are in. Without itself; empty for numbers, codes and very short words.
 */
export function stemsOf({ plain, spelled }: Word, of: readonly SearchWords[] = allWords): string[] {
  if (plain.length < 3 || /\p{N}/u.test(plain)) return []
  const allStems = new Set<string>()
  for (const { script, stems } of of)
    if (script.test(plain))
      for (const form of spelled === plain ? [plain] : [spelled, plain])
        for (const stem of stems(form)) allStems.add(plainOf(stem))
  allStems.delete(plain)
  allStems.delete('')
  return [...allStems]
}

/** The stems of a word in its own language alone: in another one it would be cut to something else. */
export const stemsIn = (word: Word, locale: Locale): string[] => stemsOf(word, [languages[locale].search])

let stopWords: ReadonlySet<string> | null = null

/** Whether a word says nothing of what is looked for, in any language. */
export function isStopWord({ plain }: Word): boolean {
  stopWords ??= new Set(allWords.flatMap((search) => wordsOf(search.stopWords)).map((word) => word.plain))
  return stopWords.has(plain)
}

/** Another word for what a word means, and the language it is of. */
interface Synonym extends Word {
  locale: Locale
}

/** Words of each concept in all languages, and concepts by the words of one language and by their stems. */
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
      for (const word of wordsOf(search.synonyms[concept])) {
        of.get(concept)?.push({ ...word, locale: locale as Locale })
        for (const key of [word.plain, ...stemsOf(word, [search])])
          byKey.set(key, (byKey.get(key) ?? new Set()).add(concept))
      }
    byLocale.set(locale as Locale, byKey)
  }
  return { of, byLocale }
}

/**
 * Other words for what a word means, in all languages: as the language of the page has it, else as the first that has it, since people
 * ask in their own on whatever page they are. Empty for a word that no concept has.
 */
export function synonymsOf(word: Word, locale: Locale): Synonym[] {
  synonyms ??= readSynonyms()
  const { of, byLocale } = synonyms
  const keys = [word.plain, ...stemsOf(word)]
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
