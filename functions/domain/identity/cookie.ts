import { acceptedSecrets, isAccepted, type AuthSecrets } from '#functions/platform/auth-secrets.ts'
import type { Settings } from '#functions/context.ts'
import { decodePercents } from '#functions/shapes/percent-encoding.ts'

/**
 * Reads and writes the session cookie without the auth library, which is 570 kB, because it is read on every
 * request. The format is the library's (`token.signature`, HMAC-SHA256, base64); `cookie.test.ts` compares
 * both.
 */
export const sessionDays = 30

/**
 * The configured origin of the workspace, which determines the names of cookies (the request's host does
 * not).
 */
type Origin = Pick<Settings, 'scheme' | 'appHost'>
/** The origin, and the secrets that sign sessions. */
export type CookieSettings = Origin & AuthSecrets

const thisMachine = /^(?:(?:[a-z0-9-]+\.)*localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i

/**
 * Whether cookies are `Secure` with the prefix `__Host-`: everywhere but on plain http of this machine, where
 * WebKit rejects such cookies, so that nobody could sign in.
 */
export const isSecure = ({ scheme, appHost }: Origin): boolean =>
  scheme !== 'http' || !thisMachine.test(appHost)

/**
 * The name and attributes of a cookie that only the server reads and writes, and that no other host can set.
 */
export function hostCookie(name: string, origin: Origin): { name: string; attributes: string } {
  return isSecure(origin)
    ? { name: `__Host-${name}`, attributes: 'Path=/; HttpOnly; Secure; SameSite=Lax' }
    : { name, attributes: 'Path=/; HttpOnly; SameSite=Lax' }
}

/** The name of the session cookie. */
export const sessionCookieName = (origin: Origin): string => hostCookie('session', origin).name

const hmac = { name: 'HMAC', hash: 'SHA-256' }
const bytes = (text: string) => new TextEncoder().encode(text)
const importHmacKey = (secret: string) =>
  crypto.subtle.importKey('raw', bytes(secret), hmac, false, ['sign', 'verify'])

/** The name of the cookie between password and second factor, which is no session. */
export const secondStepCookieName = (origin: Origin): string => hostCookie('second-step', origin).name

/** The name of the cookie that ties a passkey challenge to a browser. */
export const passkeyCookieName = (origin: Origin): string => hostCookie('passkey', origin).name

/**
 * The session token in the request's cookie (or that of another signed cookie); null without one, with an
 * invalid signature, or if the cookie was sent twice. Accepts signatures by the current and the previous
 * secret.
 */
export async function tokenFrom(
  headers: Headers,
  settings: CookieSettings,
  name = sessionCookieName(settings),
): Promise<string | null> {
  const cookie = findSignedCookie(headers, name)
  return cookie && (await isAccepted(settings, (secret) => isSignedBy(secret, cookie))) ? cookie.token : null
}

/**
 * Whether the session cookie is signed by the previous secret, and so has to be set again before that is
 * dropped.
 */
export async function isToSignAnew(headers: Headers, settings: CookieSettings): Promise<boolean> {
  if (acceptedSecrets(settings).length === 1) return false
  const cookie = findSignedCookie(headers, sessionCookieName(settings))
  return cookie !== null && !(await isSignedBy(settings.authSecret, cookie))
}

interface SignedToken {
  token: string
  signature: Uint8Array<ArrayBuffer>
}

function findSignedCookie(headers: Headers, name: string): SignedToken | null {
  const [only, second] = cookiesNamed(headers, name)
  if (only === undefined || second !== undefined) return null
  const value = decodeCookie(only)
  const dot = value.lastIndexOf('.')
  const [token, signature] = [value.slice(0, dot), fromBase64(value.slice(dot + 1))]
  return dot < 1 || !signature ? null : { token, signature }
}

const isSignedBy = async (secret: string, { token, signature }: SignedToken) =>
  crypto.subtle.verify(hmac, await importHmacKey(secret), signature, bytes(token))

/** The `set-cookie` value that keeps a browser signed in for another 30 days. */
export async function sessionCookie(token: string, settings: CookieSettings): Promise<string> {
  return setCookie('session', settings, await signCookieValue(token, settings), sessionDays * 86400)
}

/** A token as the value of a cookie signed with the current secret. */
export async function signCookieValue(token: string, { authSecret }: AuthSecrets): Promise<string> {
  const signature = new Uint8Array(
    await crypto.subtle.sign(hmac, await importHmacKey(authSecret), bytes(token)),
  )
  return encodeURIComponent(`${token}.${btoa(String.fromCharCode(...signature))}`)
}

/** The `set-cookie` value that signs a browser out. */
export const clearSessionCookie = (origin: Origin): string => setCookie('session', origin, '', 0)

/** The `set-cookie` value that deletes the cookie between password and second factor. */
export const clearSecondStepCookie = (origin: Origin): string => setCookie('second-step', origin, '', 0)

/** The `set-cookie` value that deletes the cookie of a passkey challenge. */
export const clearPasskeyCookie = (origin: Origin): string => setCookie('passkey', origin, '', 0)

/** Longer than a confirmation link is valid, because it can be sent again. */
const signUpDays = 7

/**
 * The `set-cookie` value that marks the browser that signed up: it confirms the address without the password.
 */
export const signUpCookie = (secret: string, origin: Origin): string =>
  setCookie('signup', origin, secret, signUpDays * 86400)

/** The `set-cookie` value that deletes the sign-up cookie. */
export const clearSignUpCookie = (origin: Origin): string => setCookie('signup', origin, '', 0)

/** The secret of the sign-up cookie; null without one, or if the cookie was sent twice. */
export const signUpSecretFrom = (headers: Headers, origin: Origin): string | null =>
  secretFrom(headers, 'signup', origin)

/** The value of one of our cookies; null without one, or if it was sent twice. */
export function secretFrom(headers: Headers, name: string, origin: Origin): string | null {
  const [only, second] = cookiesNamed(headers, hostCookie(name, origin).name)
  return only && second === undefined ? only : null
}

/** The longest that browsers store a cookie. */
export const deviceDays = 400

/** The `set-cookie` value that marks a browser from which someone has signed in. */
export const deviceCookie = (secret: string, origin: Origin): string =>
  setCookie('device', origin, secret, deviceDays * 86400)

/** The secret of the device cookie; null without one, or if the cookie was sent twice. */
export const deviceSecretFrom = (headers: Headers, origin: Origin): string | null =>
  secretFrom(headers, 'device', origin)

/** The `set-cookie` value of one of our cookies, stored for some seconds; 0 deletes it. */
export function setCookie(name: string, origin: Origin, value: string, seconds: number): string {
  const cookie = hostCookie(name, origin)
  return `${cookie.name}=${value}; Max-Age=${seconds}; ${cookie.attributes}`
}

/** The raw values of all cookies with this name in a request, in their order. */
export function cookiesNamed(headers: Headers, name: string): string[] {
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1))
}

/** The decoded value of a cookie; '' where it is not well-formed. */
export const decodeCookie = (text: string): string => decodePercents(text) ?? ''

/** 32 bytes from their base64; null for anything else. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9+/]{43}=$/.test(text)) return null
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}
