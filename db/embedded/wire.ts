/** The little of the Postgres frontend/backend protocol (version 3) that sharing one session needs. */

const sslRequest = 80877103
const gssRequest = 80877104

/** One backend or frontend message: type byte, length, body. */
export function message(type: string, body: Buffer): Buffer {
  const bytes = Buffer.alloc(5 + body.length)
  bytes.write(type, 0)
  bytes.writeInt32BE(4 + body.length, 1)
  body.copy(bytes, 5)
  return bytes
}

/** The messages to a client that has just connected: no password, settings, ready. */
export function startupAnswer(): Buffer {
  const setting = (name: string, value: string) => message('S', Buffer.from(`${name}\0${value}\0`))
  return Buffer.concat([
    message('R', Buffer.from([0, 0, 0, 0])),
    setting('server_version', '17.5'),
    setting('client_encoding', 'UTF8'),
    setting('DateStyle', 'ISO, MDY'),
    setting('integer_datetimes', 'on'),
    setting('standard_conforming_strings', 'on'),
    setting('TimeZone', 'UTC'),
    message('K', Buffer.alloc(8)),
    message('Z', Buffer.from('I')),
  ])
}

/** The transaction status in the last ReadyForQuery of a response: I (idle), T (open), E (failed); null without one. */
export function readyStatus(answer: Uint8Array): string | null {
  for (let i = answer.length - readyBytes; i >= 0; i--)
    if (isReadyAt(answer, i)) return String.fromCharCode(answer[i + 5] ?? 0)
  return null
}

/**
 * Removes ReadyForQuery from the response to a Flush. The embedded database sends one after an error, and another for
 * the Sync that follows: a client would take the second for the end of its next statement, and be off by one from then
 * on.
 */
export function withoutReady(answer: Uint8Array): Uint8Array {
  const end = answer.length - readyBytes
  return end >= 0 && isReadyAt(answer, end) ? answer.subarray(0, end) : answer
}

const readyBytes = 6

const isReadyAt = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === 0x5a && !bytes[at + 1] && !bytes[at + 2] && !bytes[at + 3] && bytes[at + 4] === 5

/** Cuts a byte stream into messages. The first one (and any encryption request before it) has no type byte. */
export class FrameReader {
  private rest: Buffer = Buffer.alloc(0)
  private hasStarted = false

  push(bytes: Buffer): { kind: string; bytes: Buffer }[] {
    this.rest = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes])
    const frames: { kind: string; bytes: Buffer }[] = []
    for (;;) {
      const head = this.hasStarted ? 1 : 0
      if (this.rest.length < head + 4) return frames
      const length = head + this.rest.readInt32BE(head)
      if (this.rest.length < length) return frames
      const frame = Buffer.from(this.rest.subarray(0, length))
      this.rest = this.rest.subarray(length)
      frames.push({ kind: this.readKind(frame), bytes: frame })
    }
  }

  private readKind(frame: Buffer): string {
    if (this.hasStarted) return String.fromCharCode(frame[0] ?? 0)
    const code = frame.readInt32BE(4)
    if (code === sslRequest || code === gssRequest) return 'ssl'
    this.hasStarted = true
    return 'startup'
  }
}
