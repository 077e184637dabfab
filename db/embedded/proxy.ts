import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PGlite } from '@electric-sql/pglite'
import { Client as NeonClient, neonConfig } from '@neondatabase/serverless'
import pg from 'pg'
import { WebSocketServer, WebSocket } from 'ws'
import { Backends, freeMs, maxConnections, noFreeConnection, type PoolLimits } from './backends.ts'
import { Multiplexer } from './multiplexer.ts'
import { nearLine, type Line } from './near.ts'
import { runPipeline, type Answer, type Statement } from './pipeline.ts'

// Node 20 has no WebSocket of its own; workerd and browsers do.
neonConfig.webSocketConstructor = WebSocket

/** Where the queries go: an embedded database, or a Postgres that listens on TCP, through connections of the proxy or others. */
type Backend = { pglite: PGlite } | ServerAddress | { connections: ServerConnections }

interface ServerAddress {
  host: string
  port: number
}

/** Connections to a Postgres: of WebSockets, and for statements over HTTP. */
export interface ServerConnections {
  sessions: Backends
  clients: Clients
  close(): void
}

/** Opens connections that several proxies use one after the other. `limits`: of those for transactions. */
export function openConnections(address: ServerAddress, limits: PoolLimits): ServerConnections {
  const sessions = new Backends(address, limits)
  const clients = pooledClients(address)
  return {
    sessions,
    clients,
    close() {
      clients.close()
      sessions.close()
    },
  }
}

export interface Proxy {
  /** host:port, as `DB_PROXY` wants it. */
  address: string
  /**
   * The response of /sql to a body with these headers (in any case), without a socket: for callers in the same process,
   * for which HTTP would take most of the time of a statement.
   */
  answer(body: string, headers: Record<string, string>): Promise<SqlAnswer>
  /** A WebSocket to /v2 without a socket, for the same reason. */
  line(): unknown
  close(): Promise<void>
}

/** Status 400 with Neon's form of a Postgres error, else 200. */
interface SqlAnswer {
  status: 200 | 400
  json: unknown
}

/** The parts of a driver's client that are used here. */
interface Client {
  query(query: { text: string; values?: unknown[]; rowMode?: 'array' }): Promise<{
    command: string
    rowCount: number | null
    rows: unknown[]
    fields: unknown[]
  }>
  end(): Promise<void>
}

/** What a proxy sends to; `close` ends what no other proxy uses. */
function openBackend(backend: Backend, limits: PoolLimits, line: () => unknown) {
  if ('connections' in backend) return { ...backend.connections, close: () => {} }
  if ('host' in backend) return openConnections(backend, limits)
  const clients = embeddedClients(line)
  return { sessions: new Multiplexer(backend.pglite), clients, close: clients.close }
}

/**
 * Behaves like Neon's endpoints, so that the production driver runs here unchanged: WebSocket on /v2 (the Postgres
 * protocol) and HTTP POST on /sql (one statement or a batch in a transaction). Listens on the loopback address only;
 * port 0 picks a free one. `limits`: of the connections to a Postgres for transactions.
 */
