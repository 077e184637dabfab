import type { AppLoadContext, EntryContext } from '@remix-run/cloudflare'
import { RemixServer } from '@remix-run/react'
import { isbot } from 'isbot'
import { renderToReadableStream } from 'react-dom/server'
import { NonceContext } from './components/nonce.ts'

/**
 * The document of a live answer. Hub pages wait until they are complete, since they are stored; the workspace
 * streams to people and waits for robots.
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
  if (isHub || isbot(request.headers.get('user-agent') ?? '')) await body.allReady
  headers.set('content-type', 'text/html; charset=utf-8')
  if (!isHub) {
    const isDevelopment = import.meta.env.DEV
    const uploads = ctx.settings.r2 ? new URL(ctx.settings.r2.endpoint).origin : ''
    headers.set('content-security-policy', workspaceSecurity(nonce, uploads, isDevelopment))
    headers.set('cache-control', 'private, no-store')
    headers.set('x-content-type-options', 'nosniff')
    headers.set('referrer-policy', 'same-origin')
  }
  return new Response(body, { headers, status })
}

/**
 * Scripts only with this answer's nonce; styles may be inline, since editors and popovers place themselves. Files are sent
 * straight to the bucket where it has an address (`uploads`; '' without one).
 */
function workspaceSecurity(nonce: string, uploads: string, isDevelopment: boolean): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob: https:",
    "font-src 'self'",
    `connect-src 'self'${uploads && ` ${uploads}`}${isDevelopment ? ' ws:' : ''}`,
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ')
}
