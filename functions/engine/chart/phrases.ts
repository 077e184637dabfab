import { phrases as arabic } from '#functions/shapes/language/ar/phrases.ts'
import { phrases as german } from '#functions/shapes/language/de/phrases.ts'
import { phrases as english } from '#functions/shapes/language/en/phrases.ts'
import { phrases as spanish } from '#functions/shapes/language/es/phrases.ts'
import { phrases as french } from '#functions/shapes/language/fr/phrases.ts'
import { phrases as japanese } from '#functions/shapes/language/ja/phrases.ts'
import type { Phrases } from '#functions/shapes/language/phrases.ts'
import { toLocale, type Locale } from '#functions/shapes/locale.ts'

/** Separate from the other texts: charts are also drawn in browsers, in the language of their hub. */
const byLanguage: Record<Locale, Phrases> = {
  en: english,
  es: spanish,
  fr: french,
  de: german,
  ar: arabic,
  ja: japanese,
}

/** The chart texts in the language of a locale (`en-GB` finds `en`); English for unsupported languages. */
export function getPhrases(locale: string): Phrases {
  return byLanguage[toLocale(locale)]
}
