const version = 'v1'
const ivBytes = 12

/** What a sealed text is for and of which row it is: it opens for nothing else. */
export interface SealedFor {
  purpose: 'importer' | 'observer' | 'sso' | 'ssoCookie'
  id: string
}

/**
 * Encrypts a text so that the database alone does not give it away (AES-256-GCM, the key made of the product's secret
 * by HKDF). The same text sealed twice looks different. A sealed text moved to another row does not open there.
 */
export async function seal(secret: string, of: SealedFor, text: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(ivBytes))
  const bytes = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData: boundTo(of) },
    await keyOf(secret, of),
    new TextEncoder().encode(text),
  )
  const all = new Uint8Array([...iv, ...new Uint8Array(bytes)])
  return `${version}.${btoa(Array.from(all, (byte) => String.fromCharCode(byte)).join(''))}`
}

/** The text that was sealed; null when it does not open: changed, of another row, or sealed under another secret. */
export async function unseal(secret: string, of: SealedFor, sealed: string): Promise<string | null> {
  const [head, body] = sealed.split('.')
  if (head !== version || body === undefined) return null
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

const boundTo = ({ purpose, id }: SealedFor) => new TextEncoder().encode(`${purpose}:${id}`)

async function keyOf(secret: string, { purpose }: SealedFor): Promise<CryptoKey> {
  const encoder = new TextEncoder()
  const material = await crypto.subtle.importKey('raw', encoder.encode(secret), 'HKDF', false, ['deriveKey'])
  const info = encoder.encode(`commonplace sealed ${version} ${purpose}`)
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(32), info },
    material,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  )
}
