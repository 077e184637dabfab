import { splitLocale } from '#functions/engine/address/locales.ts'
import { escapeHtml } from '#functions/shapes/html-text.ts'
import { languages } from '#functions/shapes/language/index.ts'
import { toHubLanguages } from '#functions/shapes/locale.ts'
import { errorJson, errorPage } from './error-answers.ts'
import type { ClosedHost } from './snapshot.ts'

/**
 * The 410 page of a host whose organization was closed, in the language of the path, else of the hub: for pages, files and tiles alike, so
 * that search engines forget them. `/v1` answers as for what is not there.
 */
export function serveClosedHost(request: Request, closure: ClosedHost): Response {
  const { hostname, pathname } = new URL(request.url)
  const isHead = request.method === 'HEAD'
  if (pathname === '/v1' || pathname.startsWith('/v1/'))
    return errorJson({ status: 404, kind: 'notFound', message: 'Not Found' }, {}, isHead)
  const { locale } = splitLocale(pathname, toHubLanguages(closure.languages))
  const { title, text, advice } = languages[locale].frame.closedHost
  const sentence = escapeHtml(text).replace('{host}', () => `<bdi>${escapeHtml(hostname)}</bdi>`)
  const body = `<p>${sentence}</p><p>${escapeHtml(advice)}</p>`
  return errorPage({ status: 410, locale, title, body }, {}, isHead)
}
