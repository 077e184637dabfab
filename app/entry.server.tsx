import type { AppLoadContext, EntryContext } from '@remix-run/cloudflare'
import { RemixServer } from '@remix-run/react'
import { renderToReadableStream } from 'react-dom/server'
import { hubStyles, laterNames } from 'virtual:hub-css'
import { NonceContext } from './components/nonce.ts'
import { hubCss } from './server/hub-css.server.ts'
import { languageAttributes, markLanguages } from './server/mark-language.server.ts'
import { untranslatedIn } from './server/untranslated.server.ts'
import { leanCss, type LaterNames } from './theme/lean-css.ts'
import { findFilledPage } from '#functions/engine/table/page.ts'
import { searchPath } from '#functions/engine/address/urls.ts'
import { workspacePolicy } from '#functions/shapes/page-policy.ts'

/** The styles of a hub's page; null in development. */
const styles = hubCss === null || hubStyles === null ? null : { all: hubCss, of: leanCss(hubStyles) }

/**
 * The document of a live answer, complete: its loaders have run before, so only the scripts of lazily loaded parts are waited
 * for.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remix: EntryContext,
  { ctx, nonce }: AppLoadContext,
) {
  const isHub = ctx.site.mode === 'hub'
  const body = await renderToReadableStream(
    <NonceContext.Provider value={isHub ? undefined : nonce}>
      <RemixServer context={remix} url={request.url} nonce={isHub ? undefined : nonce} />
    </NonceContext.Provider>,
    {
      signal: request.signal,
      nonce: isHub ? undefined : nonce,
      onError(error: unknown) {
        if (request.signal.aborted) return
        ctx.report(error, { requestId: ctx.request.id, during: 'render' })
        status = 500
      },
    },
  )
  await body.allReady
  headers.set('content-type', 'text/html; charset=utf-8')
  if (!isHub) {
    const isDevelopment = import.meta.env.DEV
    const uploads = ctx.settings.r2 ? new URL(ctx.settings.r2.endpoint).origin : ''
    headers.set('content-security-policy', workspacePolicy(nonce, uploads, isDevelopment))
    headers.set('cache-control', 'private, no-store')
    headers.set('x-content-type-options', 'nosniff')
    // The address of a link from an email is the power it gives: nothing is told of it, not even to ourselves.
    const isSecret = new URL(request.url).searchParams.has('token')
    headers.set('referrer-policy', isSecret ? 'no-referrer' : 'same-origin')
  }
  // Pages of results and of records are filled later with what is not in them now.
  const url = new URL(request.url)
  const templateName = url.pathname === searchPath ? 'search' : findFilledPage(url)
  const attributes = languageAttributes(ctx.site)
  const isLean = isHub && styles !== null
  if (!isLean && attributes === '') return new Response(body, { headers, status })
  const text = await new Response(body).text()
  const marked =
    templateName && attributes === '' ? text : markLanguages(text, untranslatedIn(ctx), attributes)
  const later = templateName ? laterNames?.[templateName] : undefined
  const html = isLean ? withLeanStyles(marked, styles, drawingsIn(ctx), later) : marked
  return new Response(html, { headers, status })
}

/** The drawings that the document refers to. */
const drawingsIn = ({ attachments }: AppLoadContext['ctx']): string[] =>
  [...attachments.values()].flatMap(({ type, body }) => (type === 'image/svg+xml' ? [body] : []))

/** The document with only those of its styles that it can use: they are a third of what a phone waits for. */
function withLeanStyles(
  html: string,
  { all, of }: NonNullable<typeof styles>,
  drawings: string[],
  later?: LaterNames,
): string {
  const [before, after] = html.split(all, 2)
  if (before === undefined || after === undefined) return html
  return before + of(before + after, drawings, later) + after
}
