/** Bits per password in the Bloom filter. */
const positions = 20

/**
 * The bits of a password in the filter, below `size`. Derived from two 32-bit hashes, which is as good as
 * twenty separate ones.
 */
export function* computeBitPositions(password: string, size: number): Generator<number> {
  const text = new TextEncoder().encode(password)
  const [first, second] = [hashFrom(text, 0x811c9dc5), hashFrom(text, 0x9747b28c) | 1]
  for (let i = 0; i < positions; i += 1) yield ((first + Math.imul(i, second) + i * i * i) >>> 0) % size
}

/** FNV-1a with a given start value, and murmur3's finalizer so that short texts spread as well. */
function hashFrom(text: Uint8Array, start: number): number {
  let hash = start
  for (const byte of text) hash = Math.imul(hash ^ byte, 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

let filter: Uint8Array | undefined

/**
 * Whether a password is one of the 40,000 most common of at least ten characters in a published list of
 * stolen ones, ignoring case. It is a Bloom filter: no false negatives, and a false positive for one in a
 * million. The filter is loaded on first use.
 */
export async function isStolen(password: string): Promise<boolean> {
  if (!filter) {
    const { bits } = await import('./stolen-passwords-bits.ts')
    filter = Uint8Array.from(atob(bits), (character) => character.charCodeAt(0))
  }
  for (const at of computeBitPositions(password.toLowerCase(), filter.length * 8))
    if (!((filter[at >> 3] ?? 0) & (1 << (at & 7)))) return false
  return true
}
