import { isAccepted, type AuthSecrets } from '#functions/platform/auth-secrets.ts'

/**
 * The purpose of a signature: uploading a file, reading a private file, unsubscribing from emails, sending an error
 * report, downloading an archive.
 */
type Use = 'upload' | 'read' | 'unsubscribe' | 'report' | 'archive'

/**
 * The signature of a URL, base64url: an HMAC of its purpose and all values it covers, in order. The secret signs nothing
 * else in this format, so a signature for one purpose is never valid for another.
 */
export async function signature(secret: string, use: Use, values: readonly string[]): Promise<string> {
  const signed = new Uint8Array(
    await crypto.subtle.sign('HMAC', await importSigningKey(secret), makeMessage(use, values)),
  )
  return btoa(String.fromCharCode(...signed))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}

/** True when the signature is ours, by the present secret or the one before, for exactly these values; compared in constant time. */
export async function isSigned(
  secrets: AuthSecrets,
  use: Use,
  values: readonly string[],
  value: string,
): Promise<boolean> {
  if (!/^[\w-]{43}$/.test(value)) return false
  const text = atob(value.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = Uint8Array.from(text, (char) => char.charCodeAt(0))
  return isAccepted(secrets, async (secret) =>
    crypto.subtle.verify('HMAC', await importSigningKey(secret), bytes, makeMessage(use, values)),
  )
}

function importSigningKey(secret: string): Promise<CryptoKey> {
  const bytes = new TextEncoder().encode(secret)
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])
}

/** As JSON no value can run into the next. */
function makeMessage(use: Use, values: readonly string[]): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(['commonplace/media/1', use, ...values]))
}
