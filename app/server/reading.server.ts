import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { Context } from '#functions/context.ts'
import {
  allLanguages,
  defaultLocale,
  formatTag,
  type HubLanguages,
  type Locale,
} from '#functions/shapes/locale.ts'
import { localeBase, localePath } from '#functions/engine/address/locales.ts'
import { v1 } from '#functions/v1/index.ts'
import type { ReaderSettings } from './figures/figure.server.ts'
import { load } from './load.server.ts'

/** The language of a page: on a hub that of the URL; English in the workspace. */
export function languageOf({ site }: Pick<Context, 'site'>): Locale {
  return site.mode === 'hub' ? site.locale : defaultLocale
}

/** The languages of the current hub, its own first. */
export function languagesOf({ site }: Pick<Context, 'site'>): HubLanguages {
  return site.mode === 'hub' ? site.languages : allLanguages
}

/**
 * A function that prefixes paths with the page's language: `/domains` is `/es/domains` on a Spanish page of an English hub; for ''
 * only the prefix.
 */
export function hubPathBuilder(ctx: Pick<Context, 'site'>): (path: string) => string {
  const locale = languageOf(ctx)
  const languages = languagesOf(ctx)
  return (path) => (path === '' ? localeBase(locale, languages) : localePath(locale, path, languages))
}

/** The locale of the page, and the time zone of the active place. */
export async function readerSettingsOf(args: LoaderFunctionArgs): Promise<ReaderSettings> {
  const { ctx } = args.context
  const locale = formatTag(languageOf(ctx))
  if (!ctx.placeId) return { locale, timeZone: 'UTC' }
  const { place } = await load(args, { place: v1.place.findById })
  return { locale, timeZone: place.timeZone }
}

/** Formats a date: 20 November 2026. */
export function day(date: Date | string, { locale, timeZone }: ReaderSettings): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone }).format(new Date(date))
}

/** Formats a whole number with separators. */
export function count(n: number, { locale }: Pick<ReaderSettings, 'locale'>): string {
  return new Intl.NumberFormat(locale).format(n)
}
