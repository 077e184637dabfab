import { defaultLocale, locales, type Locale } from '#functions/shapes/locale.ts'

export { defaultLocale, locales, type Locale }

/**
 * The language that a path asks for and the path of the page in it: `/es/domains` is `/domains` in `es`, `/es` is `/`.
 * What begins with no language is the default one's. `isExplicit`: the path names its language.
 */
export function splitLocale(path: string): { locale: Locale; path: string; isExplicit: boolean } {
  const [, first] = path.split('/', 2)
  const named = locales.find(({ code }) => code === first)
  if (!named) return { locale: defaultLocale, path, isExplicit: false }
  return { locale: named.code, path: path.slice(named.code.length + 1) || '/', isExplicit: true }
}

/** The prefix of a language's paths: '' for the default one, else `/es`. */
export function localeBase(locale: Locale): string {
  return locale === defaultLocale ? '' : `/${locale}`
}

/** The path of a page in a language: `/domains` in `es` is `/es/domains`, `/` is `/es`. */
export function localePath(locale: Locale, path: string): string {
  return path === '/' ? localeBase(locale) || '/' : localeBase(locale) + path
}
