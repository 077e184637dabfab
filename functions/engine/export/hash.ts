const k = roots(64, 1 / 3)
const initial = roots(8, 1 / 2)

/** The first 32 bits of the fractional parts of roots of the first primes, which are the constants of the standard. */
function roots(count: number, power: number): Uint32Array {
  const rows: number[] = []
  for (let n = 2; rows.length < count; n++) {
    let isPrime = true
    for (let d = 2; d * d <= n; d++) if (n % d === 0) isPrime = false
    if (!isPrime) continue
    const root = n ** power
    rows.push(((root - Math.floor(root)) * 2 ** 32) >>> 0)
  }
  return Uint32Array.from(rows)
}

/** Incremental SHA-256 (FIPS 180-4): the platform's digest needs all bytes at once. */
export class Sha256 {
  private readonly state = Uint32Array.from(initial)
  private readonly words = new Uint32Array(64)
  private readonly block = new Uint8Array(64)
  private fillCount = 0
  /** Bytes so far. */
  length = 0

  update(bytes: Uint8Array): this {
    this.length += bytes.length
    let at = 0
    if (this.fillCount > 0) {
      at = Math.min(64 - this.fillCount, bytes.length)
      this.block.set(bytes.subarray(0, at), this.fillCount)
      this.fillCount += at
      if (this.fillCount < 64) return this
      this.compress(this.block, 0)
      this.fillCount = 0
    }
    for (; at + 64 <= bytes.length; at += 64) this.compress(bytes, at)
    this.block.set(bytes.subarray(at))
    this.fillCount = bytes.length - at
    return this
  }

  /** The hash: 32 bytes. Ends it. */
  digest(): Uint8Array {
    const { length } = this
    const padding = new Uint8Array(((119 - (length % 64)) % 64) + 9)
    padding[0] = 0x80
    const view = new DataView(padding.buffer)
    view.setUint32(padding.length - 8, Math.floor(length / 2 ** 29))
    view.setUint32(padding.length - 4, (length * 8) >>> 0)
    this.update(padding)
    const hash = new DataView(new ArrayBuffer(32))
    this.state.forEach((word, i) => hash.setUint32(i * 4, word))
    return new Uint8Array(hash.buffer)
  }

  private compress(bytes: Uint8Array, at: number): void {
    const { words: w, state } = this
    for (let i = 0, j = at; i < 16; i++, j += 4)
      w[i] = (bytes[j]! << 24) | (bytes[j + 1]! << 16) | (bytes[j + 2]! << 8) | bytes[j + 3]!
    for (let i = 16; i < 64; i++) {
      const x = w[i - 15]!
      const y = w[i - 2]!
      const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)
      const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10)
      w[i] = w[i - 16]! + s0 + w[i - 7]! + s1
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
    for (let i = 0; i < 64; i++) {
      const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + k[i]! + w[i]!) | 0
      const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
      h = g
      g = f
      f = e
      e = (d + t1) | 0
      d = c
      c = b
      b = a
      a = (t1 + t2) | 0
    }
    const next = [a, b, c, d, e, f, g, h]
    for (let i = 0; i < 8; i++) state[i] = state[i]! + next[i]!
  }
}
