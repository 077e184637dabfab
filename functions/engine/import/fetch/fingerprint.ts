const blockBytes = 256 * 1024

/**
 * A fingerprint that tells whether bytes read again are the same: a digest of each 256 kB block, and the remaining
 * bytes. 32 bytes per block, 128 kB for 1 GB. (WebCrypto has no incremental digest.)
 */
export class Fingerprint {
  readonly #digests: Promise<ArrayBuffer>[] = []
  #rest = new Uint8Array(0)
  #filled = 0

  add(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      if (!this.#rest.length) this.#rest = new Uint8Array(blockBytes)
      const part = bytes.subarray(at, at + blockBytes - this.#filled)
      this.#rest.set(part, this.#filled)
      this.#filled += part.length
      at += part.length
      if (this.#filled < blockBytes) continue
      // It copies its input before it returns, and runs concurrently.
      this.#digests.push(crypto.subtle.digest('SHA-256', this.#rest))
      this.#filled = 0
    }
  }

  /** Whether another fingerprint is of the same bytes. */
  async equals(other: Fingerprint): Promise<boolean> {
    if (this.#digests.length !== other.#digests.length) return false
    for (const at of this.#digests.keys()) if (!(await this.#isSameBlock(other, at))) return false
    return isSame(this.#rest.subarray(0, this.#filled), other.#rest.subarray(0, other.#filled))
  }

  /** Whether the last complete block is equal, to stop early when it is not. True when there is none. */
  async agrees(other: Fingerprint): Promise<boolean> {
    const last = this.#digests.length - 1
    return last < 0 || this.#isSameBlock(other, last)
  }

  async #isSameBlock(other: Fingerprint, at: number): Promise<boolean> {
    const [a, b] = [await this.#digests[at], await other.#digests[at]]
    return a !== undefined && b !== undefined && isSame(new Uint8Array(a), new Uint8Array(b))
  }
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return b.length === a.length && a.every((byte, i) => byte === b[i])
}
