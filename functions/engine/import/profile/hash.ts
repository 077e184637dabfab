const high = 0x100000000

/**
 * A 53-bit hash, as an integer: two rounds of 32 bits with constants of MurmurHash3's finalizer. For counting only, not
 * for security.
 */
export function hashText(text: string): number {
  let [a, b] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return high * (b & 0x1fffff) + (a >>> 0)
}
