import { island as arabic } from '#functions/shapes/language/ar/island.ts'
import { island as german } from '#functions/shapes/language/de/island.ts'
import { island as english } from '#functions/shapes/language/en/island.ts'
import { island as spanish } from '#functions/shapes/language/es/island.ts'
import { island as french } from '#functions/shapes/language/fr/island.ts'
import { island as japanese } from '#functions/shapes/language/ja/island.ts'
import type { IslandTexts } from '#functions/shapes/language/island.ts'
import { toLocale, type Locale } from '#functions/shapes/locale.ts'

const byLanguage: Record<Locale, IslandTexts> = {
  en: english,
  es: spanish,
  fr: french,
  de: german,
  ar: arabic,
  ja: japanese,
}

/** The texts of scripts in the page's language. Loaded on demand; pages do not include them. */
export const islandTexts = (): IslandTexts => byLanguage[toLocale(document.documentElement.lang)]
