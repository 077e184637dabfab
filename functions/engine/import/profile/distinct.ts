/** 2^14 registers: a standard error of 0.81 %. */
const bits = 14
const size = 1 << bits
const rankBits = 53 - bits
const high = 0x100000000
/** The number of values with the smallest hashes that are kept with their counts; up to twice as many in between. */
const sampleSize = 1024
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

export interface DistinctState {
  sample: [hash: number, count: number][]
  /** Hashes up to this one are in the sample; null: all. */
  limit: number | null
  /** A character a register; null while the sample has them all. */
  registers: string | null
}

/**
 * Counts distinct values by their hashes. Exact up to 2,048; beyond by HyperLogLog with Ertl's estimator (arXiv
 * 1702.01284, algorithm 6), which needs no correction tables. The values with the smallest hashes are counted exactly:
 * an unbiased sample of distinct values, which tells how many occur more than once.
 */
export class Distinct {
  private sample = new Map<number, number>()
  private limit = Infinity
  private registers: Uint8Array | null = null

  add(hash: number): void {
    if (this.registers) raise(this.registers, hash)
    if (hash > this.limit) return
    this.sample.set(hash, (this.sample.get(hash) ?? 0) + 1)
    if (this.sample.size > 2 * sampleSize) this.shrink()
  }

  /** Whether `count()` is exact. */
  get isExact(): boolean {
    return this.registers === null
  }

  count(): number {
    return this.registers ? Math.round(estimate(this.registers)) : this.sample.size
  }

  /** The number of distinct values with exact counts, and of those that occur more than once. */
  repeats(): { of: number; repeated: number } {
    const all = [...this.sample]
    const sample = this.isExact ? all : all.sort(([a], [b]) => a - b).slice(0, sampleSize)
    return { of: sample.length, repeated: sample.filter(([, count]) => count > 1).length }
  }

  /** Merges another counter. */
  merge(other: Distinct): void {
    if (other.registers || this.registers) {
      const all = (this.registers ??= buildRegisters(this.sample.keys()))
      for (const hash of other.sample.keys()) raise(all, hash)
      other.registers?.forEach((rank, index) => (all[index] = Math.max(all[index]!, rank)))
    }
    this.limit = Math.min(this.limit, other.limit)
    for (const [hash, count] of other.sample) this.sample.set(hash, (this.sample.get(hash) ?? 0) + count)
    for (const hash of this.sample.keys()) if (hash > this.limit) this.sample.delete(hash)
    if (this.sample.size > 2 * sampleSize) this.shrink()
  }

  toJSON(): DistinctState {
    const registers = this.registers && Array.from(this.registers, (rank) => digits[rank]).join('')
    return { sample: [...this.sample], limit: Number.isFinite(this.limit) ? this.limit : null, registers }
  }

  static from({ sample, limit, registers }: DistinctState): Distinct {
    const distinct = new Distinct()
    distinct.sample = new Map(sample)
    distinct.limit = limit ?? Infinity
    distinct.registers =
      registers === null ? null : Uint8Array.from(registers, (digit) => digits.indexOf(digit))
    return distinct
  }

  private shrink(): void {
    this.registers ??= buildRegisters(this.sample.keys())
    const hashes = [...this.sample.keys()].sort((a, b) => a - b)
    this.limit = hashes[sampleSize - 1]!
    for (const hash of hashes.slice(sampleSize)) this.sample.delete(hash)
  }
}

function buildRegisters(hashes: Iterable<number>): Uint8Array {
  const registers = new Uint8Array(size)
  for (const hash of hashes) raise(registers, hash)
  return registers
}

/** The low bits select the register, the others give the rank: leading zeros plus one. */
function raise(registers: Uint8Array, hash: number): void {
  const low = hash >>> 0
  const top = (hash - low) / high
  const rank = top > 0 ? Math.clz32(top) - 10 : 22 + Math.clz32(low >>> bits) - bits
  const index = low & (size - 1)
  if (rank > registers[index]!) registers[index] = rank
}

function estimate(registers: Uint8Array): number {
  const counts = new Array<number>(rankBits + 2).fill(0)
  for (const rank of registers) counts[rank]! += 1
  let z = size * tau(1 - counts[rankBits + 1]! / size)
  for (let rank = rankBits; rank >= 1; rank -= 1) z = (z + counts[rank]!) / 2
  z += size * sigma(counts[0]! / size)
  return (size * size) / (2 * Math.LN2 * z)
}

function sigma(x: number): number {
  if (x === 1) return Infinity
  let [power, weight, sum, before] = [x, 1, x, Number.NaN]
  while (sum !== before) {
    power *= power
    before = sum
    sum += power * weight
    weight += weight
  }
  return sum
}

function tau(x: number): number {
  if (x === 0 || x === 1) return 0
  let [root, weight, sum, before] = [x, 1, 1 - x, Number.NaN]
  while (sum !== before) {
    root = Math.sqrt(root)
    before = sum
    weight /= 2
    sum -= (1 - root) ** 2 * weight
  }
  return sum / 3
}
