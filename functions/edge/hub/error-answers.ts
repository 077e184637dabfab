import type { Issue } from '#functions/shapes/issue.ts'
import { escapeHtml } from '#functions/shapes/html-text.ts'
import { getTextDirection, type Locale } from '#functions/shapes/locale.ts'

/** What an error page says. `body` is HTML that the caller has escaped, `title` is plain text. */
interface ErrorPage {
  status: number
  locale: Locale
  title: string
  body: string
}

/**
 * An HTML page for an error, which loads nothing else: in light and dark, without scripts, never cached and not indexed. `isHead`: without
 * a body.
 */
export function errorPage(
  { status, locale, title, body }: ErrorPage,
  headers: Record<string, string> = {},
  isHead = false,
): Response {
  const heading = escapeHtml(title)
  const html = `<!doctype html><html lang="${locale}" dir="${getTextDirection(locale)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"><title>${heading}</title><style>${style}</style></head><body><main><p class="status" aria-hidden="true">${status}</p><h1>${heading}</h1>${body}</main></body></html>`
  return new Response(isHead ? null : html, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
  })
}

/** An error as `/v1` answers it, readable from any origin and never cached. `fields`: what was wrong and where. `isHead`: without a body. */
export function errorJson(
  { fields = [], ...error }: { status: number; kind: string; message: string; fields?: Issue[] },
  headers: Record<string, string> = {},
  isHead = false,
): Response {
  const body = { error: { ...error, fields }, fields, requestId: crypto.randomUUID() }
  return new Response(isHead ? null : JSON.stringify(body), {
    status: error.status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
  })
}

/** The colours and fonts of hub pages, whose style sheet cannot be loaded where there is no hub or no storage. */
const style =
  ':root{color-scheme:light dark;--text:#26252e;--muted:#5d5a66;--page:#fbfaf8;--line:#dcd8d0}' +
  '@media(prefers-color-scheme:dark){:root{--text:#eceaf0;--muted:#aeabb8;--page:#17161b;--line:#3a3843}}' +
  'body{margin:0;background:var(--page);color:var(--text);font:1.0625rem/1.6 system-ui,sans-serif}' +
  'main{max-width:36rem;margin:0 auto;padding:16vh 1.5rem 3rem}' +
  'h1{font:500 clamp(2rem,1.4rem + 3vw,3rem)/1.1 Georgia,serif;letter-spacing:-.02em;margin:0 0 1.25rem}' +
  'p{margin:0 0 .75rem;overflow-wrap:anywhere}p+p:last-child,.status{color:var(--muted)}bdi{font-weight:600}' +
  '.status{font-size:.875rem;padding-bottom:.5rem;border-bottom:1px solid var(--line);margin-bottom:1.5rem}'
