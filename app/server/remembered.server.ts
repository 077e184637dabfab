import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { attributes, cookiesNamed, decoded } from '#functions/identity/cookie.ts'
import { safeRedirect } from '#functions/identity/redirect.ts'
import { goOnTo } from './session.server.ts'

type Args = Pick<LoaderFunctionArgs, 'request' | 'context'>

const name = '__Host-go-on'
/** As long as the link of the letter that confirms an address. */
const seconds = 24 * 60 * 60

/** Keeps the page someone wanted in this browser: the letter that confirms an address leads back without it. */
export function remember(args: Args): void {
  const to = goOnTo(args)
  const kept = to === '/' ? `${name}=; Max-Age=0` : `${name}=${encodeURIComponent(to)}; Max-Age=${seconds}`
  args.context.ctx.responseHeaders.append('set-cookie', `${kept}; ${attributes}`)
}

/** Where to go on to once an address is confirmed: the page of the address, else the remembered one, which is then forgotten. */
export function takeRemembered(args: Args): string {
  const asked = goOnTo(args)
  const [kept] = cookiesNamed(args.request.headers, name)
  if (kept === undefined) return asked
  args.context.ctx.responseHeaders.append('set-cookie', `${name}=; Max-Age=0; ${attributes}`)
  return asked === '/' ? safeRedirect(decoded(kept)) : asked
}
