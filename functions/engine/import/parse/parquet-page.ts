import { parquetHeader } from 'hyparquet/src/column.js'
import { UnreadableError } from '../row.ts'
import { formatByteCount } from './caps.ts'
import { parquetCodecs } from './parquet-codecs.ts'
import { damagedParquet, type ParquetChunk } from './parquet-file.ts'
import type { Ranges } from './ranges.ts'
import { endOfThrift } from './thrift.ts'

/** An unpacked page of a stored column. */
export interface ParquetPage {
  isDictionary: boolean
  encoding: string
  /** The number of values, including missing ones. */
  count: number
  bytes: Uint8Array
  /** The sizes of the levels in `bytes`; null if levels have length prefixes (first version of pages). */
  levels: { repetition: number; definition: number } | null
  /** Whether levels have an encoding deprecated in 2013, which writers still declare if there are none. */
  old?: { repetition: boolean; definition: boolean }
}

/** Sizes to try: a header has statistics, which are usually short. */
const headerSizes = [1024, 64 * 1024, 1024 * 1024]
/** Maximum number of values in a header: a dozen numbers, and statistics. */
const maxInHeader = 1000

/** Reads the pages of a stored column in order. */
export class PageReader {
  private at: number

  constructor(
    private ranges: Ranges,
    private chunk: ParquetChunk,
    private name: string,
    /** Maximum page size in bytes. */
    private most: number,
  ) {
    this.at = chunk.from
  }

  /** Returns the next page; null after the last. */
  async next(): Promise<ParquetPage | null> {
    for (;;) {
      if (this.at >= this.chunk.to) return null
      const { header, start } = await this.header()
      const { type, compressed_page_size: packed, uncompressed_page_size: size } = header
      const end = start + packed
      if (!(packed >= 0 && size >= 0) || end > this.chunk.to) throw this.damaged('a page is cut off')
      if (packed > this.most || size > this.most)
        throw new UnreadableError(
          `A page of the column ${this.name} has more than ${formatByteCount(this.most)}: write the file with fewer rows in a row group.`,
        )
      this.at = end
      if (type === 'INDEX_PAGE') continue
      return this.unpacked(header, await this.ranges.read(start, end))
    }
  }

  damaged(problem: string): UnreadableError {
    return damagedParquet(`in the column ${this.name} ${problem}`)
  }

  private async header() {
    for (const size of headerSizes) {
      const bytes = await this.ranges.read(this.at, Math.min(this.at + size, this.chunk.to))
      const end = endOfThrift(bytes, 0, maxInHeader)
      if (end === 'cut' && this.at + size < this.chunk.to) continue
      if (typeof end !== 'number') break
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
      return { header: parquetHeader({ view, offset: 0 }), start: this.at + end }
    }
    throw this.damaged('the head of a page cannot be read')
  }

  private unpacked(header: ReturnType<typeof parquetHeader>, packed: Uint8Array): ParquetPage {
    const size = header.uncompressed_page_size
    const {
      dictionary_page_header: dictionary,
      data_page_header: first,
      data_page_header_v2: second,
    } = header
    if (header.type === 'DICTIONARY_PAGE' && dictionary)
      return {
        ...{ isDictionary: true, encoding: dictionary.encoding, levels: null },
        ...{ count: this.count(dictionary.num_values), bytes: this.unpack(packed, size) },
      }
    if (header.type === 'DATA_PAGE' && first) {
      const bytes = this.unpack(packed, size)
      const count = this.count(first.num_values)
      const [definition, repetition] = [first.definition_level_encoding, first.repetition_level_encoding]
      const old = { repetition: repetition === 'BIT_PACKED', definition: definition === 'BIT_PACKED' }
      return { isDictionary: false, encoding: first.encoding, count, bytes, levels: null, old }
    }
    if (header.type !== 'DATA_PAGE_V2' || !second) throw this.damaged('there is a page of no known kind')
    const repetition = this.count(second.repetition_levels_byte_length)
    const definition = this.count(second.definition_levels_byte_length)
    const ahead = repetition + definition
    if (ahead > packed.length || ahead > size) throw this.damaged('levels are longer than their page')
    let bytes = packed
    if (second.is_compressed !== false && this.chunk.codec !== 'UNCOMPRESSED') {
      const values = this.unpack(packed.subarray(ahead), size - ahead)
      bytes = new Uint8Array(size)
      bytes.set(packed.subarray(0, ahead))
      bytes.set(values, ahead)
    }
    const count = this.count(second.num_values)
    return {
      isDictionary: false,
      encoding: second.encoding,
      count,
      bytes,
      levels: { repetition, definition },
    }
  }

  private count(value: number): number {
    if (!(value >= 0)) throw this.damaged('a number is below zero')
    return value
  }

  private unpack(packed: Uint8Array, size: number): Uint8Array {
    if (size === 0) return new Uint8Array(0)
    const unpack = parquetCodecs.get(this.chunk.codec)
    let bytes: Uint8Array
    try {
      bytes = unpack?.(packed, size) ?? packed
    } catch {
      throw this.damaged('a page cannot be unpacked')
    }
    if (bytes.length !== size) throw this.damaged('a page is not as long as it says')
    return bytes
  }
}
