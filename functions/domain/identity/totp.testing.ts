import { createHmac } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The code that an authenticator app shows for a key (base32), at a moment in milliseconds: RFC 6238, six digits, 30 s. */
export function codeAt(key: string, at: number): string {
  const bits = [...key].map((character) => alphabet.indexOf(character).toString(2).padStart(5, '0')).join('')
  const bytes = bits.match(/.{8}/g)?.map((byte) => parseInt(byte, 2)) ?? []
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(at / 30_000)))
  const digest = createHmac('sha1', Buffer.from(bytes)).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 15
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/**
 * The current code and the next one. Both are accepted until the end of the next half-minute, whenever a test began; the
 * code of the half-minute before could expire between its creation and its check.
 */
export function computeCodePair(key: string, now = Date.now()): { code: string; next: string } {
  return { code: codeAt(key, now), next: codeAt(key, now + 30_000) }
}
