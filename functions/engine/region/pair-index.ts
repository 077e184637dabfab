/** Numbers pairs of 32-bit integers from 0, in the order of their first use, in typed arrays. */
export class PairIndex {
  #slots: Int32Array
  #pairs: Int32Array
  size = 0

  constructor(expected = 1024) {
    const slots = 2 ** Math.ceil(Math.log2(Math.max(16, 2 * expected)))
    this.#slots = new Int32Array(slots)
    this.#pairs = new Int32Array(slots)
  }

  /** The number of a pair; the next free one for a new pair. */
  assignNumber(a: number, b: number): number {
    if (2 * this.size >= this.#slots.length) this.#grow()
    const slot = this.#findSlot(a, b)
    const slotValue = this.#slots[slot] as number
    if (slotValue > 0) return slotValue - 1
    this.#pairs[2 * this.size] = a
    this.#pairs[2 * this.size + 1] = b
    this.#slots[slot] = ++this.size
    return this.size - 1
  }

  /** Both numbers of a pair that has a number. */
  getPair(number: number): [a: number, b: number] {
    return [this.#pairs[2 * number] as number, this.#pairs[2 * number + 1] as number]
  }

  /** Where a pair is, or would be. */
  #findSlot(a: number, b: number): number {
    const mask = this.#slots.length - 1
    let hash = Math.imul(a ^ (a >>> 15), 0x2c1b3c6d) ^ Math.imul(b ^ (b >>> 13), 0x297a2d39)
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
    for (let slot = (hash ^ (hash >>> 13)) & mask; ; slot = (slot + 1) & mask) {
      const index = (this.#slots[slot] as number) - 1
      if (index < 0 || (this.#pairs[2 * index] === a && this.#pairs[2 * index + 1] === b)) return slot
    }
  }

  #grow(): void {
    const pairs = this.#pairs
    this.#slots = new Int32Array(2 * this.#slots.length)
    this.#pairs = new Int32Array(this.#slots.length)
    this.#pairs.set(pairs)
    for (let number = 0; number < this.size; number++)
      this.#slots[this.#findSlot(pairs[2 * number] as number, pairs[2 * number + 1] as number)] = number + 1
  }
}
