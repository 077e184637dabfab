import { PbfReader } from 'pbf'
import { parsers } from '#functions/shapes/parser/index.ts'
import { formatTooLargeFile } from '#functions/shapes/parser/size.ts'
import { UnreadableError, type Batch } from '../row.ts'
import { readAllBytes } from './blocks.ts'
import { messages, wordLists } from './gtfsrt-messages.ts'
import type { ParsedSource } from './reading.ts'
import { batches, Sink } from './sink.ts'
import { findFileKind, textRefusal } from './sniff.ts'

type Message = Record<string, unknown>

/** Reads the entities of a GTFS Realtime feed, with the names and enum values of its protocol. */
export function readGtfsrt(reading: ParsedSource): AsyncGenerator<Batch> {
  const sink = new Sink(reading)
  async function* steps() {
    const most = Math.min(reading.caps.held, parsers.gtfsrt.mostBytes)
    const bytes = await readAllBytes(reading.bytes, most, formatTooLargeFile('gtfsrt', most))
    if (!bytes.length) throw new UnreadableError('The source is empty.')
    const head = new TextDecoder().decode(bytes.subarray(0, 2000))
    const refusal = textRefusal('gtfsrt', head, reading.contentType)
    if (refusal) throw new UnreadableError(refusal)
    // Its first field is the header: 0x0A.
    if (bytes[0] !== 0x0a || findFileKind(bytes))
      throw new UnreadableError('This is not a feed of GTFS Realtime.')
    const feed = new Feed(bytes, sink)
    for (let count = 1; feed.next(); count++) if (count % 100 === 0) yield
    if (!sink.count) sink.notice('info', 'The feed has no entities.')
  }
  return batches(sink, steps())
}

class Feed {
  private pbf: PbfReader

  constructor(
    private bytes: Uint8Array,
    private sink: Sink,
  ) {
    this.pbf = new PbfReader(bytes)
  }

  /** Reads one field of the feed; false at its end. */
  next(): boolean {
    const { pbf, bytes } = this
    if (pbf.pos >= bytes.length) return false
    const from = pbf.pos
    try {
      const { field, wire } = this.tag()
      if (wire !== 2) this.skip(wire, bytes.length)
      else {
        const end = this.readEnd(bytes.length)
        if (field === 1) this.message('FeedHeader', end)
        else if (field === 2) this.readEntity(end)
        else pbf.pos = end
      }
    } catch (error) {
      const reason = error instanceof UnreadableError ? error.message : 'A number in it is damaged.'
      throw new UnreadableError(`The feed is cut off or damaged at byte ${from}. ${reason}`)
    }
    return true
  }

  private readEntity(end: number) {
    const entity = this.message('FeedEntity', end)
    if (typeof entity.id === 'string' && entity.id) this.sink.row(entity)
    else this.sink.reject({ field: 'id', message: 'The entity has no id.' })
  }

  private message(kind: string, end: number): Message {
    const { pbf } = this
    const fields = messages[kind] ?? {}
    const message: Message = {}
    while (pbf.pos < end) {
      const { field, wire } = this.tag()
      const messageField = fields[field]
      if (!messageField) {
        this.sink.notice('info', `The field ${field} of ${kind} is not of the protocol: it is left out.`)
        this.skip(wire, end)
        continue
      }
      const [name, type, many] = messageField
      const value = this.value(type, wire, end)
      // Appended in place: copying the list each time would take quadratic time.
      if (many && message[name]) (message[name] as unknown[]).push(value)
      else message[name] = many ? [value] : value
    }
    if (pbf.pos !== end) throw new UnreadableError(`A ${kind} is longer than it says.`)
    return message
  }

  private value(type: string, wire: number, end: number): unknown {
    const { pbf } = this
    const expected =
      type === 'float' ? 5 : type === 'double' ? 1 : type === 'string' || messages[type] ? 2 : 0
    if (wire !== expected) throw new UnreadableError(`A field of type ${type} is written as another.`)
    if (wire === 2) {
      const to = this.readEnd(end)
      if (messages[type]) return this.message(type, to)
      const text = new TextDecoder().decode(this.bytes.subarray(pbf.pos, to))
      pbf.pos = to
      return text
    }
    if (pbf.pos + (wire === 5 ? 4 : wire === 1 ? 8 : 1) > end)
      throw new UnreadableError('A number is cut off.')
    if (type === 'float') return shortest(pbf.readFloat())
    if (type === 'double') return pbf.readDouble()
    if (type === 'bool') return pbf.readBoolean()
    const number = pbf.readVarint(type.startsWith('int'))
    return wordLists[type]?.[number] ?? number
  }

  private tag() {
    const tag = this.pbf.readVarint()
    return { field: Math.floor(tag / 8), wire: tag & 7 }
  }

  private readEnd(most: number): number {
    const end = this.pbf.readVarint() + this.pbf.pos
    if (!(end <= most)) throw new UnreadableError('A part is longer than what is there.')
    return end
  }

  private skip(wire: number, most: number) {
    const { pbf } = this
    if (wire === 0) pbf.readVarint()
    else if (wire === 2) pbf.pos = this.readEnd(most)
    else if (wire === 5 || wire === 1) pbf.pos += wire === 5 ? 4 : 8
    else throw new UnreadableError('A field is of no known kind.')
    if (pbf.pos > most) throw new UnreadableError('A field is cut off.')
  }
}

/** The shortest decimal that equals a 32-bit float: 40.7128, not 40.71279907226562. */
function shortest(float: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(float.toPrecision(digits))
    if (Math.fround(short) === float) return short
  }
  return Number(float.toPrecision(9))
}
