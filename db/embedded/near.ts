import { EventEmitter } from 'node:events'
import { WebSocket } from 'ws'

/** The part of a socket that the proxy uses, of the network or in-process. */
export interface Line {
  readonly readyState: number
  on(event: 'message', listener: (bytes: Buffer) => void): unknown
  on(event: 'close' | 'error', listener: () => void): unknown
  send(bytes: Uint8Array): void
  close(): void
}

/** One end of a line within this process: to the driver a WebSocket, to the proxy a `Line`. */
class End extends EventEmitter implements Line {
  readyState: number = WebSocket.OPEN
  binaryType = 'arraybuffer'
  private other: End | null = null
  private pending: Buffer[] = []

  /** Two connected ends: what is sent to one arrives as a message at the other. */
  static pair(): [End, End] {
    const [one, two] = [new End(), new End()]
    one.other = two
    two.other = one
    return [one, two]
  }

  /** What is sent in the same turn arrives as one message. */
  send(bytes: Uint8Array) {
    this.pending.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    if (this.pending.length > 1) return
    setImmediate(() => {
      const message = this.pending.length === 1 ? this.pending[0] : Buffer.concat(this.pending)
      this.pending = []
      if (this.other?.readyState === WebSocket.OPEN) this.other.emit('message', message)
    })
  }

  /** Messages sent before still arrive. */
  close() {
    const ends = [this, this.other as End]
    setImmediate(() => {
      for (const end of ends) {
        if (end.readyState === WebSocket.CLOSED) continue
        end.readyState = WebSocket.CLOSED
        end.emit('close')
      }
    })
  }

  addEventListener(type: string, listener: (event: { data?: Buffer }) => void) {
    this.on(type, (data?: Buffer) => listener(data ? { data } : {}))
  }
}

/** A new line: the end of the driver, which opens in a moment, and that of the proxy. */
export function nearLine(): { driver: unknown; proxy: Line } {
  const [driver, proxy] = End.pair()
  setImmediate(() => driver.emit('open'))
  return { driver, proxy }
}
