import { Inflate } from 'fflate'
import { parsers, type ParserName } from '#functions/shapes/parser/index.ts'
import { formatTooLargeFile } from '#functions/shapes/parser/size.ts'
import { UnreadableError } from '../row.ts'
import { concatBytes } from '#functions/platform/bytes.ts'
import { formatByteCount, type ReadLimits } from './caps.ts'
import { crc32 } from './crc.ts'
import { isSystemFile, readDirectory, type Entry } from './directory.ts'
import { collectRanges, type Ranges } from './ranges.ts'
import type { ParsedSource } from './reading.ts'
import { archiveRefusal } from './sniff.ts'

/** The input per inflate step, so that its output (at most a thousandfold) fits in memory. */
const step = 16 * 1024
/** Below this size a high ratio is harmless: a short text of blanks has one too. */
const freeOfRatio = 1024 * 1024

/**
 * A zip archive: its entries by its directory, unpacked as streams. The actual output is counted, whatever the headers
 * say, and checksums are verified. Names of entries are never used as paths.
 */
export class Archive {
  private sizes = new Map<Entry, number>()

  private constructor(
    private ranges: Ranges,
    private caps: ReadLimits,
    readonly entries: Entry[],
  ) {}

  /**
   * Opens the archive of a source. `name`: its format; null for an archive of files. Unreadable when it is invalid, truncated,
   * encrypted, too large, or has too many entries.
   */
  static async open(
    { bytes, ranges, caps, ...reading }: ParsedSource,
    name: ParserName | null = reading.name,
  ): Promise<Archive> {
    // The contents of an old Office container are described by its directory, which may be at the end.
    const findRefusal = (head: Uint8Array) => (isOldContainer(head) ? null : archiveRefusal(name, head))
    const source = ranges ?? (await collectRanges(bytes, Math.min(caps.file, caps.held), findRefusal))
    const most = Math.min(caps.file, (name && parsers[name].mostBytes) ?? Infinity)
    if (source.size > most) throw new UnreadableError(formatTooLargeFile(name, most, source.size))
    const head = await source.read(0, Math.min(source.size, 4096))
    const refusal = archiveRefusal(name, concatBytes([head, await oldDirectory(source, head)]))
    if (refusal) throw new UnreadableError(refusal)
    return new Archive(source, caps, await readDirectory(source, caps))
  }

  /** Entries with matching names, without metadata that systems add to archives. */
  find(pattern: RegExp): Entry[] {
    return this.entries.filter(({ name }) => pattern.test(name) && !isSystemFile(name))
  }

  /** The bytes of an entry, unpacked while they are read. */
  async *stream(entry: Entry): AsyncGenerator<Uint8Array> {
    const { name, packed, method, crc, size } = entry
    const from = await this.readDataStart(entry)
    let out: Uint8Array[] = []
    const inflate = new Inflate((chunk) => {
      out.push(chunk)
    })
    let total = 0
    let sum = 0
    for (let at = 0; at < packed || at === 0; at += step) {
      const to = Math.min(packed, at + step)
      const bytes = await this.ranges.read(from + at, from + to)
      try {
        if (method === 0) out.push(bytes)
        else inflate.push(bytes, to === packed)
      } catch {
        throw new UnreadableError(`The entry ${name} is damaged: it cannot be unpacked.`)
      }
      for (const chunk of out) {
        total += chunk.length
        this.count(entry, total)
        sum = crc32(chunk, sum)
        if (chunk.length) yield chunk
      }
      out = []
    }
    if (total !== size || sum !== crc)
      throw new UnreadableError(`The entry ${name} is damaged: its checksum differs.`)
  }

  /** Reads an entry as a whole; Unreadable when it is larger than `most`. */
  async readWhole(entry: Entry, most: number): Promise<Uint8Array> {
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of this.stream(entry)) {
      size += chunk.length
      if (size > most)
        throw new UnreadableError(`The entry ${entry.name} is larger than ${formatByteCount(most)}.`)
      chunks.push(chunk)
    }
    return concatBytes(chunks)
  }

  private count(entry: Entry, total: number) {
    const { unpacked, ratio } = this.caps
    if (total > freeOfRatio && total > entry.packed * ratio)
      throw new UnreadableError(
        `The entry ${entry.name} grows more than ${ratio} times while it is unpacked.`,
      )
    this.sizes.set(entry, Math.max(total, this.sizes.get(entry) ?? 0))
    let all = 0
    for (const size of this.sizes.values()) all += size
    if (all > unpacked) throw new UnreadableError(`The archive holds more than ${formatByteCount(unpacked)}.`)
  }

  private async readDataStart({ name, offset, packed }: Entry): Promise<number> {
    const head = await this.ranges.read(offset, Math.min(this.ranges.size, offset + 30))
    const view = new DataView(head.buffer, head.byteOffset, head.length)
    const isHead = head.length === 30 && view.getUint32(0, true) === 0x04034b50
    const from = isHead ? offset + 30 + view.getUint16(26, true) + view.getUint16(28, true) : Infinity
    if (from + packed > this.ranges.size)
      throw new UnreadableError(`The archive is damaged: ${name} is not where it should be.`)
    return from
  }
}

const isOldContainer = (head: Uint8Array) => [0xd0, 0xcf, 0x11, 0xe0].every((byte, i) => head[i] === byte)

/** The beginning of the directory of an old Office container, the format of encrypted workbooks; empty for other bytes. */
async function oldDirectory(ranges: Ranges, head: Uint8Array): Promise<Uint8Array> {
  if (!isOldContainer(head) || head.length < 52) return new Uint8Array(0)
  const view = new DataView(head.buffer, head.byteOffset)
  const sector = view.getUint16(30, true) === 12 ? 4096 : 512
  const from = (view.getUint32(48, true) + 1) * sector
  return from < ranges.size ? ranges.read(from, Math.min(ranges.size, from + sector)) : new Uint8Array(0)
}
