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
  onData: (bytes: Buffer) => void
  onClose: () => void
  /** Closes the connection when it stays unused. */
  timer?: NodeJS.Timeout
}

/** The connections of one user to one database. */
interface Pool {
  /** How many are open, in use or not. */
  open: number
  idle: Backend[]
  /** Clients without a connection, longest wait first. Called with one that is free, or when one may be opened. */
  waiting: Set<(free?: Backend) => void>
}

/** The limits of a pool of connections, per user and database. */
export interface PoolLimits {
  /** The most idle connections that are kept: while there are any, a database can be neither renamed nor copied. */
  maxIdle?: number
  /** The most connections that are open at the same time. */
  maxOpen?: number
}

/**
 * The most connections per user and database, for statements and again for transactions; further clients wait. A Postgres
 * has 100 in all by default.
 */
export const maxConnections = 40

/** Timeout for a free connection; then the client retries. */
export const freeMs = 1_900

/** The message for a client that found no free connection in time. */
export const noFreeConnection = 'Every connection to the database is in use.'

/** The same as PostgreSQL's error for it: severity, SQLSTATE, message. */
const refusal = message('E', Buffer.from(`SFATAL\0VFATAL\0C53300\0M${noFreeConnection}\0\0`))

/** Unused connections are closed after this time. */
const idleMs = 30_000

/**
 * A pool of connections to a Postgres server over TCP. A cleanly released one is reset (`DISCARD ALL`) and reused by the
 * next client with the same user and database, as the pooler of Neon does: a new connection is a process with an empty
 * catalogue cache, which takes longer than most transactions. Also like that pooler, it lets clients wait for each other
 * where the server would refuse them: those that wait for a row lock hold a connection each.
 */
export class Backends {
  private readonly pools = new Map<string, Pool>()
  /** All that are open, in use or not. */
  private readonly open = new Set<Socket>()
  private readonly address: { host: string; port: number }
  private readonly maxIdle: number
  private readonly maxOpen: number

  constructor(
    address: { host: string; port: number },
    { maxIdle = 0, maxOpen = maxConnections }: PoolLimits = {},
  ) {
    this.address = address
    this.maxIdle = maxIdle
    this.maxOpen = maxOpen
  }

  /** Speaks the Postgres protocol with one client until it disconnects. */
  serve(line: Line): void {
    const frames = new FrameReader()
    let backend: Backend | null = null
    let pool: Pool | null = null
    let stopWaiting = () => {}
    const releaseBackend = () => {
      stopWaiting()
      if (pool && backend) this.release(pool, backend)
      backend = null
    }
    line.on('message', (bytes) => {
      const more: Buffer[] = []
      for (const frame of frames.push(bytes)) {
        if (frame.kind === 'ssl') line.send(Buffer.from('N'))
        else if (frame.kind === 'startup') {
          pool = this.getPool(frame.bytes)
          stopWaiting = this.acquireBackend(pool, frame.bytes, line, (newBackend) => (backend = newBackend))
        } else if (frame.kind === 'X') {
          releaseBackend()
          line.close()
        } else more.push(frame.bytes)
      }
      // Before a client has a connection it is not greeted, and says nothing.
      if (!backend || more.length === 0) return
      backend.isQuiet = false
      // In one write: a statement is five messages, and sending each separately takes longer than creating them.
      backend.tcp.write(more.length === 1 ? (more[0] as Buffer) : Buffer.concat(more))
    })
    line.on('error', () => line.close())
    line.on('close', releaseBackend)
  }

  close(): void {
    for (const { waiting } of this.pools.values()) waiting.clear()
    for (const tcp of this.open) tcp.destroy()
  }

  /** The startup message names the user and the database. */
  private getPool(startup: Buffer): Pool {
    const kind = startup.toString('latin1')
    const pool = this.pools.get(kind) ?? { open: 0, idle: [], waiting: new Set() }
    this.pools.set(kind, pool)
    return pool
  }

  /**
   * Gives a client a connection, at once or as soon as one is free; after `freeMs` refuses it as a server without free
   * connections does. Returns a function that ends the wait.
   */
  private acquireBackend(
    pool: Pool,
    startup: Buffer,
    line: Line,
    use: (backend: Backend) => void,
  ): () => void {
    const assignBackend = (free?: Backend) => {
      clearTimeout(free?.timer)
      free?.tcp.ref()
      const backend = free ?? this.openIn(pool, startup)
      backend.onData = (bytes) => line.send(bytes)
      backend.onClose = () => line.close()
      use(backend)
      if (free) line.send(free.greeting)
    }
    const free = pool.idle.pop()
    if (free || pool.open < this.maxOpen) {
      assignBackend(free)
      return () => {}
    }
    const stop = () => {
      clearTimeout(timer)
      pool.waiting.delete(onFree)
    }
    const onFree = (backend?: Backend) => {
      stop()
      assignBackend(backend)
    }
    const timer = setTimeout(() => {
      stop()
      line.send(refusal)
      line.close()
    }, freeMs)
    pool.waiting.add(onFree)
    return stop
  }

  private openIn(pool: Pool, startup: Buffer): Backend {
    const backend = open(this.address, startup)
    this.open.add(backend.tcp)
    pool.open += 1
    backend.tcp.on('close', () => {
      this.open.delete(backend.tcp)
      pool.open -= 1
      findLongestWaiting(pool)?.()
    })
    return backend
  }

  private release(pool: Pool, backend: Backend) {
    // A connection with unfinished work, or one that required a password, is not reused.
    const isKept = backend.isQuiet && isOpenToAll(backend.greeting) && pool.idle.length < this.maxIdle
    if (!isKept || !backend.tcp.writable) return void backend.tcp.destroy()
    backend.onClose = () => {
      pool.idle = pool.idle.filter((other) => other !== backend)
    }
    backend.onData = () => {
      if (!backend.isQuiet) return
      backend.onData = () => {}
      const next = findLongestWaiting(pool)
      if (next) return next(backend)
      backend.timer = setTimeout(() => backend.tcp.destroy(), idleMs).unref()
      // A process that is done need not wait for it.
      backend.tcp.unref()
      pool.idle.push(backend)
    }
    backend.isQuiet = false
    backend.tcp.write(reset)
  }
}

/** The client that has waited longest. */
const findLongestWaiting = ({ waiting: [next] }: { waiting: Iterable<(free?: Backend) => void> }) => next

/** Whether a greeting starts with "you are in". */
function isOpenToAll(greeting: Buffer): boolean {
  return greeting.length > 9 && greeting[0] === 0x52 && greeting.readInt32BE(5) === 0
}

function open(address: { host: string; port: number }, startup: Buffer): Backend {
  const tcp = connect({ ...address, noDelay: true })
  const backend: Backend = {
    ...{ tcp, greeting: Buffer.alloc(0), isQuiet: false },
    onData: () => {},
    onClose: () => {},
  }
  let isGreeted = false
  tcp.on('data', (bytes) => {
    backend.isQuiet = bytes.length >= ready.length && bytes.subarray(-ready.length).equals(ready)
    if (!isGreeted) {
      backend.greeting = Buffer.concat([backend.greeting, bytes])
      isGreeted = backend.isQuiet
    }
    backend.onData(bytes)
  })
  tcp.on('close', () => backend.onClose())
  tcp.on('error', () => backend.onClose())
  tcp.write(startup)
  return backend
}
