/** How many positions of the filter a password takes. */
const positions = 20

/**
 * Where a password stands in the filter: positions below `size`. Two 32-bit hashes of the text give all of them, which is as
 * good as twenty hashes of their own.
 */
export function* positionsOf(password: string, size: number): Generator<number> {
  const text = new TextEncoder().encode(password)
  const [first, second] = [hashFrom(text, 0x811c9dc5), hashFrom(text, 0x9747b28c) | 1]
  for (let i = 0; i < positions; i += 1) yield ((first + Math.imul(i, second) + i * i * i) >>> 0) % size
}

/** FNV-1a from a start of one's own, with the last mix of murmur3 so that short texts spread as well. */
function hashFrom(text: Uint8Array, start: number): number {
  let hash = start
  for (const byte of text) hash = Math.imul(hash ^ byte, 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

let filter: Uint8Array | undefined

/**
 * Whether a password is one of the 40,000 most common of at least ten characters in a published list of stolen ones; upper and lower
 * case alike. It is a Bloom filter: never wrong about one of the list, and about one in a million of all others. The filter is loaded when it is
 * first asked.
 */
export async function isStolen(password: string): Promise<boolean> {
  if (!filter) {
    const { bits } = await import('./stolen-passwords-bits.ts')
    filter = Uint8Array.from(atob(bits), (character) => character.charCodeAt(0))
  }
  for (const at of positionsOf(password.toLowerCase(), filter.length * 8))
    if (!((filter[at >> 3] ?? 0) & (1 << (at & 7)))) return false
  return true
}
