import { connect, type Socket } from 'node:net'
import type { Line } from './near.ts'
import { FrameReader, message } from './wire.ts'

/** The last message of a response without an open transaction: ReadyForQuery, idle. */
const ready = message('Z', Buffer.from('I'))
const reset = message('Q', Buffer.from('DISCARD ALL\0'))

interface Backend {
  tcp: Socket
  /** The server's messages up to the first ReadyForQuery: replayed to the next client of the connection. */
  greeting: Buffer
  /** Whether all messages are answered, and no transaction is open. */
  isQuiet: boolean
  heard: (bytes: Buffer) => void
  gone: () => void
  /** Closes the connection when it stays unused. */
  timer?: NodeJS.Timeout
}

/** Unused connections are closed after this time. */
const idleMs = 30_000

/**
 * A pool of connections to a Postgres server over TCP. A cleanly released one is reset (`DISCARD ALL`) and reused by the
 * next client with the same user and database, as the pooler of Neon does: a new connection is a process with an empty
 * catalogue cache, which takes longer than most transactions.
 */
export class Backends {
  private readonly idle = new Map<string, Backend[]>()
  /** All that are open, in use or not. */
  private readonly open = new Set<Socket>()
  private readonly address: { host: string; port: number }

  private readonly mostIdle: number

  constructor(address: { host: string; port: number }, mostIdle: number) {
    this.address = address
    this.mostIdle = mostIdle
  }

  /** Speaks the Postgres protocol with one client until it disconnects. */
  serve(line: Line): void {
    const frames = new FrameReader()
    let backend: Backend | null = null
    let kind = ''
    const leave = () => {
      if (backend) this.release(kind, backend)
      backend = null
    }
    line.on('message', (bytes) => {
      const more: Buffer[] = []
      for (const frame of frames.push(bytes)) {
        if (frame.kind === 'ssl') line.send(Buffer.from('N'))
        else if (frame.kind === 'startup') {
          // The message names the user and the database.
          kind = frame.bytes.toString('latin1')
          backend = this.take(kind, frame.bytes, line)
        } else if (frame.kind === 'X') {
          leave()
          line.close()
        } else more.push(frame.bytes)
      }
      if (!backend || more.length === 0) return
      backend.isQuiet = false
      // In one write: a statement is five messages, and sending each separately takes longer than creating them.
      backend.tcp.write(more.length === 1 ? (more[0] as Buffer) : Buffer.concat(more))
    })
    line.on('error', () => line.close())
    line.on('close', leave)
  }

  close(): void {
    for (const tcp of this.open) tcp.destroy()
  }

  private take(kind: string, startup: Buffer, line: Line): Backend {
    const connection = this.idle.get(kind)?.pop()
    clearTimeout(connection?.timer)
    connection?.tcp.ref()
    const backend = connection ?? open(this.address, startup)
    if (!connection) {
      this.open.add(backend.tcp)
      backend.tcp.on('close', () => this.open.delete(backend.tcp))
    }
    backend.heard = (bytes) => line.send(bytes)
    backend.gone = () => line.close()
    if (connection) line.send(connection.greeting)
    return backend
  }

  private release(kind: string, backend: Backend) {
    const idle = this.idle.get(kind) ?? []
    // A connection with unfinished work, or one that required a password, is not reused.
    const isKept = backend.isQuiet && isOpenToAll(backend.greeting) && idle.length < this.mostIdle
    if (!isKept || !backend.tcp.writable) return void backend.tcp.destroy()
    backend.gone = () => {
      const others = this.idle.get(kind) ?? []
      this.idle.set(
        kind,
        others.filter((other) => other !== backend),
      )
    }
    backend.heard = () => {
      if (!backend.isQuiet) return
      backend.heard = () => {}
      backend.timer = setTimeout(() => backend.tcp.destroy(), idleMs).unref()
      // A process that is done need not wait for it.
      backend.tcp.unref()
      this.idle.set(kind, [...(this.idle.get(kind) ?? []), backend])
    }
    backend.isQuiet = false
    backend.tcp.write(reset)
  }
}

/** Whether a greeting starts with "you are in". */
function isOpenToAll(greeting: Buffer): boolean {
  return greeting.length > 9 && greeting[0] === 0x52 && greeting.readInt32BE(5) === 0
}

function open(address: { host: string; port: number }, startup: Buffer): Backend {
  const tcp = connect({ ...address, noDelay: true })
  const backend: Backend = {
    ...{ tcp, greeting: Buffer.alloc(0), isQuiet: false },
    heard: () => {},
    gone: () => {},
  }
  let isGreeted = false
  tcp.on('data', (bytes) => {
    backend.isQuiet = bytes.length >= ready.length && bytes.subarray(-ready.length).equals(ready)
    if (!isGreeted) {
      backend.greeting = Buffer.concat([backend.greeting, bytes])
      isGreeted = backend.isQuiet
    }
    backend.heard(bytes)
  })
  tcp.on('close', () => backend.gone())
  tcp.on('error', () => backend.gone())
  tcp.write(startup)
  return backend
}
