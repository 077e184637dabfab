import { localeOf, type Locale } from '#functions/shapes/locale.ts'
import { arabic } from './words/ar.ts'
import { english } from './words/en.ts'
import { spanish } from './words/es.ts'
import { french } from './words/fr.ts'
import type { Words } from './words/words.ts'

export type { Words }

const byLanguage: Record<Locale, Words> = { en: english, es: spanish, fr: french, ar: arabic }

/** Gives the words of the locale's language (`en-GB` finds `en`); a language without words gives English. */
export function words(locale: string): Words {
  return byLanguage[localeOf(locale)]
}
