import { acceptedSecrets, computeKeyId, type AuthSecrets } from '#functions/platform/auth-secrets.ts'

const version = 'v2'
/** The format of older values, which do not name their secret. */
const versionWithoutMark = 'v1'
const ivBytes = 12

/** The purpose and the row that an encrypted value is bound to: it cannot be decrypted for any other. */
export interface EncryptedFor {
  purpose: 'importer' | 'observer' | 'recoveryCodes' | 'sso' | 'ssoCookie'
  id: string
}

/**
 * Encrypts a text with AES-256-GCM, with a key derived from the product's secret by HKDF, so that the database alone
 * does not reveal it. The same text never gives the same ciphertext, and a ciphertext that is moved to another row
 * cannot be decrypted there. Always uses the current secret; the ciphertext begins with its `secretMark`. Every column
 * with such values needs an entry in `functions/domain/secrets/columns.ts`: otherwise they could not be decrypted once
 * the secret is replaced.
 */
export async function encrypt(secrets: AuthSecrets, of: EncryptedFor, text: string): Promise<string> {
  const secret = secrets.authSecret
  const iv = crypto.getRandomValues(new Uint8Array(ivBytes))
  const bytes = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData: boundTo(of) },
    await deriveEncryptionKey(secret, of),
    new TextEncoder().encode(text),
  )
  const all = new Uint8Array([...iv, ...new Uint8Array(bytes)])
  return `${await secretMark(secret)}${btoa(Array.from(all, (byte) => String.fromCharCode(byte)).join(''))}`
}

/** The prefix of all ciphertexts of a secret. */
export async function secretMark(secret: string): Promise<string> {
  return `${version}.${await computeKeyId(secret)}.`
}

/**
 * The decrypted text, by the present secret or the one before; null when it cannot be decrypted: changed, of another row,
 * or encrypted with a secret that is neither.
 */
export async function decrypt(
  secrets: AuthSecrets,
  of: EncryptedFor,
  ciphertext: string,
): Promise<string | null> {
  for (const secret of acceptedSecrets(secrets)) {
    const [body, ...more] = await bodyFor(secret, ciphertext)
    const text = body === undefined || more.length > 0 ? null : await openSources(secret, of, body)
    if (text !== null) return text
  }
  return null
}

/** The parts of a ciphertext after the mark of a secret; empty where it has the mark of another. */
async function bodyFor(secret: string, ciphertext: string): Promise<string[]> {
  const mark = [await secretMark(secret), `${versionWithoutMark}.`].find((each) =>
    ciphertext.startsWith(each),
  )
  return mark === undefined ? [] : ciphertext.slice(mark.length).split('.')
}

async function openSources(secret: string, of: EncryptedFor, body: string): Promise<string | null> {
  try {
    const all = Uint8Array.from(atob(body), (character) => character.charCodeAt(0))
    const [iv, bytes] = [all.slice(0, ivBytes), all.slice(ivBytes)]
    const algorithm = { name: 'AES-GCM', iv, additionalData: boundTo(of) }
    const text = await crypto.subtle.decrypt(algorithm, await deriveEncryptionKey(secret, of), bytes)
    return new TextDecoder().decode(text)
  } catch {
    return null
  }
}

const boundTo = ({ purpose, id }: EncryptedFor) => new TextEncoder().encode(`${purpose}:${id}`)

async function deriveEncryptionKey(secret: string, { purpose }: EncryptedFor): Promise<CryptoKey> {
  const encoder = new TextEncoder()
  const material = await crypto.subtle.importKey('raw', encoder.encode(secret), 'HKDF', false, ['deriveKey'])
  // The same as for older values, so that only their format has changed.
  const info = encoder.encode(`commonplace sealed ${versionWithoutMark} ${purpose}`)
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(32), info },
    material,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  )
}
