import { UnreadableError } from '../row.ts'
import { concatBytes } from '#functions/platform/bytes.ts'
import { completeEnd, findFirstDamage } from './utf8.ts'

/** An undecodable sequence: U+FFFD at `at` in the text. */
export interface BadCharacter {
  at: number
  /** The number of bytes it replaces. */
  bytes: number
  /** The bytes in hexadecimal, if known. */
  hexBytes: string
}

/**
 * Finds the first invalid sequence at or after `at` in a sorted list, by binary search: a linear one for each
 * row would take quadratic time.
 */
export function badFrom(bad: BadCharacter[], at: number): BadCharacter | undefined {
  let low = 0
  let high = bad.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((bad[middle]?.at ?? Infinity) < at) low = middle + 1
    else high = middle
  }
  return bad[low]
}

/** Some text in the order of the source. */
export interface Piece {
  text: string
  bad: BadCharacter[]
  /** Each character is one byte. */
  ascii: boolean
}

/** The bytes per character; null: unknown. */
export type Width = 'utf-8' | 1 | 2 | null

/** The width of the characters of an encoding named as the Encoding Standard names it. */
export function getCharacterWidth(encoding: string): Width {
  if (encoding === 'utf-8') return 'utf-8'
  if (encoding.startsWith('utf-16')) return 2
  return /^(windows-125\d|windows-874|iso-8859-\d+|koi8-[ru]|ibm866|macintosh|x-mac-cyrillic)$/.test(encoding)
    ? 1
    : null
}

/** Decodes text and reports each invalid sequence. */
export class Decoder {
  private carry: Uint8Array = new Uint8Array(0)
  private decoder: TextDecoder

  constructor(private encoding: string) {
    try {
      this.decoder = new TextDecoder(encoding, { ignoreBOM: true, fatal: encoding === 'utf-8' })
    } catch {
      throw new UnreadableError(`The text is in ${encoding}, which cannot be read here: save it as UTF-8.`)
    }
  }

  write(bytes: Uint8Array, isLast: boolean): Piece {
    if (this.encoding !== 'utf-8') return this.legacy(bytes, isLast)
    const all = this.carry.length ? concatBytes([this.carry, bytes]) : bytes
    const end = isLast ? all.length : completeEnd(all)
    this.carry = all.slice(end)
    const complete = all.subarray(0, end)
    try {
      const text = this.decoder.decode(complete)
      return { text, bad: [], ascii: text.length === complete.length }
    } catch {
      return this.damaged(complete)
    }
  }

  private damaged(bytes: Uint8Array): Piece {
    const bad: BadCharacter[] = []
    let text = ''
    for (let from = 0; from < bytes.length;) {
      const damage = findFirstDamage(bytes, from)
      text += this.decoder.decode(bytes.subarray(from, damage?.at))
      if (!damage) break
      from = damage.at + damage.length
      bad.push({ at: text.length, bytes: damage.length, hexBytes: hex(bytes.subarray(damage.at, from)) })
      text += '\ufffd'
    }
    return { text, bad, ascii: false }
  }

  private legacy(bytes: Uint8Array, isLast: boolean): Piece {
    const text = this.decoder.decode(bytes, { stream: !isLast })
    // Five bytes of windows-1252 are unassigned; the standard decodes them as control characters.
    const none = this.encoding === 'windows-1252' ? /[\ufffd\x81\x8d\x8f\x90\x9d]/g : /\ufffd/g
    const width = getCharacterWidth(this.encoding)
    const bad = [...text.matchAll(none)].map(({ index }) => ({
      at: index,
      bytes: width === 2 ? 2 : 1,
      hexBytes: width === 1 ? hex(bytes.subarray(index, index + 1)) : '',
    }))
    return { text, bad, ascii: false }
  }
}

/** Bytes in hexadecimal: `0xE9 0x20`. */
export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => `0x${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(' ')
}

/** The message about an undecodable sequence. */
export function badText({ hexBytes }: BadCharacter, encoding: string): string {
  return `${hexBytes ? `The byte${hexBytes.includes(' ') ? 's' : ''} ${hexBytes}` : 'What stands here'} cannot be read as ${encoding.toUpperCase()}.`
}
