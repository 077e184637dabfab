import { acceptedSecrets, type AuthSecrets } from '#functions/platform/auth-secrets.ts'
import { hex } from '#functions/platform/digest.ts'
import { encrypt, secretMark, decrypt } from '#functions/domain/secrets/encrypt.ts'
import { randomText } from './keys.ts'

/** Letters and digits that are not confused when copied by hand. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
const amount = 10
const hashMark = 'hmac:'
const keyMark = 'key:'
const of = { purpose: 'recoveryCodes', id: 'codes' } as const

/**
 * How the auth library creates and stores recovery codes: ten codes of ten letters (49 bits each). The stored
 * list has the encrypted key of this person's codes, and for each unused code its hash by that key. The key
 * is not the product's secret, because that gets replaced, and hashes cannot be recomputed without the codes.
 * `codeAsKept` converts a typed code to what the library looks up in the list.
 */
export function recoveryCodes(secrets: AuthSecrets) {
  return {
    customBackupCodesGenerate: () => Array.from({ length: amount }, randomCode),
    storeBackupCodes: {
      // When a code is taken out, the library passes the values that it read, which are hashed already.
      encrypt: async (json: string) => {
        const codes = JSON.parse(json) as string[]
        if (codes.length === 0 || codes.some(isKept)) return json
        const key = randomText()
        const hashes = codes.map((code) => hashOfCode(key, code))
        return JSON.stringify([await encryptKey(secrets, key), ...(await Promise.all(hashes))])
      },
      decrypt: async (text: string) => text,
    },
  }
}

/** Ten new codes, and their list as it is stored. */
export async function newRecoveryCodes(secrets: AuthSecrets): Promise<{ codes: string[]; stored: string }> {
  const { customBackupCodesGenerate, storeBackupCodes } = recoveryCodes(secrets)
  const codes = customBackupCodesGenerate()
  return { codes, stored: await storeBackupCodes.encrypt(JSON.stringify(codes)) }
}

/** The number of unused codes in a list. */
export const codesLeftIn = (storedCodes: string): number => parts(storedCodes).hashes.length

/**
 * The stored form of a typed recovery code; if it is not in the list, a value that is not either. Null:
 * neither secret decrypts the key of the list.
 */
export async function codeAsKept(
  secrets: AuthSecrets,
  storedCodes: string,
  code: string,
): Promise<string | null> {
  const { hashes } = parts(storedCodes)
  let value: string | null = null
  for (const key of await decryptKeys(secrets, storedCodes)) {
    value = await hashOfCode(key, code)
    if (hashes.includes(value)) break
  }
  return value
}

/**
 * A list of codes with its key encrypted by the current secret; null: neither secret decrypts it. Lists from
 * before 2026-11-23 have no key of their own: their hashes are by one of the secrets without saying which, so
 * they get both as keys.
 */
export async function encryptCodesAgain(secrets: AuthSecrets, storedCodes: string): Promise<string | null> {
  const keys = await decryptKeys(secrets, storedCodes)
  if (keys.length === 0) return null
  const encryptedKeys = await Promise.all(keys.map((key) => encryptKey(secrets, key)))
  return JSON.stringify([...encryptedKeys, ...parts(storedCodes).hashes])
}

/** The text that a stored list contains whose key is encrypted with this secret. */
export const codesMark = async (secret: string): Promise<string> => `"${keyMark}${await secretMark(secret)}`

async function decryptKeys(secrets: AuthSecrets, storedCodes: string): Promise<string[]> {
  const { keys } = parts(storedCodes)
  if (keys.length === 0) return acceptedSecrets(secrets)
  const plainKeys = await Promise.all(keys.map((key) => decrypt(secrets, of, key)))
  return plainKeys.filter((key) => key !== null)
}

function parts(storedCodes: string): { keys: string[]; hashes: string[] } {
  const all = JSON.parse(storedCodes) as string[]
  const keys = all.filter((part) => part.startsWith(keyMark)).map((part) => part.slice(keyMark.length))
  return { keys, hashes: all.filter((part) => part.startsWith(hashMark)) }
}

const isKept = (part: string) => part.startsWith(hashMark) || part.startsWith(keyMark)

const encryptKey = async (secrets: AuthSecrets, key: string) => keyMark + (await encrypt(secrets, of, key))

async function hashOfCode(key: string, code: string): Promise<string> {
  const plain = code.toLowerCase().replace(/[^a-z0-9]/g, '')
  const bytes = new TextEncoder()
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const cryptoKey = await crypto.subtle.importKey('raw', bytes.encode(key), hmac, false, ['sign'])
  const signature = await crypto.subtle.sign(hmac, cryptoKey, bytes.encode(`recovery code ${plain}`))
  return hashMark + hex(new Uint8Array(signature))
}

/** A code like `abcde-fghjk`. Bytes that would make some letters more likely are skipped. */
function randomCode(): string {
  let code = ''
  while (code.length < 10) {
    const fit = [...crypto.getRandomValues(new Uint8Array(16))].filter((byte) => byte < 248)
    code += fit.map((byte) => letters[byte % letters.length] ?? '').join('')
  }
  return `${code.slice(0, 5)}-${code.slice(5, 10)}`
}
