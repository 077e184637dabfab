import { localeOf, type Locale } from '#functions/shapes/locale.ts'
import { arabic } from './phrases/ar.ts'
import { english } from './phrases/en.ts'
import { spanish } from './phrases/es.ts'
import { french } from './phrases/fr.ts'
import type { Phrases } from './phrases/phrases.ts'

const byLanguage: Record<Locale, Phrases> = { en: english, es: spanish, fr: french, ar: arabic }

/** What charts say in the language of a locale (`en-GB` finds `en`); English where there are no phrases. */
export function phrasesOf(locale: string): Phrases {
  return byLanguage[localeOf(locale)]
}
