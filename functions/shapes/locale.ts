import { facts as arabic } from './language/ar/facts.ts'
import { facts as german } from './language/de/facts.ts'
import { facts as english } from './language/en/facts.ts'
import { facts as spanish } from './language/es/facts.ts'
import type { LanguageFacts } from './language/facts.ts'
import { facts as french } from './language/fr/facts.ts'
import { facts as japanese } from './language/ja/facts.ts'

/** The languages in display order, the default first. Their texts are in `language/`. */
const list = [english, spanish, french, german, arabic, japanese] as const

/** A language of hub pages. */
export type Locale = (typeof list)[number]['code']

/** The languages of hub pages, the default first. */
export const locales: readonly (LanguageFacts & { code: Locale })[] = list

/** The language of the workspace, and the fallback for unsupported ones. */
export const defaultLocale: Locale = 'en'

/** The languages of a hub in order; the first is the default, without a path prefix. */
export type HubLanguages = readonly [Locale, ...Locale[]]

/** All languages in default order: those of a hub without a choice. */
export const allLanguages = locales.map(({ code }) => code) as unknown as HubLanguages

/** The languages of a hub from the stored value; all if empty, unknown ones dropped. */
export function toHubLanguages(storedLanguages: readonly string[] | null | undefined): HubLanguages {
  const [own, ...others] = new Set(
    (storedLanguages ?? []).flatMap((tag) => locales.find(({ code }) => code === tag)?.code ?? []),
  )
  return own === undefined ? allLanguages : [own, ...others]
}

/** The language of a BCP 47 tag (`en-GB` and `ar-u-nu-latn` are `en` and `ar`); English if unsupported. */
export function toLocale(tag: string): Locale {
  const language = tag.split('-')[0]?.toLowerCase()
  return locales.find(({ code }) => code === language)?.code ?? defaultLocale
}

/** The writing direction of a tag, for the `dir` of the html element. */
export function getTextDirection(tag: string): 'ltr' | 'rtl' {
  return locales.find(({ code }) => code === toLocale(tag))?.direction ?? 'ltr'
}

/** The locale for numbers and dates of a language: Arabic with Latin digits. */
export function formatTag(locale: Locale): string {
  return locales.find(({ code }) => code === locale)?.formatTag ?? locale
}
