import { allLanguages, splitLocale } from '#functions/engine/address/locales.ts'
import { escapeHtml } from '#functions/shapes/html-text.ts'
import { languages } from '#functions/shapes/language/index.ts'
import { errorPage } from './error-answers.ts'

/**
 * The 404 page of a host that no place has, in the language of the path. It names the requested host and reveals nothing of any other.
 */
export function serveUnknownHost({ hostname, pathname }: URL): Response {
  const { locale } = splitLocale(pathname, allLanguages)
  const { title, text, advice } = languages[locale].frame.unknownHost
  const sentence = escapeHtml(text).replace('{host}', () => `<bdi>${escapeHtml(hostname)}</bdi>`)
  const body = `<p>${sentence}</p><p>${escapeHtml(advice)}</p>`
  return errorPage({ status: 404, locale, title, body })
}
