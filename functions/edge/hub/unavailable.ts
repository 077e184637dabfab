import { languages } from '#functions/shapes/language/index.ts'
import { escapeHtml } from '#functions/shapes/html-text.ts'
import { allLanguages, splitLocale, type Locale } from '#functions/engine/address/locales.ts'
import { errorJson, errorPage } from './error-answers.ts'

const retrySoon = { 'retry-after': '10' }

/** Why a hub has no answer now: its texts in `EdgeTexts`. */
type UnavailableReason = 'preparing' | 'unreadable' | 'updating'

/** 503 as an HTML page. */
export function unavailablePage(locale: Locale, reason: UnavailableReason, isHead = false): Response {
  const { title, text } = languages[locale].edge[reason]
  const body = `<p>${escapeHtml(text)}</p>`
  return errorPage({ status: 503, locale, title, body }, retrySoon, isHead)
}

/** 503 as plain text in English, for requests of anything but pages. */
export function unavailableText(reason: UnavailableReason, isHead = false): Response {
  return new Response(isHead ? null : `${languages.en.edge[reason].text}\n`, {
    status: 503,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...retrySoon,
    },
  })
}

/** Whether a path is of a file: by its extension, or by a prefix that only files have. */
const isFile = (pathname: string) => /\.\w{1,8}$/.test(pathname) || /^\/(?:f|m|e|t|a|s)\//.test(pathname)

/** The 503 while the storage cannot be read and nothing is in memory: a page, an error of `/v1`, or plain text, by the path. */
export function storageUnavailable(request: Request): Response {
  const { pathname } = new URL(request.url)
  const { locale } = splitLocale(pathname, allLanguages)
  const isHead = request.method === 'HEAD'
  if (pathname === '/v1' || pathname.startsWith('/v1/')) {
    const message = 'The storage does not answer at the moment.'
    return errorJson({ status: 503, kind: 'unavailable', message }, retrySoon, isHead)
  }
  if (isFile(pathname)) return unavailableText('unreadable', isHead)
  return unavailablePage(locale, 'unreadable', isHead)
}
