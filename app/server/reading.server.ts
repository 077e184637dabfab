import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { v1 } from '#functions/v1/index.ts'
import type { Reading } from './figures/figure.server.ts'
import { hubLocale } from './hub-frame.server.ts'
import { load } from './load.server.ts'

/** How the page of the active place is written: its language, and "the place's own" time zone. */
export async function readingOf(args: LoaderFunctionArgs): Promise<Reading> {
  if (!args.context.ctx.placeId) return { locale: hubLocale, timeZone: 'UTC' }
  const { place } = await load(args, { place: v1.place.findById })
  return { locale: hubLocale, timeZone: place.timeZone }
}

/** A day as readers write it: 20 November 2026. */
export function day(date: Date | string, { locale, timeZone }: Reading): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone }).format(new Date(date))
}

/** A whole number with its separators. */
export function count(n: number, { locale }: Pick<Reading, 'locale'>): string {
  return new Intl.NumberFormat(locale).format(n)
}
