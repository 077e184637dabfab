import { acceptedSecrets, isAccepted, type AuthSecrets } from '#functions/platform/auth-secrets.ts'
import type { Settings } from '#functions/context.ts'

/**
 * The session cookie, read and written without the auth library: it is read on every request, and the library
 * is 570 kB. The format is the library's (`token.signature`, HMAC-SHA256, base64); `cookie.test.ts` holds both
 * to each other.
 */
export const sessionDays = 30

/** The configured origin of the workspace. It decides what cookies are called; what a request says of its host does not. */
type Origin = Pick<Settings, 'scheme' | 'appHost'>
/** The origin, and the secrets that sign sessions. */
export type CookieSettings = Origin & AuthSecrets

const thisMachine = /^(?:(?:[a-z0-9-]+\.)*localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i

/**
 * True where cookies are `Secure` and their names begin with `__Host-`: everywhere but on plain http of this machine, where
 * WebKit keeps no such cookie and so nobody could sign in.
 */
export const isSecure = ({ scheme, appHost }: Origin): boolean =>
  scheme !== 'http' || !thisMachine.test(appHost)

/** The name and the attributes of a cookie that only the server reads and writes, and that no other host can set. */
export function hostCookie(name: string, origin: Origin): { name: string; attributes: string } {
  return isSecure(origin)
    ? { name: `__Host-${name}`, attributes: 'Path=/; HttpOnly; Secure; SameSite=Lax' }
    : { name, attributes: 'Path=/; HttpOnly; SameSite=Lax' }
}

/** What the session cookie is called. */
export const sessionCookieName = (origin: Origin): string => hostCookie('session', origin).name

const hmac = { name: 'HMAC', hash: 'SHA-256' }
const bytes = (text: string) => new TextEncoder().encode(text)
const keyOf = (secret: string) =>
  crypto.subtle.importKey('raw', bytes(secret), hmac, false, ['sign', 'verify'])

/** What the cookie is called of a browser whose password was right and whose second step is to come: it is no session. */
export const secondStepCookieName = (origin: Origin): string => hostCookie('second-step', origin).name

/** What the cookie is called by which a browser shows that a passkey was asked for in it. */
export const passkeyCookieName = (origin: Origin): string => hostCookie('passkey', origin).name

/**
 * The session token the request's cookie names (or the token of another signed cookie); null without one, with a bad
 * signature or if the cookie came twice. Signed by the present secret or the one before.
 */
export async function tokenFrom(
  headers: Headers,
  settings: CookieSettings,
  name = sessionCookieName(settings),
): Promise<string | null> {
  const sent = signedCookie(headers, name)
  return sent && (await isAccepted(settings, (secret) => isSignedBy(secret, sent))) ? sent.token : null
}

/** Whether a session cookie that was read is signed by the secret before: it has to be set again, to outlive that. */
export async function isToSignAnew(headers: Headers, settings: CookieSettings): Promise<boolean> {
  if (acceptedSecrets(settings).length === 1) return false
  const sent = signedCookie(headers, sessionCookieName(settings))
  return sent !== null && !(await isSignedBy(settings.authSecret, sent))
}

interface Signed {
  token: string
  signature: Uint8Array<ArrayBuffer>
}

function signedCookie(headers: Headers, name: string): Signed | null {
  const [only, second] = cookiesNamed(headers, name)
  if (only === undefined || second !== undefined) return null
  const value = decodeCookie(only)
  const dot = value.lastIndexOf('.')
  const [token, signature] = [value.slice(0, dot), fromBase64(value.slice(dot + 1))]
  return dot < 1 || !signature ? null : { token, signature }
}

const isSignedBy = async (secret: string, { token, signature }: Signed) =>
  crypto.subtle.verify(hmac, await keyOf(secret), signature, bytes(token))

/** The `set-cookie` text that keeps a browser signed in for another 30 days. */
export async function sessionCookie(token: string, settings: CookieSettings): Promise<string> {
  return setCookie('session', settings, await signedValue(token, settings), sessionDays * 86400)
}

/** A token as the value of a signed cookie, by the present secret. */
export async function signedValue(token: string, { authSecret }: AuthSecrets): Promise<string> {
  const signature = new Uint8Array(await crypto.subtle.sign(hmac, await keyOf(authSecret), bytes(token)))
  return encodeURIComponent(`${token}.${btoa(String.fromCharCode(...signature))}`)
}

/** The `set-cookie` text that signs a browser out. */
export const noSessionCookie = (origin: Origin): string => setCookie('session', origin, '', 0)

/** The `set-cookie` text for a browser that is done with the second step. */
export const noSecondStepCookie = (origin: Origin): string => setCookie('second-step', origin, '', 0)

/** The `set-cookie` text for a browser whose passkey was looked at. */
export const noPasskeyCookie = (origin: Origin): string => setCookie('passkey', origin, '', 0)

/** Longer than a link works: it may be asked for again. */
const signUpDays = 7

/** The `set-cookie` text by which a browser is known as the one that signed up: it confirms the address without the password. */
export const signUpCookie = (secret: string, origin: Origin): string =>
  setCookie('signup', origin, secret, signUpDays * 86400)

/** The `set-cookie` text for a browser whose sign-up is confirmed. */
export const noSignUpCookie = (origin: Origin): string => setCookie('signup', origin, '', 0)

/** The secret this browser was given when it signed up; null without one, or if the cookie came twice. */
export const signUpSecretFrom = (headers: Headers, origin: Origin): string | null =>
  secretFrom(headers, 'signup', origin)

/** The value of a cookie of ours; null without one, or if it came twice. */
export function secretFrom(headers: Headers, name: string, origin: Origin): string | null {
  const [only, second] = cookiesNamed(headers, hostCookie(name, origin).name)
  return only && second === undefined ? only : null
}

/** As long as browsers keep a cookie. */
export const deviceDays = 400

/** The `set-cookie` text by which a browser is known as one that someone has signed in from. */
export const deviceCookie = (secret: string, origin: Origin): string =>
  setCookie('device', origin, secret, deviceDays * 86400)

/** What this browser was given when someone signed in from it; null without one, or if the cookie came twice. */
export const deviceSecretFrom = (headers: Headers, origin: Origin): string | null =>
  secretFrom(headers, 'device', origin)

/** The `set-cookie` text of a cookie of ours: kept for some seconds, 0 takes it away. */
export function setCookie(name: string, origin: Origin, value: string, seconds: number): string {
  const cookie = hostCookie(name, origin)
  return `${cookie.name}=${value}; Max-Age=${seconds}; ${cookie.attributes}`
}

/** The values of a request's cookies of one name as they were sent, in their order. */
export function cookiesNamed(headers: Headers, name: string): string[] {
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1))
}

/** The value of a cookie as it was meant; '' where it is not well-formed. */
export function decodeCookie(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

/** 32 bytes from their base64; null for anything else. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9+/]{43}=$/.test(text)) return null
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}
