import type { Entry } from './entry.ts'

/** What an entry takes beside its body and its name, roughly. */
const overhead = 1500

interface Held {
  entry: Entry
  bytes: number
}

/**
 * Answers in the memory of the isolate, the least lately used ones gone first. Reading and writing take the same time
 * however many there are. `maxBytes`: of bodies, names and what an entry costs; none larger than a sixteenth of it.
 */
export class Memory {
  #held = new Map<string, Held>()
  #bytes = 0

  constructor(
    readonly maxBytes: number,
    readonly maxEntries = 10_000,
  ) {}

  get size(): number {
    return this.#held.size
  }

  get bytes(): number {
    return this.#bytes
  }

  get(name: string): Entry | undefined {
    const held = this.#held.get(name)
    if (!held) return undefined
    // A map keeps the order in which names came: the first is the one that was not used for longest.
    this.#held.delete(name)
    this.#held.set(name, held)
    return held.entry
  }

  put(name: string, entry: Entry): void {
    this.drop(name)
    const bytes = entry.body.byteLength + 2 * name.length + overhead
    if (bytes > this.maxBytes / 16) return
    this.#held.set(name, { entry, bytes })
    this.#bytes += bytes
    for (const oldest of this.#held.keys()) {
      if (this.#bytes <= this.maxBytes && this.#held.size <= this.maxEntries) break
      this.drop(oldest)
    }
  }

  drop(name: string): void {
    const held = this.#held.get(name)
    if (!held) return
    this.#held.delete(name)
    this.#bytes -= held.bytes
  }
}
