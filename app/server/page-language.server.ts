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
import { dateFormat } from '#app/components/list/date-format.ts'
import { load } from './load.server.ts'
import { getDateLocale } from './reader.server.ts'

/** The language of a page: on a hub that of the URL; English in the workspace. */
export function getPageLanguage({ site }: Pick<Context, 'site'>): Locale {
  return site.mode === 'hub' ? site.locale : defaultLocale
}

/** The languages of the current hub, its own first. */
export function getSiteLanguages({ site }: Pick<Context, 'site'>): HubLanguages {
  return site.mode === 'hub' ? site.languages : allLanguages
}

/**
 * A function that prefixes paths with the page's language: `/domains` is `/es/domains` on a Spanish page of an English hub; for ''
 * only the prefix.
 */
export function hubPathBuilder(ctx: Pick<Context, 'site'>): (path: string) => string {
  const locale = getPageLanguage(ctx)
  const languages = getSiteLanguages(ctx)
  return (path) => (path === '' ? localeBase(locale, languages) : localePath(locale, path, languages))
}

/** The locale of the page, the time zone of the active place, and in the workspace the reader's locale for dates. */
export async function loadReaderSettings(args: LoaderFunctionArgs): Promise<ReaderSettings> {
  const { ctx } = args.context
  const locale = formatTag(getPageLanguage(ctx))
  const readerLocale = ctx.site.mode === 'hub' ? {} : { dateLocale: getDateLocale(args.request) }
  if (!ctx.placeId) return { locale, timeZone: 'UTC', ...readerLocale }
  const { place } = await load(args, { place: v1.place.findById })
  return { locale, timeZone: place.timeZone, ...readerLocale }
}

/** `loadReaderSettings` as a visitor of the hub has them: for previews, which show what is published. */
export async function loadVisitorSettings(args: LoaderFunctionArgs): Promise<ReaderSettings> {
  const { locale, timeZone } = await loadReaderSettings(args)
  return { locale, timeZone }
}

/** Formats a date: 20 November 2026. */
export function day(date: Date | string, { locale, timeZone, dateLocale }: ReaderSettings): string {
  return dateFormat('full', dateLocale ?? locale, timeZone).format(new Date(date))
}

/** Formats a whole number with separators. */
export function count(n: number, { locale }: Pick<ReaderSettings, 'locale'>): string {
  return new Intl.NumberFormat(locale).format(n)
}
