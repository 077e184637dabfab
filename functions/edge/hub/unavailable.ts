import { languages } from '#functions/shapes/language/index.ts'
import { directionOf } from '#functions/shapes/locale.ts'
import { allLanguages, splitLocale, type Locale } from '#functions/engine/address/locales.ts'

const headers = { 'cache-control': 'no-store', 'retry-after': '10', 'x-content-type-options': 'nosniff' }

/** 503 as a page by itself: in both themes, without a script or another file. */
export function unavailablePage(
  locale: Locale,
  { title, text }: { title: string; text: string },
  isHead = false,
): Response {
  const body = `<!doctype html><html lang="${locale}" dir="${directionOf(locale)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>${title}</title><style>${style}</style></head><body><main><h1>${title}</h1><p>${text}</p></main></body></html>`
  const type = { 'content-type': 'text/html; charset=utf-8' }
  return new Response(isHead ? null : body, { status: 503, headers: { ...type, ...headers } })
}

/** 503 as a sentence, for what is no page. */
export function unavailableText(text: string, isHead = false): Response {
  const type = { 'content-type': 'text/plain; charset=utf-8' }
  return new Response(isHead ? null : `${text}\n`, { status: 503, headers: { ...type, ...headers } })
}

/** A path that ends in a name with an ending, or names a kind of file, is of a file. */
const isFile = (pathname: string) => /\.\w{1,8}$/.test(pathname) || /^\/(?:f|m|e|t|a|s)\//.test(pathname)

/** The answer while the storage cannot be read and memory has nothing: 503 as a page, as JSON of `/v1`, or as a sentence. */
export function storageUnavailable(request: Request): Response {
  const { pathname } = new URL(request.url)
  const { locale } = splitLocale(pathname, allLanguages)
  const isHead = request.method === 'HEAD'
  if (pathname === '/v1' || pathname.startsWith('/v1/')) return unavailableJson(isHead)
  if (isFile(pathname)) return unavailableText(languages.en.edge.unreadable.text, isHead)
  return unavailablePage(locale, languages[locale].edge.unreadable, isHead)
}

function unavailableJson(isHead: boolean): Response {
  const message = 'The storage does not answer at the moment.'
  const error = { status: 503, kind: 'unavailable', message, fields: [] }
  const body = JSON.stringify({ error, fields: [], requestId: crypto.randomUUID() })
  const more = { 'content-type': 'application/json', 'access-control-allow-origin': '*' }
  return new Response(isHead ? null : body, { status: 503, headers: { ...headers, ...more } })
}

const style =
  ':root{color-scheme:light dark}body{margin:0;font:1.0625rem/1.6 system-ui,sans-serif}main{max-width:34rem;margin:0 auto;padding:20vh 1.5rem 2rem}h1{font-size:1.75rem;line-height:1.2;margin:0 0 .75rem}p{margin:0}'
