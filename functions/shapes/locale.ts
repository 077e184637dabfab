/** A language that the pages of hubs exist in. */
export type Locale = 'en' | 'es' | 'fr' | 'ar'

/** The languages of a hub's pages, the default first: the name each gives itself, and how Open Graph writes it. */
export const locales: readonly {
  code: Locale
  name: string
  direction: 'ltr' | 'rtl'
  openGraph: string
}[] = [
  { code: 'en', name: 'English', direction: 'ltr', openGraph: 'en_US' },
  { code: 'es', name: 'Español', direction: 'ltr', openGraph: 'es_ES' },
  { code: 'fr', name: 'Français', direction: 'ltr', openGraph: 'fr_FR' },
  { code: 'ar', name: 'العربية', direction: 'rtl', openGraph: 'ar_AR' },
]

/** The language whose paths have no prefix. */
export const defaultLocale: Locale = 'en'

/** The language of a BCP 47 tag (`en-GB` and `ar-u-nu-latn` are `en` and `ar`); English where a hub does not speak it. */
export function localeOf(tag: string): Locale {
  const language = tag.split('-')[0]?.toLowerCase()
  return locales.find(({ code }) => code === language)?.code ?? defaultLocale
}

/** The writing direction of a tag, for the `dir` of the html element. */
export function directionOf(tag: string): 'ltr' | 'rtl' {
  return locales.find(({ code }) => code === localeOf(tag))?.direction ?? 'ltr'
}

/**
 * The tag that numbers and dates of a language are written by. Arabic is written with Latin digits: both kinds are read,
 * the text face has only these, and figures in charts, tables, files and programs then are the same ones.
 */
export function formatTag(locale: Locale): string {
  return locale === 'ar' ? 'ar-u-nu-latn' : locale
}
