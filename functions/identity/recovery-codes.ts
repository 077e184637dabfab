import { hex } from '#functions/digest.ts'

/** Letters and digits that are not taken for each other when they are copied by hand. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
const amount = 10
const mark = 'hmac:'

/**
 * How the auth library makes and keeps recovery codes: ten of ten letters (49 bits each), of which only keyed hashes are
 * stored. `keepCode` is how a code is sent to the library to be looked for among them.
 */
export function recoveryCodes(secret: string) {
  return {
    customBackupCodesGenerate: () => Array.from({ length: amount }, randomCode),
    storeBackupCodes: {
      // The library hands over what it read as well, when one code is taken out: that is hashed already.
      encrypt: async (json: string) => {
        const codes = JSON.parse(json) as string[]
        const keep = async (code: string) => (code.startsWith(mark) ? code : keptCode(secret, code))
        return JSON.stringify(await Promise.all(codes.map(keep)))
      },
      decrypt: async (kept: string) => kept,
    },
  }
}

/** What is stored of a recovery code, however it was typed. */
export async function keptCode(secret: string, code: string): Promise<string> {
  const plain = code.toLowerCase().replace(/[^a-z0-9]/g, '')
  const bytes = new TextEncoder()
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', bytes.encode(secret), hmac, false, ['sign'])
  const signed = await crypto.subtle.sign(hmac, key, bytes.encode(`recovery code ${plain}`))
  return mark + hex(new Uint8Array(signed))
}

/** `abcde-fghjk`. Bytes that would make some letters likelier than others are thrown away. */
function randomCode(): string {
  let code = ''
  while (code.length < 10) {
    const fit = [...crypto.getRandomValues(new Uint8Array(16))].filter((byte) => byte < 248)
    code += fit.map((byte) => letters[byte % letters.length] ?? '').join('')
  }
  return `${code.slice(0, 5)}-${code.slice(5, 10)}`
}
