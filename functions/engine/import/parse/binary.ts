import { UnreadableError } from '../row.ts'
import { collectRanges, type Ranges } from './ranges.ts'
import type { ParsedSource } from './reading.ts'
import { binaryRefusal } from './sniff.ts'

/** Opens a binary source with random access. Unreadable where its first bytes are those of another format. */
export async function openBinary({ name, bytes, ranges, caps }: ParsedSource): Promise<Ranges> {
  const findRefusal = (head: Uint8Array) => binaryRefusal(name, head)
  const source = ranges ?? (await collectRanges(bytes, Math.min(caps.file, caps.held), findRefusal))
  const refusal = findRefusal(await source.read(0, Math.min(source.size, 4096)))
  if (refusal) throw new UnreadableError(refusal)
  return source
}
