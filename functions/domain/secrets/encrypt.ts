import { acceptedSecrets, keyIdOf, type AuthSecrets } from '#functions/platform/auth-secrets.ts'

const version = 'v2'
/** Texts of before: they do not say by which secret they are sealed. */
const versionWithoutMark = 'v1'
const ivBytes = 12

/** What a sealed text is for and of which row it is: it opens for nothing else. */
export interface EncryptedFor {
  purpose: 'importer' | 'observer' | 'recoveryCodes' | 'sso' | 'ssoCookie'
  id: string
}

/**
 * Encrypts a text so that the database alone does not give it away (AES-256-GCM, the key made of the product's secret
 * by HKDF). The same text sealed twice looks different. A sealed text moved to another row does not open there. It is always
 * the present secret, and the text begins with `secretMark` of it. A column of a table that keeps such texts has its line in
 * `functions/domain/secrets/columns.ts`: else it would not open any more once the secret is replaced.
 */
export async function encrypt(secrets: AuthSecrets, of: EncryptedFor, text: string): Promise<string> {
  const secret = secrets.authSecret
  const iv = crypto.getRandomValues(new Uint8Array(ivBytes))
  const bytes = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData: boundTo(of) },
    await keyOf(secret, of),
    new TextEncoder().encode(text),
  )
  const all = new Uint8Array([...iv, ...new Uint8Array(bytes)])
  return `${await secretMark(secret)}${btoa(Array.from(all, (byte) => String.fromCharCode(byte)).join(''))}`
}

/** How texts begin that are sealed with a secret. */
export async function secretMark(secret: string): Promise<string> {
  return `${version}.${await keyIdOf(secret)}.`
}

/**
 * The text that was sealed, with the present secret or the one before; null when it does not open: changed, of another row, or
 * sealed with a secret that is neither.
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

/** What stands behind the mark of a secret, at its dots; nothing where another secret is marked. */
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
    const text = await crypto.subtle.decrypt(algorithm, await keyOf(secret, of), bytes)
    return new TextDecoder().decode(text)
  } catch {
    return null
  }
}

const boundTo = ({ purpose, id }: EncryptedFor) => new TextEncoder().encode(`${purpose}:${id}`)

async function keyOf(secret: string, { purpose }: EncryptedFor): Promise<CryptoKey> {
  const encoder = new TextEncoder()
  const material = await crypto.subtle.importKey('raw', encoder.encode(secret), 'HKDF', false, ['deriveKey'])
  // The same as of texts of before: only what is written of the secret has changed.
  const info = encoder.encode(`commonplace sealed ${versionWithoutMark} ${purpose}`)
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(32), info },
    material,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  )
}
