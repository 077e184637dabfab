import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { cookiesNamed, decodeCookie, hostCookie, setCookie } from '#functions/domain/identity/cookie.ts'
import { safeRedirect } from '#functions/domain/identity/redirect.ts'
import { redirectTarget } from '#app/server/session.server.ts'

type Args = Pick<LoaderFunctionArgs, 'request' | 'context'>

const redirectName = 'go-on'
const emailName = 'signed-up-email'
/** The lifetime of the link in a confirmation email. */
const seconds = 24 * 60 * 60

/** The value of a cookie of this browser; undefined without one. */
function readCookie({ request, context }: Args, cookie: string): string | undefined {
  const [value] = cookiesNamed(request.headers, hostCookie(cookie, context.ctx.settings).name)
  return value === undefined ? undefined : decodeCookie(value)
}

/** Stores a cookie in this browser for as long as the link in a confirmation email works; '' removes it. */
function writeCookie({ context }: Args, cookie: string, value: string): void {
  const { responseHeaders, settings } = context.ctx
  const maxAge = value === '' ? 0 : seconds
  responseHeaders.append('set-cookie', setCookie(cookie, settings, encodeURIComponent(value), maxAge))
}

/** Remembers the requested page in this browser, as the link in the confirmation email lacks it. */
export function rememberRedirect(args: Args): void {
  const to = redirectTarget(args)
  writeCookie(args, redirectName, to === '/' ? '' : to)
}

/** The redirect after confirmation: `redirectTo` in the URL, else the remembered page, which is then cleared. */
export function consumeRedirect(args: Args): string {
  const target = redirectTarget(args)
  const storedTarget = readCookie(args, redirectName)
  if (storedTarget === undefined) return target
  writeCookie(args, redirectName, '')
  return target === '/' ? safeRedirect(storedTarget) : target
}

/** Remembers in this browser which address a person signed up with, to say where the email went and to offer another. */
export const rememberEmail = (args: Args, email: string): void => writeCookie(args, emailName, email)

/** The address that was signed up with in this browser; '' where none is remembered. */
export const rememberedEmail = (args: Args): string => readCookie(args, emailName) ?? ''

/** Removes the remembered address once it is confirmed. */
export function forgetEmail(args: Args): void {
  if (readCookie(args, emailName) !== undefined) writeCookie(args, emailName, '')
}
