import type { Context } from '#functions/context.ts'
import { encrypt, decrypt } from '#functions/domain/secrets/encrypt.ts'
import { decodeCookie, secretFrom, setCookie } from '../cookie.ts'
import type { Attempt, Identified } from './provider.ts'

/** How long one may take at the provider, and to connect an account after it. */
const minutes = 10

/** What a browser is on the way with. */
interface Going extends Attempt {
  placeId: string
  issuer: string
  redirectTo: string
  /** When it was sent off, in milliseconds since 1970. */
  at: number
}

/** Who a browser came back as whose address has an account that is not connected yet. */
export interface Waiting extends Pick<Identified, 'issuer' | 'subject'> {
  placeId: string
  email: string
  at: number
}

/** Remembers in this browser, sealed, where it was sent to. Nothing is kept of those who never come back. */
export const keepAttempt = (ctx: Context, going: Going) => keep(ctx, 'sso', going)

/** Where this browser was sent, once: the cookie goes. Null: nowhere, more than ten minutes ago, or the cookie is not ours. */
export async function takeAttempt(ctx: Context): Promise<Going | null> {
  forget(ctx, 'sso')
  return read<Going>(ctx, 'sso')
}

/** Remembers in this browser, sealed, what its owner may connect with their account. */
export const keepWaiting = (ctx: Context, waiting: Waiting) => keep(ctx, 'sso-link', waiting)

/** What waits in this browser to be connected; null as with `takeAttempt`. */
export const waitingIn = (ctx: Context): Promise<Waiting | null> => read<Waiting>(ctx, 'sso-link')

/** Nothing waits any more. */
export const forgetWaiting = (ctx: Context): void => forget(ctx, 'sso-link')

type Name = 'sso' | 'sso-link'

async function keep(ctx: Context, name: Name, what: object): Promise<void> {
  const encrypted = await encrypt(ctx.settings, { purpose: 'ssoCookie', id: name }, JSON.stringify(what))
  const cookie = setCookie(name, ctx.settings, encodeURIComponent(encrypted), minutes * 60)
  ctx.responseHeaders.append('set-cookie', cookie)
}

async function read<What extends { at: number }>(ctx: Context, name: Name): Promise<What | null> {
  const encrypted = secretFrom(ctx.request.headers, name, ctx.settings)
  if (encrypted === null) return null
  const text = await decrypt(ctx.settings, { purpose: 'ssoCookie', id: name }, decodeCookie(encrypted))
  if (text === null) return null
  const what = JSON.parse(text) as What
  // A browser may keep a cookie for longer than it was told to.
  return ctx.now().getTime() - what.at < minutes * 60_000 ? what : null
}

const forget = (ctx: Context, name: Name) =>
  ctx.responseHeaders.append('set-cookie', setCookie(name, ctx.settings, '', 0))
