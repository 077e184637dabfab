import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { cookiesNamed, decodeCookie, hostCookie, setCookie } from '#functions/domain/identity/cookie.ts'
import { safeRedirect } from '#functions/domain/identity/redirect.ts'
import { goOnTo } from '#app/server/session.server.ts'

type Args = Pick<LoaderFunctionArgs, 'request' | 'context'>

const name = 'go-on'
/** As long as the link of the letter that confirms an address. */
const seconds = 24 * 60 * 60

/** Keeps the page someone wanted in this browser: the letter that confirms an address leads back without it. */
export function remember(args: Args): void {
  const to = goOnTo(args)
  const { responseHeaders, settings } = args.context.ctx
  const [value, kept] = to === '/' ? ['', 0] : [encodeURIComponent(to), seconds]
  responseHeaders.append('set-cookie', setCookie(name, settings, value, kept))
}

/** Where to go on to once an address is confirmed: the page of the address, else the remembered one, which is then forgotten. */
export function takeRemembered(args: Args): string {
  const target = goOnTo(args)
  const { responseHeaders, settings } = args.context.ctx
  const [kept] = cookiesNamed(args.request.headers, hostCookie(name, settings).name)
  if (kept === undefined) return target
  responseHeaders.append('set-cookie', setCookie(name, settings, '', 0))
  return target === '/' ? safeRedirect(decodeCookie(kept)) : target
}
