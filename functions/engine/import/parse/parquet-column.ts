import type { DecodedArray, ParquetParsers } from 'hyparquet'
import { assembleLists, assembleNested } from 'hyparquet/src/assemble.js'
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js'
import { getMaxDefinitionLevel, getMaxRepetitionLevel } from 'hyparquet/src/schema.js'
import { UnreadableError } from '../row.ts'
import { formatByteCount, type ReadLimits } from './caps.ts'
import { decodeDictionary, pageValues, type PageValues, type StoredType } from './parquet-encodings.ts'
import { damagedParquet, type ParquetChunk, type ParquetColumn, type ParquetLeaf } from './parquet-file.ts'
import { PageReader, type ParquetPage } from './parquet-page.ts'
import { RunReader } from './parquet-runs.ts'
import type { ParquetType } from './parquet-types.ts'
import type { Ranges } from './ranges.ts'

/** The memory limit of a row group's columns: one page and one dictionary each. */
const maxHeld = 48 * 1024 * 1024
/** Maximum number of list entries of the rows taken at a time. */
const maxEntries = 2_000_000
/** The overhead of a dictionary value in bytes. */
const valueBytes = 40

/** The memory and the unpacked size of all columns of a file. */
export class ParquetBudget {
  private heldBytes = 0
  private unpacked = 0

  constructor(private caps: ReadLimits) {}

  /** Replaces a previous allocation by a new one. */
  reserve(bytes: number, before: number) {
    this.heldBytes += bytes - before
    if (this.heldBytes > maxHeld)
      throw new UnreadableError(
        `The columns of a row group hold more than ${formatByteCount(maxHeld)} at once: write the file with fewer rows in a row group.`,
      )
  }

  /** Counts values and bytes of output: a few bytes may expand to millions. */
  unpack(amount: number) {
    this.unpacked += amount
    if (this.unpacked > this.caps.unpacked)
      throw new UnreadableError(`The file holds more than ${formatByteCount(this.caps.unpacked)}.`)
  }
}

/** Reads a column of a row group, some rows at a time. */
export class ColumnReader {
  private leaves: LeafReader[]

  constructor(
    private column: ParquetColumn,
    chunks: ParquetChunk[],
    types: ParquetType[],
    ranges: Ranges,
    budget: ParquetBudget,
  ) {
    this.leaves = column.leaves.map(
      (leaf, i) => new LeafReader(leaf, chunks[i] as ParquetChunk, types[i] as ParquetType, ranges, budget),
    )
  }

  /** Returns the next rows. Unreadable if there are fewer. */
  async readRows(rows: number): Promise<ArrayLike<unknown>> {
    const parts = new Map<string, DecodedArray>()
    for (const leaf of this.leaves) parts.set(leaf.name, await leaf.readNextRows(rows))
    const { tree } = this.column
    const { name } = tree.element
    const [only] = this.leaves
    if (only && tree.children.length === 0) return parts.get(only.name) as DecodedArray
    try {
      assembleNested(parts, tree, DEFAULT_PARSERS as ParquetParsers)
    } catch {
      throw damagedParquet(`the parts of the column ${name} do not fit together`)
    }
    const values = parts.get(tree.path.join('.'))
    if (values?.length !== rows) throw damagedParquet(`the parts of the column ${name} do not fit together`)
    return values
  }

  /** Releases the memory. */
  close() {
    for (const leaf of this.leaves) leaf.close()
  }
}

/** The rest of a page. */
interface OpenPage {
  repetition: RunReader
  definition: RunReader
  values: PageValues
  left: number
}

class LeafReader {
  readonly name: string
  private pages: PageReader
  private page: OpenPage | null = null
  private dictionary: ArrayLike<unknown> | null = null
  private heldPage = 0
  private heldDictionary = 0
  private deepest: { repetition: number; definition: number }
  private storedType: StoredType
  private isFromDictionary = false
  /** The repetition level of an entry that was read but not taken: it begins the next row. */
  private ahead: number | null = null

  constructor(
    private leaf: ParquetLeaf,
    chunk: ParquetChunk,
    private type: ParquetType,
    ranges: Ranges,
    private budget: ParquetBudget,
  ) {
    const { path, element } = leaf
    this.name = path
      .slice(1)
      .map(({ element }) => element.name)
      .join('.')
    this.pages = new PageReader(ranges, chunk, this.name.slice(0, 100), maxHeld / 2)
    this.deepest = { repetition: getMaxRepetitionLevel(path), definition: getMaxDefinitionLevel(path) }
    if (!element.type) throw damagedParquet('a column has no type')
    this.storedType = { type: element.type, length: element.type_length }
  }

