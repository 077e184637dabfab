import { EventEmitter } from 'node:events'
import { WebSocket } from 'ws'

/** What the proxy needs of a socket, be it of the network or of this process. */
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
  private sent: Buffer[] = []

  /** Two ends; what one is sent, the other says as a message. */
  static pair(): [End, End] {
    const [one, two] = [new End(), new End()]
    one.other = two
    two.other = one
    return [one, two]
  }

  /** What is sent at once arrives at once, in one piece. */
  send(bytes: Uint8Array) {
    this.sent.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    if (this.sent.length > 1) return
    setImmediate(() => {
      const message = this.sent.length === 1 ? this.sent[0] : Buffer.concat(this.sent)
      this.sent = []
      if (this.other?.readyState === WebSocket.OPEN) this.other.emit('message', message)
    })
  }

  /** What was sent before still arrives. */
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
