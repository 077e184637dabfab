/**
 * The session cookie, read and written without the auth library: it is read on every request, and the library
 * is 570 kB. The format is the library's (`token.signature`, HMAC-SHA256, base64); `cookie.test.ts` holds both
 * to each other.
 */
export const cookieName = '__Host-session'
export const sessionDays = 30

const hmac = { name: 'HMAC', hash: 'SHA-256' }
const bytes = (text: string) => new TextEncoder().encode(text)
const keyOf = (secret: string) =>
  crypto.subtle.importKey('raw', bytes(secret), hmac, false, ['sign', 'verify'])

/** Of a browser whose password was right and whose second step is to come: it is no session. */
export const secondStepCookieName = '__Host-second-step'

/**
 * The session token the request's cookie names (or the token of another signed cookie); null without one, with a bad
 * signature or if the cookie came twice.
 */
export async function tokenFrom(headers: Headers, secret: string, name = cookieName): Promise<string | null> {
  const [only, second] = cookiesNamed(headers, name)
  if (only === undefined || second !== undefined) return null
  const value = decoded(only)
  const dot = value.lastIndexOf('.')
  const [token, signature] = [value.slice(0, dot), fromBase64(value.slice(dot + 1))]
  if (dot < 1 || !signature) return null
  return (await crypto.subtle.verify(hmac, await keyOf(secret), signature, bytes(token))) ? token : null
}

/** The `set-cookie` text that keeps a browser signed in for another 30 days. */
export async function sessionCookie(token: string, secret: string): Promise<string> {
  const signature = new Uint8Array(await crypto.subtle.sign(hmac, await keyOf(secret), bytes(token)))
  const value = encodeURIComponent(`${token}.${btoa(String.fromCharCode(...signature))}`)
  return `${cookieName}=${value}; Max-Age=${sessionDays * 86400}; ${attributes}`
}

/** The `set-cookie` text that signs a browser out. */
export const noSessionCookie = (): string => `${cookieName}=; Max-Age=0; ${attributes}`

/** The `set-cookie` text for a browser that is done with the second step. */
export const noSecondStepCookie = (): string => `${secondStepCookieName}=; Max-Age=0; ${attributes}`

/** The secret of the browser that signed up: it confirms the address without the password. */
const signUpCookieName = '__Host-signup'
/** Longer than a link works: it may be asked for again. */
const signUpDays = 7

/** The `set-cookie` text by which a browser is known as the one that signed up. */
export const signUpCookie = (secret: string): string =>
  `${signUpCookieName}=${secret}; Max-Age=${signUpDays * 86400}; ${attributes}`

/** The `set-cookie` text for a browser whose sign-up is confirmed. */
export const noSignUpCookie = (): string => `${signUpCookieName}=; Max-Age=0; ${attributes}`

/** The secret this browser was given when it signed up; null without one, or if the cookie came twice. */
export function signUpSecretFrom(headers: Headers): string | null {
  const [only, second] = cookiesNamed(headers, signUpCookieName)
  return only && second === undefined ? only : null
}

/** Of cookies that only the server reads and writes, and that no other host can set. */
export const attributes = 'Path=/; HttpOnly; Secure; SameSite=Lax'

/** The values of a request's cookies of one name as they were sent, in their order. */
export function cookiesNamed(headers: Headers, name: string): string[] {
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1))
}

/** The value of a cookie as it was meant; '' where it is not well-formed. */
export function decoded(text: string): string {
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
