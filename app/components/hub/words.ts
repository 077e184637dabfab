import { localeOf, type Locale } from '#functions/shapes/locale.ts'
import { arabic } from './words/ar.ts'
import { english } from './words/en.ts'
import { spanish } from './words/es.ts'
import { french } from './words/fr.ts'
import type { Words } from './words/words.ts'

/** Hub pages carry no framework, so a browser needs only the words of the workspace, which is in English. */
const others: Partial<Record<Locale, Words>> = import.meta.env.SSR
  ? { es: spanish, fr: french, ar: arabic }
  : {}
const byLanguage: Partial<Record<Locale, Words>> = { en: english, ...others }

/** Gives the words of the locale's language (`en-GB` finds `en`); a language without words gives English. */
export function words(locale: string): Words {
  return byLanguage[localeOf(locale)] ?? english
}
