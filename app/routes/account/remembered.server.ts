import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { cookiesNamed, decodeCookie, hostCookie, setCookie } from '#functions/domain/identity/cookie.ts'
import { safeRedirect } from '#functions/domain/identity/redirect.ts'
import { redirectTarget } from '#app/server/session.server.ts'

type Args = Pick<LoaderFunctionArgs, 'request' | 'context'>

const name = 'go-on'
const emailName = 'signed-up-email'
/** The lifetime of the link in a confirmation email. */
const seconds = 24 * 60 * 60

/** Remembers the requested page in this browser, as the link in the confirmation email lacks it. */
export function rememberRedirect(args: Args): void {
  const to = redirectTarget(args)
  const { responseHeaders, settings } = args.context.ctx
  const [value, kept] = to === '/' ? ['', 0] : [encodeURIComponent(to), seconds]
  responseHeaders.append('set-cookie', setCookie(name, settings, value, kept))
}

/** The redirect after confirmation: `redirectTo` in the URL, else the remembered page, which is then cleared. */
export function takeRedirect(args: Args): string {
  const target = redirectTarget(args)
  const { responseHeaders, settings } = args.context.ctx
  const [kept] = cookiesNamed(args.request.headers, hostCookie(name, settings).name)
  if (kept === undefined) return target
  responseHeaders.append('set-cookie', setCookie(name, settings, '', 0))
  return target === '/' ? safeRedirect(decodeCookie(kept)) : target
}

/** Remembers in this browser which address a person signed up with, to say where the email went and to offer another. */
export function rememberEmail({ context }: Args, email: string): void {
  const { responseHeaders, settings } = context.ctx
  responseHeaders.append('set-cookie', setCookie(emailName, settings, encodeURIComponent(email), seconds))
}

/** The address that was signed up with in this browser; '' where none is remembered. */
export function rememberedEmail({ request, context }: Args): string {
  const [kept] = cookiesNamed(request.headers, hostCookie(emailName, context.ctx.settings).name)
  return kept === undefined ? '' : decodeCookie(kept)
}

/** Removes the remembered address once it is confirmed. */
export function forgetEmail({ request, context }: Args): void {
  const { responseHeaders, settings } = context.ctx
  if (cookiesNamed(request.headers, hostCookie(emailName, settings).name).length === 0) return
  responseHeaders.append('set-cookie', setCookie(emailName, settings, '', 0))
}
