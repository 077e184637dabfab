import { facts as arabic } from './language/ar/facts.ts'
import { facts as german } from './language/de/facts.ts'
import { facts as english } from './language/en/facts.ts'
import { facts as spanish } from './language/es/facts.ts'
import type { LanguageFacts } from './language/facts.ts'
import { facts as french } from './language/fr/facts.ts'
import { facts as japanese } from './language/ja/facts.ts'

/** The languages in the order they are offered, the default first. Their words stand in `language/`. */
const list = [english, spanish, french, german, arabic, japanese] as const

/** A language that the pages of hubs exist in. */
export type Locale = (typeof list)[number]['code']

/** The languages of a hub's pages, the default first. */
export const locales: readonly (LanguageFacts & { code: Locale })[] = list

/** The language of the workspace, and of what is asked for in a language that hubs do not speak. */
export const defaultLocale: Locale = 'en'

/** The languages of a hub in their order; the first is its own, whose paths have no prefix. */
export type HubLanguages = readonly [Locale, ...Locale[]]

/** All languages, as the product offers them: those of a hub that chose none. */
export const allLanguages = locales.map(({ code }) => code) as unknown as HubLanguages

/** The languages that a hub has stored; all of them where it has none, and without what is no language any more. */
export function hubLanguagesOf(storedLanguages: readonly string[] | null | undefined): HubLanguages {
  const [own, ...others] = new Set(
    (storedLanguages ?? []).flatMap((tag) => locales.find(({ code }) => code === tag)?.code ?? []),
  )
  return own === undefined ? allLanguages : [own, ...others]
}

/** The language of a BCP 47 tag (`en-GB` and `ar-u-nu-latn` are `en` and `ar`); English where a hub does not speak it. */
export function localeOf(tag: string): Locale {
  const language = tag.split('-')[0]?.toLowerCase()
  return locales.find(({ code }) => code === language)?.code ?? defaultLocale
}

/** The writing direction of a tag, for the `dir` of the html element. */
export function directionOf(tag: string): 'ltr' | 'rtl' {
  return locales.find(({ code }) => code === localeOf(tag))?.direction ?? 'ltr'
}

/** The tag that numbers and dates of a language are written by: Arabic is written with Latin digits. */
export function formatTag(locale: Locale): string {
  return locales.find(({ code }) => code === locale)?.formatTag ?? locale
}
