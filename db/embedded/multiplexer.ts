import type { PGlite } from '@electric-sql/pglite'
import { WebSocket } from 'ws'
import type { Line } from './near.ts'
import { FrameReader, message, readyStatus, startupAnswer, withoutReady } from './wire.ts'

/** A transaction left open for longer than this would stop the whole database, so its connection is closed. */
const idleInTransactionMs = 15_000

/**
 * Lets many connections share the one session of an embedded database: the first query of a connection acquires the
 * database, and it is released when the response says "not in a transaction".
 */
export class Multiplexer {
  private last: Promise<void> = Promise.resolve()
  private readonly database: PGlite

  constructor(database: PGlite) {
    this.database = database
  }

  /** Speaks the Postgres protocol with one client until it disconnects. */
  serve(socket: Line): void {
    new Connection(socket, this.database, () => this.acquireLock()).listen()
  }

  /** Waits for its turn; returns the function that ends it. */
  private async acquireLock(): Promise<() => void> {
    const before = this.last
    let releaseLock = () => {}
    this.last = new Promise((resolve) => (releaseLock = resolve))
    await before
    return releaseLock
  }
}

class Connection {
  private readonly frames = new FrameReader()
  private waiting: Buffer[] = []
  private chain: Promise<void> = Promise.resolve()
  private releaseLock: (() => void) | null = null
  private timer: NodeJS.Timeout | undefined
  private status = 'I'
  private isClosed = false
  private readonly socket: Line
  private readonly database: PGlite
  private readonly acquireLock: () => Promise<() => void>

  constructor(socket: Line, database: PGlite, acquireLock: () => Promise<() => void>) {
    this.socket = socket
    this.database = database
    this.acquireLock = acquireLock
  }

  listen() {
    this.socket.on('message', (bytes) => {
      for (const frame of this.frames.push(bytes)) this.receive(frame)
    })
    this.socket.on('error', () => this.socket.close())
    this.socket.on('close', () => {
      this.isClosed = true
      this.chain = this.chain.then(() => this.abandon())
    })
  }

  private receive(frame: { kind: string; bytes: Buffer }) {
    if (frame.kind === 'ssl') return this.send(Buffer.from('N'))
    if (frame.kind === 'startup') return this.send(startupAnswer())
    if (frame.kind === 'X') return this.socket.close()
    this.waiting.push(frame.bytes)
    // Only a query, a sync or a flush requires a response: earlier messages are sent along with it.
    if (frame.kind !== 'Q' && frame.kind !== 'S' && frame.kind !== 'H') return
    const batch = Buffer.concat(this.waiting)
    this.waiting = []
    this.chain = this.chain
      .then(() => this.run(batch, frame.kind === 'H'))
      .catch(() => {
        this.socket.close()
        this.release()
      })
  }

  /** `isFlush`: a Sync follows, and the connection keeps the database until then. */
  private async run(batch: Buffer, isFlush: boolean) {
    if (this.isClosed && !this.releaseLock) return
    clearTimeout(this.timer)
    this.releaseLock ??= await this.acquireLock()
    const answer = await this.database.execProtocolRaw(new Uint8Array(batch))
    this.send(isFlush ? withoutReady(answer) : answer)
    if (!isFlush) this.status = readyStatus(answer) ?? this.status
    if (!isFlush && this.status === 'I') this.release()
    else this.timer = setTimeout(() => this.socket.close(), idleInTransactionMs)
  }

  /** The client disconnected: its open transaction is rolled back. */
  private async abandon() {
    try {
      // A closing database has rolled back by itself.
      if (this.releaseLock && !this.database.closed)
        await this.database.execProtocolRaw(new Uint8Array(message('Q', Buffer.from('ROLLBACK\0'))))
    } catch (error) {
      if (!this.database.closed) throw error
    } finally {
      this.release()
    }
  }

  private release() {
    clearTimeout(this.timer)
    const releaseLock = this.releaseLock
    this.releaseLock = null
    releaseLock?.()
  }

  private send(bytes: Uint8Array) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(bytes)
  }
}
