import { allLanguages, type HubLanguages, type Locale } from '#functions/shapes/locale.ts'

export { allLanguages, type HubLanguages, type Locale }

/**
 * Splits a path of a hub into its language and the path of the page: with English and Spanish, `/es/domains` is
 * `/domains` in `es`, and `/es` is `/`. Paths without a prefix are in the hub's own language. `isExplicit`: the path has
 * a prefix.
 */
export function splitLocale(
  path: string,
  languages: HubLanguages,
): { locale: Locale; path: string; isExplicit: boolean } {
  const [, first] = path.split('/', 2)
  const match = languages.find((code) => code === first)
  if (!match) return { locale: languages[0], path, isExplicit: false }
  return { locale: match, path: path.slice(match.length + 1) || '/', isExplicit: true }
}

/** The path prefix of a language on a hub: '' for the hub's own, otherwise such as `/es`. */
export function localeBase(locale: Locale, languages: HubLanguages): string {
  return locale === languages[0] ? '' : `/${locale}`
}

/**
 * The path of a page in a language of a hub: `/domains` in `es` is `/es/domains`, `/` is `/es`; unchanged in the hub's
 * own language.
 */
export function localePath(locale: Locale, path: string, languages: HubLanguages): string {
  const base = localeBase(locale, languages)
  return path === '/' ? base || '/' : base + path
}
