import type { Context } from '#functions/context.ts'
import { encrypt, decrypt } from '#functions/domain/secrets/encrypt.ts'
import { decodeCookie, secretFrom, setCookie } from '../cookie.ts'
import type { Attempt, ProviderIdentity } from './provider.ts'

/** Longest time at the provider, and for connecting an account after it, in minutes. */
const minutes = 10

/** A sign-in in progress, stored in the browser. */
interface StoredAttempt extends Attempt {
  placeId: string
  issuer: string
  redirectTo: string
  /** When the browser was redirected, in milliseconds since 1970. */
  at: number
}

/** An identity whose address has an account that is not connected yet. */
export interface PendingLink extends Pick<ProviderIdentity, 'issuer' | 'subject'> {
  placeId: string
  email: string
  at: number
}

/**
 * Stores the sign-in in an encrypted cookie. Nothing is stored on the server for those who never come back.
 */
export const storeAttempt = (ctx: Context, going: StoredAttempt) => storeCookie(ctx, 'sso', going)

/**
 * Reads the sign-in of this browser and deletes the cookie. Null: none, older than ten minutes, or the cookie
 * is not ours.
 */
export async function consumeAttempt(ctx: Context): Promise<StoredAttempt | null> {
  forget(ctx, 'sso')
  return read<StoredAttempt>(ctx, 'sso')
}

/** Stores in an encrypted cookie the identity that its owner may connect with their account. */
export const storePendingLink = (ctx: Context, waiting: PendingLink) => storeCookie(ctx, 'sso-link', waiting)

/** The identity that waits in this browser to be connected; null as with `consumeAttempt`. */
export const readPendingLink = (ctx: Context): Promise<PendingLink | null> =>
  read<PendingLink>(ctx, 'sso-link')

/** Deletes the cookie of the waiting identity. */
export const forgetWaiting = (ctx: Context): void => forget(ctx, 'sso-link')

type Name = 'sso' | 'sso-link'

async function storeCookie(ctx: Context, name: Name, what: object): Promise<void> {
  const cookieText = await encrypt(ctx.settings, { purpose: 'ssoCookie', id: name }, JSON.stringify(what))
  const cookie = setCookie(name, ctx.settings, encodeURIComponent(cookieText), minutes * 60)
  ctx.responseHeaders.append('set-cookie', cookie)
}

async function read<What extends { at: number }>(ctx: Context, name: Name): Promise<What | null> {
  const cookieText = secretFrom(ctx.request.headers, name, ctx.settings)
  if (cookieText === null) return null
  const text = await decrypt(ctx.settings, { purpose: 'ssoCookie', id: name }, decodeCookie(cookieText))
  if (text === null) return null
  const what = JSON.parse(text) as What
  // Browsers may keep a cookie beyond its Max-Age.
  return ctx.now().getTime() - what.at < minutes * 60_000 ? what : null
}

const forget = (ctx: Context, name: Name) =>
  ctx.responseHeaders.append('set-cookie', setCookie(name, ctx.settings, '', 0))