  /** Returns the next rows: values, or nested lists of them. */
  async readNextRows(rows: number): Promise<DecodedArray> {
    const { repetition, definition } = this.deepest
    const repetitions: number[] = []
    const definitions: number[] = []
    const values: unknown[] = []
    let rowCount = 0
    for (;;) {
      if (!(await this.open())) break
      const page = this.page as OpenPage
      let present = 0
      let isEnough = false
      try {
        while (page.left > 0) {
          const level = this.ahead ?? (repetition > 0 ? page.repetition.next() : 0)
          if (level === 0 && rowCount === rows) {
            this.ahead = level
            isEnough = true
            break
          }
          this.ahead = null
          if (level === 0) rowCount += 1
          const depth = definition > 0 ? page.definition.next() : 0
          page.left -= 1
          if (repetition > 0) repetitions.push(level)
          definitions.push(depth)
          if (definitions.length > maxEntries)
            throw new UnreadableError(`Rows of the column ${this.name} have too many entries in their lists.`)
          if (depth === definition) present += 1
        }
        const rawValues = page.values.take(present)
        for (let i = 0; i < rawValues.length; i++) values.push(this.convert(rawValues[i]))
      } catch (error) {
        throw this.withSubject(error, 'a page has fewer values than it says')
      }
      if (isEnough || (repetition === 0 && rowCount === rows)) break
    }
    if (rowCount < rows) throw damagedParquet(`the column ${this.name} ends before its row group`)
    return this.assembled(repetitions, definitions, values)
  }

  close() {
    this.budget.reserve(0, this.heldPage + this.heldDictionary)
    this.heldPage = this.heldDictionary = 0
    this.page = this.dictionary = null
  }

  private assembled(repetitions: number[], definitions: number[], values: unknown[]): DecodedArray {
    const { definition } = this.deepest
    if (this.leaf.path.length === 2 && this.deepest.repetition === 0) {
      if (values.length === definitions.length) return values
      let at = 0
      return definitions.map((depth) => (depth === definition ? values[at++] : null))
    }
    try {
      const levels = values.length === definitions.length ? [] : definitions
      return assembleLists([], levels, repetitions, values, this.leaf.path)
    } catch (error) {
      throw this.withSubject(error, 'lists do not fit together')
    }
  }

  /** Converts a value; those of a dictionary are already converted. */
  private convert(value: unknown): unknown {
    return this.isFromDictionary ? value : this.type.read(value)
  }

  /** Ensures that there is a page with values left; false after the last. */
  private async open(): Promise<boolean> {
    while (!this.page?.left) {
      this.page = null
      const page = await this.pages.next()
      if (!page) return false
      this.budget.unpack(page.bytes.length + page.count)
      try {
        if (page.isDictionary) this.openDictionary(page)
        else this.openPage(page)
      } catch (error) {
        throw this.withSubject(error, 'a page cannot be read')
      }
    }
    return true
  }

  private openDictionary({ bytes, count }: ParquetPage) {
    const size = bytes.length + valueBytes * count
    this.budget.reserve(size, this.heldDictionary)
    this.heldDictionary = size
    this.dictionary = Array.from(
      decodeDictionary(bytes, this.storedType, count) as ArrayLike<unknown>,
      (value) => this.type.read(value),
    )
  }

  private openPage({ bytes, count, encoding, levels, old }: ParquetPage) {
    const { repetition, definition } = this.deepest
    if ((old?.repetition && repetition > 0) || (old?.definition && definition > 0))
      throw new UnreadableError(`The column ${this.name} is written in a way that was given up in 2013.`)
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    let at = 0
    const level = (most: number, length: number | undefined) => {
      const width = 32 - Math.clz32(most)
      if (most === 0) {
        at += length ?? 0
        return new RunReader(bytes, 0, 0)
      }
      if (length === undefined) at += 4
      const size = length ?? view.getUint32(at - 4, true)
      if (at + size > bytes.length) throw new RangeError()
      const reader = new RunReader(bytes.subarray(at, at + size), 0, width)
      at += size
      return reader
    }
    const repetitions = level(repetition, levels?.repetition)
    const definitions = level(definition, levels?.definition)
    const values = pageValues(bytes, at, encoding, this.storedType, count, this.dictionary)
    if (!values)
      throw new UnreadableError(
        `The column ${this.name} is written in a way that is not read here (${encoding}).`,
      )
    this.isFromDictionary = encoding.endsWith('_DICTIONARY')
    this.budget.reserve(bytes.length + values.extraBytes, this.heldPage)
    this.heldPage = bytes.length + values.extraBytes
    this.page = { repetition: repetitions, definition: definitions, values, left: count }
  }

  /** Converts an error: our own are unchanged, all others mean that the file is corrupt. */
  private withSubject(error: unknown, subject: string): UnreadableError {
    return error instanceof UnreadableError ? error : this.pages.damaged(subject)
  }
}
