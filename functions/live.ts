import { createRequestHandler, type ServerBuild } from '@remix-run/cloudflare'
import { readGrants } from './access/grants.ts'
import type { Context } from './context.ts'
import { splitLocale } from './site/locales.ts'

declare module '@remix-run/cloudflare' {
  interface AppLoadContext {
    ctx: Context
    /** For the Content-Security-Policy of a live answer. */
    nonce: string
  }
}

// Vite gives the build under this name; TypeScript has no file for it.
const loadBuild = () => import('virtual:remix/server-build') as Promise<ServerBuild>

/**
 * A page of the workspace or a live hub page, by Remix. Loaded only by requests that need a framework. The prefix of a
 * hub page's language ends here: routes know only paths without it, and read the language from the site.
 */
export async function renderLive(asked: Request, given: Context): Promise<Response> {
  const { request, ctx } =
    given.site.mode === 'hub' ? inLanguage(asked, given) : { request: asked, ctx: given }
  const [build] = await Promise.all([loadBuild(), readGrants(ctx)])
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))
  const response = await createRequestHandler(build, build.mode)(request, { ctx, nonce })
  const answer = new Response(response.body, response)
  for (const cookie of ctx.responseHeaders.getSetCookie()) answer.headers.append('set-cookie', cookie)
  return answer
}

function inLanguage(asked: Request, given: Context): { request: Request; ctx: Context } {
  const url = new URL(asked.url)
  const { locale, path } = splitLocale(url.pathname)
  url.pathname = path
  const site = { ...given.site, locale } as Context['site']
  return { request: new Request(url, asked), ctx: { ...given, site } }
}
