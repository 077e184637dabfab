import { BoundedMemory } from '#functions/platform/cache/bounded-memory.ts'
import type { Entry } from './entry.ts'

/** What an entry takes beside its body and its name, roughly. */
const overhead = 1500

/** Answers in the memory of the isolate. `maxBytes`: of bodies, names and what an entry costs; none larger than a sixteenth of it. */
export class Memory extends BoundedMemory<Entry> {
  constructor(maxBytes: number, maxEntries = 10_000) {
    super({
      cost: maxBytes,
      largest: maxBytes / 16,
      entries: maxEntries,
      costOf: ({ body }, name) => body.byteLength + 2 * name.length + overhead,
    })
  }
}
