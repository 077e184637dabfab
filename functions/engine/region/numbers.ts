/** A growing list of 32-bit integers in a typed array. */
export class Integers {
  #values = new Int32Array(1024)
  length = 0

  push(value: number): void {
    if (this.length === this.#values.length) {
      const values = new Int32Array(2 * this.length)
      values.set(this.#values)
      this.#values = values
    }
    this.#values[this.length++] = value
  }

  set(index: number, value: number): void {
    this.#values[index] = value
  }

  at(index: number): number {
    return this.#values[index] as number
  }

  /** The values so far, which later ones do not change. */
  all(): Int32Array {
    return this.#values.slice(0, this.length)
  }
}