export async function startProxy(backend: Backend, port = 0, limits: PoolLimits = {}): Promise<Proxy> {
  const { sessions, clients, close: closeBackend } = openBackend(backend, limits, line)
  let address = ''

  const server = createServer((request, response) => {
    if (request.url === '/health') return void response.end('ok')
    if (request.method !== 'POST' || request.url !== '/sql') {
      response.statusCode = 404
      return void response.end()
    }
    readBody(request)
      .then((body) => answer(body, request.headers as Record<string, string>))
      .then(({ status, json }) => {
        response.statusCode = status
        response.setHeader('content-type', 'application/json').end(JSON.stringify(json))
      })
      .catch(() => response.destroy())
  })

  async function answer(body: string, input: Record<string, string>): Promise<SqlAnswer> {
    try {
      const headers = new Map(Object.entries(input).map(([name, value]) => [name.toLowerCase(), value]))
      const url = headers.get('neon-connection-string') ?? ''
      return { status: 200, json: await answerSql(body, url, headers.get('neon-batch-read-only') === 'true') }
    } catch (error) {
      return { status: 400, json: asNeonError(error) }
    }
  }

  async function answerSql(text: string, url: string, readOnly: boolean) {
    const body = JSON.parse(text) as Statement & { queries?: Statement[] }
    const { run, runAll, release } = await clients.acquireConnection(url)
    try {
      return body.queries ? { results: await runAll(body.queries, readOnly) } : await run(body)
    } finally {
      release()
    }
  }

  const sockets = new WebSocketServer({ server, perMessageDeflate: false })
  sockets.on('connection', (socket) => sessions.serve(socket))
  const near = new Set<Line>()

  function line(): unknown {
    const { driver, proxy } = nearLine()
    near.add(proxy)
    proxy.on('close', () => near.delete(proxy))
    sessions.serve(proxy)
    return driver
  }

  await new Promise<void>((resolve, reject) => {
    // The embedded database blocks the event loop: a client must not reuse a connection that is about to be closed.
    server.keepAliveTimeout = 600_000
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    address,
    answer,
    line,
    async close() {
      for (const socket of sockets.clients) socket.terminate()
      for (const line of near) line.close()
      // An unreachable backend never answers a graceful close, so it is not awaited.
      closeBackend()
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** Provides connections for statements over HTTP, by connection string. */
interface Clients {
  acquireConnection(connectionString: string): Promise<StatementConnection>
  close(): void
}

interface StatementConnection {
  run(statement: Statement): Promise<Answer>
  /** Runs all in one transaction; after an error none. */
  runAll(statements: Statement[], readOnly: boolean): Promise<Answer[]>
  release(): void
}

const types = { getTypeParser: () => (value: unknown) => value }

/** Clients of the embedded database, which lives and ends with this process. */
function embeddedClients(line: () => unknown): Clients {
  const idle = new Map<string, Client[]>()
  return {
    async acquireConnection(url) {
      const client = idle.get(url)?.pop() ?? (await openEmbeddedClient(url, line))
      return {
        run: (statement) => runOne(client, statement),
        runAll: (statements, readOnly) => runBatch(client, statements, readOnly),
        release: () => idle.set(url, [...(idle.get(url) ?? []), client]),
      }
    },
    close() {
      for (const client of [...idle.values()].flat()) client.end().catch(() => {})
    },
  }
}

async function openEmbeddedClient(connectionString: string, line: () => unknown): Promise<Client> {
  const client = new NeonClient({ connectionString, types })
  Object.assign(client.neonConfig, {
    webSocketConstructor: class {
      constructor() {
        return line() as object
      }
    },
    useSecureWebSocket: false,
    pipelineConnect: false,
    pipelineTLS: false,
    coalesceWrites: false,
  })
  client.on('error', () => {})
  await client.connect()
  return client as Client
}

/** Unused connections are closed after this time. */
const idleMs = 30_000
/** Timeout for connecting to a server. */
const connectMs = 10_000

/**
 * Clients for a Postgres server over TCP, from a pool that drops broken connections and closes idle ones. The host in a
 * connection string is how Neon's driver names it; `address` is the actual server.
 */
function pooledClients(address: { host: string; port: number }): Clients {
  const pools = new Map<string, pg.Pool>()
  const getPool = (connectionString: string) => {
    const { username, password, pathname } = new URL(connectionString)
    const name = `${username}@${pathname}`
    const existingPool = pools.get(name)
    if (existingPool) return existingPool
    const options = {
      ...address,
      user: decodeURIComponent(username),
      password: decodeURIComponent(password),
      database: decodeURIComponent(pathname.slice(1)),
      types,
      max: maxConnections,
      idleTimeoutMillis: idleMs,
      connectionTimeoutMillis: connectMs,
      allowExitOnIdle: true,
    }
    const pool = new pg.Pool(options)
    // A broken idle connection leaves the pool; nobody needs to be notified.
    pool.on('error', () => {})
    pool.on('connect', (client) => client.on('error', () => {}))
    pools.set(name, pool)
    return pool
  }
  return {
    async acquireConnection(url) {
      const client = await acquireClient(getPool(url))
      // The pool does not reuse a client whose connection broke.
      return {
        run: (statement) => runOne(client, statement),
        runAll: (statements, readOnly) => runPipeline(client, statements, readOnly),
        release: () => client.release(),
      }
    },
    close() {
      for (const pool of pools.values()) pool.end().catch(() => {})
    },
  }
}

/**
 * A connection of a pool; where all are in use, one that becomes free in time, or else the error of a server without
 * free connections.
 */
async function acquireClient(pool: pg.Pool): Promise<pg.PoolClient> {
  const isFull = pool.totalCount >= maxConnections && pool.idleCount === 0
  const coming = pool.connect()
  if (!isFull) return coming
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    const refuse = () => reject(Object.assign(new Error(noFreeConnection), { code: '53300' }))
    timer = setTimeout(refuse, freeMs)
  })
  try {
    return await Promise.race([coming, tooLate])
  } catch (error) {
    // Still queued: its connection goes back to the pool for the next one.
    coming.then(
      (client) => client.release(),
      () => {},
    )
    throw error
  } finally {
    clearTimeout(timer)
  }
}

async function runOne(client: Client, { query, params }: Statement): Promise<Answer> {
  const answer = await client.query({ text: query, values: params ?? [], rowMode: 'array' })
  const { command, rowCount, rows, fields } = answer
  return { command, rowCount, rows, fields, rowAsArray: true }
}

async function runBatch(client: Client, statements: Statement[], readOnly: boolean) {
  await client.query({ text: readOnly ? 'BEGIN READ ONLY' : 'BEGIN' })
  try {
    const answers: Answer[] = []
    for (const statement of statements) answers.push(await runOne(client, statement))
    await client.query({ text: 'COMMIT' })
    return answers
  } catch (error) {
    await client.query({ text: 'ROLLBACK' })
    throw error
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

/** The members of a Postgres error that Neon's HTTP endpoint passes on. */
function asNeonError(error: unknown) {
  const e = error as Record<string, unknown> & { message?: string }
  const { code, detail, hint, constraint, table, column, schema, severity, position } = e
  return { message: e.message, code, detail, hint, constraint, table, column, schema, severity, position }
}
