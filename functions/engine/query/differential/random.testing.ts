/** A seeded pseudo-random generator (mulberry32). */
export class Random {
  private state: number

  constructor(seed: number) {
    this.state = seed >>> 0
  }

  /** From 0 up to, and not with, 1. */
  unit(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let mixed = this.state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** An integer from 0 to below `below`. */
  below(below: number): number {
    return Math.floor(this.unit() * below)
  }

  chance(of: number): boolean {
    return this.unit() < of
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)] as T
  }

  /** A random number of items, each generated separately. */
  some<T>(least: number, most: number, make: () => T): T[] {
    return Array.from({ length: least + this.below(most - least + 1) }, make)
  }
}
