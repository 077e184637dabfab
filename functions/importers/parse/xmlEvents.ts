import { SaxesParser } from 'saxes'
import { Unreadable } from '../row.ts'
import { bytesText } from './caps.ts'
import { badText, type BadCharacter, type Piece } from './decode.ts'
import { EntityGuard } from './entityGuard.ts'

const entities = { amp: '&', gt: '>', quot: '"', lt: '<', apos: "'" }

/** What happens while a document of XML is read. Names come with their prefixes. */
export interface XmlEvents {
  open(name: string, attributes: Record<string, string>, line: number): void
  text(text: string): void
  close(name: string, line: number): void
  /** The document is not well-formed here, or holds bytes that are no text. */
  fault(message: string, line: number): void
}

/**
 * Reads XML piece by piece. Of entities only the five of XML and numbers of characters are known: a document cannot
 * name others, so nothing is fetched and nothing grows. `limit`: the longest stretch without a tag.
 */
export class XmlStream {
  private parser = new SaxesParser()
  private guard = new EntityGuard()
  private silent = 0

  constructor(
    private events: XmlEvents,
    private limit: number,
    private encoding: string,
  ) {
    const { parser } = this
    // Its own table would answer to names such as `constructor` too.
    parser.ENTITIES = Object.assign(Object.create(null), entities)
    parser.on('opentag', ({ name, attributes }) => {
      this.silent = 0
      events.open(name, attributes, parser.line)
    })
    parser.on('closetag', ({ name }) => {
      this.silent = 0
      events.close(name, parser.line)
    })
    parser.on('text', (text) => events.text(text))
    parser.on('cdata', (text) => events.text(text))
    parser.on('error', ({ message }) => {
      const [, line, what = message] = /^(\d+):\d+: ([\s\S]*)$/.exec(message) ?? []
      events.fault(`This is not well-formed: ${what.replace(/\.$/, '')}.`, Number(line ?? parser.line))
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

  private damage(place: BadCharacter) {
    this.events.fault(badText(place, this.encoding), this.parser.line)
  }

  private part(text: string, isLast = false) {
    this.silent += text.length
    for (const part of this.guard.guard(text, isLast)) {
      if (part !== null) this.parser.write(part)
      else this.events.fault('This is not well-formed: an & begins no entity.', this.parser.line)
    }
    if (this.silent > this.limit + text.length)
      throw new Unreadable(`There is no tag within ${bytesText(this.limit)} (line ${this.parser.line}).`)
  }
}

/** The encoding that a document of XML declares in its first line. */
export function declaredEncoding(head: Uint8Array): string | undefined {
  const start = String.fromCharCode(...head.subarray(0, 200))
  return /^\s*<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/.exec(start)?.[1]
}
