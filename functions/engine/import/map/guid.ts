/** The namespace of ids made from the values of a row; any fixed UUID. It must never change: ids would be different. */
const namespace = '6f1c9a52-3d84-5c0b-9e27-b1f0a4d8c6e3'

/**
 * A version 5 UUID (RFC 9562, 5.5): deterministic for a text. Implemented here, because the platform's SHA-1 is
 * asynchronous, and this runs for each row.
 */
export function toGuid(text: string): string {
  const name = new TextEncoder().encode(text)
  const bytes = new Uint8Array(16 + name.length)
  bytes.set(namespaceBytes)
  bytes.set(name, 16)
  const hash = sha1(bytes)
  hash[1] = (hash[1]! & 0xffff0fff) | 0x5000
  hash[2] = (hash[2]! & 0x3fffffff) | 0x80000000
  const [a, b, c, d] = [...hash.slice(0, 4)].map((word) => word.toString(16).padStart(8, '0')) as [
    string,
    string,
    string,
    string,
  ]
  return `${a}-${b.slice(0, 4)}-${b.slice(4)}-${c.slice(0, 4)}-${c.slice(4)}${d}`
}

const namespaceBytes = Uint8Array.from(namespace.replaceAll('-', '').match(/../g) ?? [], (pair) =>
  Number.parseInt(pair, 16),
)

/** SHA-1 (FIPS 180-4, 6.1) as five words. For ids only, not for security. */
function sha1(message: Uint8Array): Uint32Array {
  const length = ((message.length + 8) >> 6) * 64 + 64
  const padded = new Uint8Array(length)
  padded.set(message)
  padded[message.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(length - 8, Math.floor(message.length / 0x20000000))
  view.setUint32(length - 4, message.length << 3)
  const hash = new Uint32Array([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0])
  const words = new Uint32Array(80)
  for (let block = 0; block < length; block += 64) round(hash, words, view, block)
  return hash
}

const rotateLeft = (word: number, by: number) => (word << by) | (word >>> (32 - by))

function round(hash: Uint32Array, words: Uint32Array, view: DataView, block: number): void {
  for (let i = 0; i < 16; i += 1) words[i] = view.getUint32(block + i * 4)
  for (let i = 16; i < 80; i += 1)
    words[i] = rotateLeft(words[i - 3]! ^ words[i - 8]! ^ words[i - 14]! ^ words[i - 16]!, 1)
  let [a = 0, b = 0, c = 0, d = 0, e = 0] = hash
  for (let i = 0; i < 80; i += 1) {
    const next = (rotateLeft(a, 5) + mix(i, b, c, d) + e + constants[Math.floor(i / 20)]! + words[i]!) | 0
    e = d
    d = c
    c = rotateLeft(b, 30)
    b = a
    a = next
  }
  const ends = [a, b, c, d, e]
  for (let i = 0; i < 5; i += 1) hash[i] = (hash[i]! + ends[i]!) | 0
}

const constants = [0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6]

function mix(i: number, b: number, c: number, d: number): number {
  if (i < 20) return (b & c) | (~b & d)
  return i < 40 || i >= 60 ? b ^ c ^ d : (b & c) | (b & d) | (c & d)
}
