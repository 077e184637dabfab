import { allLanguages, splitLocale } from '#functions/engine/address/locales.ts'
import { escapeHtml } from '#functions/shapes/htmlText.ts'
import { languages } from '#functions/shapes/language/index.ts'
import { directionOf } from '#functions/shapes/locale.ts'

/**
 * A host that is nobody's: a page of its own in the language of the path, never cached. It says which host was asked for and nothing of
 * any other.
 */
export function unknownHost({ hostname, pathname }: URL): Response {
  const { locale } = splitLocale(pathname, allLanguages)
  const { title, text, advice } = languages[locale].frame.unknownHost
  const sentence = escapeHtml(text).replace('{host}', () => `<bdi>${escapeHtml(hostname)}</bdi>`)
  const body = `<!doctype html><html lang="${locale}" dir="${directionOf(locale)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"><title>${escapeHtml(title)}</title><style>${style}</style></head><body><main><p class="status" aria-hidden="true">404</p><h1>${escapeHtml(title)}</h1><p>${sentence}</p><p>${escapeHtml(advice)}</p></main></body></html>`
  return new Response(body, {
    status: 404,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
    },
  })
}

/** The colours and faces of hub pages, which this page cannot fetch: there is no hub that it could be of. */
const style =
  ':root{color-scheme:light dark;--text:#26252e;--muted:#5d5a66;--page:#fbfaf8;--line:#dcd8d0}' +
  '@media(prefers-color-scheme:dark){:root{--text:#eceaf0;--muted:#aeabb8;--page:#17161b;--line:#3a3843}}' +
  'body{margin:0;background:var(--page);color:var(--text);font:1.0625rem/1.6 system-ui,sans-serif}' +
  'main{max-width:36rem;margin:0 auto;padding:16vh 1.5rem 3rem}' +
  'h1{font:500 clamp(2rem,1.4rem + 3vw,3rem)/1.1 Georgia,serif;letter-spacing:-.02em;margin:0 0 1.25rem}' +
  'p{margin:0 0 .75rem;overflow-wrap:anywhere}p:last-child,.status{color:var(--muted)}bdi{font-weight:600}' +
  '.status{font-size:.875rem;padding-bottom:.5rem;border-bottom:1px solid var(--line);margin-bottom:1.5rem}'
