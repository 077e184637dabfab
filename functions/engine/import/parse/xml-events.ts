import { SaxesParser } from 'saxes'
import { UnreadableError } from '../row.ts'
import { formatByteCount, type ReadLimits } from './caps.ts'
import { badText, type BadCharacter, type Piece } from './decode.ts'
import { EntityGuard } from './entity-guard.ts'

const entities = { amp: '&', gt: '>', quot: '"', lt: '<', apos: "'" }

/**
 * Maximum number of errors between two tags: each takes the parser some 50 microseconds, and with more it is
 * not XML.
 */
const maxFaults = 2000

/** Callbacks while an XML document is read. Names include their prefixes. */
interface XmlEvents {
  open(name: string, attributes: Record<string, string>, line: number): void
  text(text: string): void
  close(name: string, line: number): void
  /** The document is not well-formed here, or contains undecodable bytes. */
  fault(message: string, line: number): void
}

/**
 * A streaming XML parser. Supports only the five predefined entities and character references: nothing is fetched and
 * nothing expands. Of `caps`, `row` limits the longest stretch without a tag.
 */
export class XmlStream {
  private parser = new SaxesParser()
  private guard = new EntityGuard()
  private silent = 0
  private faults = 0
  private depth = 0
  private attributes = 0

  constructor(
    private events: XmlEvents,
    private caps: Pick<ReadLimits, 'row' | 'depth' | 'members'>,
    private encoding: string,
  ) {
    const { parser } = this
    // The default table would resolve names such as `constructor`.
    parser.ENTITIES = Object.assign(Object.create(null), entities)
    parser.on('attribute', () => {
      if (++this.attributes > caps.members)
        throw new UnreadableError(`A tag has more than ${caps.members} attributes (line ${parser.line}).`)
    })
    parser.on('opentag', ({ name, attributes }) => {
      this.silent = this.faults = 0
      this.attributes = 0
      if (++this.depth > caps.depth)
        throw new UnreadableError(
          `The document is nested deeper than ${caps.depth} levels (line ${parser.line}).`,
        )
      events.open(name, attributes, parser.line)
    })
    parser.on('closetag', ({ name }) => {
      this.silent = this.faults = 0
      this.depth--
      events.close(name, parser.line)
    })
    parser.on('text', (text) => events.text(text))
    parser.on('cdata', (text) => events.text(text))
    parser.on('error', ({ message }) => {
      const [, line, problem = message] = /^(\d+):\d+: ([\s\S]*)$/.exec(message) ?? []
      this.fault(`This is not well-formed: ${problem.replace(/\.$/, '')}.`, Number(line ?? parser.line))
    })
  }

  write({ text, bad }: Piece) {
    let from = 0
    for (const place of bad) {
      this.part(text.slice(from, place.at))
      this.damage(place)
      from = place.at
    }
    this.part(text.slice(from))
  }

  end() {
    this.part('', true)
    this.parser.close()
  }

  private fault(message: string, line: number) {
    if (++this.faults > maxFaults)
      throw new UnreadableError(
        `More than ${maxFaults} places between two tags are not well-formed (line ${line}).`,
      )
    this.events.fault(message, line)
  }

  private damage(place: BadCharacter) {
    this.fault(badText(place, this.encoding), this.parser.line)
  }

  private part(text: string, isLast = false) {
    this.silent += text.length
    for (const part of this.guard.guard(text, isLast)) {
      if (part !== null) this.parser.write(part)
      else this.fault('This is not well-formed: an & begins no entity.', this.parser.line)
    }
    if (this.silent > this.caps.row + text.length)
      throw new UnreadableError(
        `There is no tag within ${formatByteCount(this.caps.row)} (line ${this.parser.line}).`,
      )
  }
}

/** Returns the encoding that an XML document declares in its first line. */
export function declaredEncoding(head: Uint8Array): string | undefined {
  const start = String.fromCharCode(...head.subarray(0, 200))
  return /^\s*<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/.exec(start)?.[1]
}
