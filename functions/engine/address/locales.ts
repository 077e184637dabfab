import { allLanguages, type HubLanguages, type Locale } from '#functions/shapes/locale.ts'

export { allLanguages, type HubLanguages, type Locale }

/**
 * The language that a path asks for and the path of the page in it: where a hub speaks English and Spanish, `/es/domains` is
 * `/domains` in `es`, `/es` is `/`. What begins with none of the hub's languages is its own one's. `isExplicit`: the path names its language.
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

/** The prefix of a language's paths on a hub: '' for the hub's own, else `/es`. */
export function localeBase(locale: Locale, languages: HubLanguages): string {
  return locale === languages[0] ? '' : `/${locale}`
}

/** The path of a page in a language of a hub: `/domains` in `es` is `/es/domains`, `/` is `/es`; as it is in the hub's own. */
export function localePath(locale: Locale, path: string, languages: HubLanguages): string {
  const base = localeBase(locale, languages)
  return path === '/' ? base || '/' : base + path
}
