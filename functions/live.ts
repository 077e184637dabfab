import { createRequestHandler, type ServerBuild } from '@remix-run/cloudflare'
import type { Context } from './context.ts'

declare module '@remix-run/cloudflare' {
  interface AppLoadContext {
    ctx: Context
    /** For the Content-Security-Policy of a live answer. */
    nonce: string
  }
}

// Vite gives the build under this name; TypeScript has no file for it.
const loadBuild = () => import('virtual:remix/server-build') as Promise<ServerBuild>

/** A page of the workspace or a live hub page, by Remix. Loaded only by requests that need a framework. */
export async function renderLive(request: Request, ctx: Context): Promise<Response> {
  const build = await loadBuild()
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))
  const response = await createRequestHandler(build, build.mode)(request, { ctx, nonce })
  const answer = new Response(response.body, response)
  for (const cookie of ctx.responseHeaders.getSetCookie()) answer.headers.append('set-cookie', cookie)
  return answer
}
