import { createServer, type IncomingMessage } from 'node:http'
import { connect as connectTcp, type AddressInfo } from 'node:net'
import type { PGlite } from '@electric-sql/pglite'
import { Client, neonConfig } from '@neondatabase/serverless'
import { WebSocketServer, WebSocket } from 'ws'
import { Multiplexer } from './multiplexer.ts'

// Node 20 has no WebSocket of its own; workerd and browsers do.
neonConfig.webSocketConstructor = WebSocket

/** Where the queries go: an embedded database, or a Postgres that listens on TCP. */
export type Backend = { pglite: PGlite } | { host: string; port: number }

export interface Proxy {
  /** host:port, as `DB_PROXY` wants it. */
  address: string
  close(): Promise<void>
}

interface Query {
  query: string
  params?: unknown[]
}

/**
 * Answers as Neon's own endpoints do, so that the driver that runs in production runs here unchanged:
 * WebSocket on /v2 (the Postgres protocol) and HTTP POST on /sql (one statement or a batch in a transaction).
 * Listens on the loopback address only; port 0 picks a free one.
 */
export async function startProxy(backend: Backend, port = 0): Promise<Proxy> {
  const multiplexer = 'pglite' in backend ? new Multiplexer(backend.pglite) : null
  /** Clients to use again, by the identity they connected as. */
  const idle = new Map<string, Client[]>()
  let address = ''

  const server = createServer((request, response) => {
    if (request.url === '/health') return void response.end('ok')
    if (request.method !== 'POST' || request.url !== '/sql') {
      response.statusCode = 404
      return void response.end()
    }
    answerSql(request).then(
      (body) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body)),
      (error: unknown) => {
        response.statusCode = 400
        response.setHeader('content-type', 'application/json').end(JSON.stringify(asNeonError(error)))
      },
    )
  })

  async function answerSql(request: IncomingMessage) {
    const body = JSON.parse(await textOf(request)) as Query & { queries?: Query[] }
    const url = String(request.headers['neon-connection-string'])
    const client = idle.get(url)?.pop() ?? (await openClient(url))
    try {
      if (!body.queries) return await runOne(client, body)
      const readOnly = request.headers['neon-batch-read-only'] === 'true'
      return { results: await runBatch(client, body.queries, readOnly) }
    } finally {
      idle.set(url, [...(idle.get(url) ?? []), client])
    }
  }

  async function openClient(connectionString: string): Promise<Client> {
    const client = new Client({ connectionString, types: { getTypeParser: () => (value: unknown) => value } })
    Object.assign(client.neonConfig, {
      wsProxy: () => `${address}/v2`,
      useSecureWebSocket: false,
      pipelineConnect: false,
      pipelineTLS: false,
    })
    client.on('error', () => {})
    await client.connect()
    return client
  }

  const sockets = new WebSocketServer({ server, perMessageDeflate: false })
  sockets.on('connection', (socket) => {
    if (multiplexer) return multiplexer.serve(socket)
    const { host, port } = backend as { host: string; port: number }
    const tcp = connectTcp({ host, port, noDelay: true })
    tcp.on('data', (bytes) => socket.send(bytes))
    tcp.on('close', () => socket.close())
    tcp.on('error', () => socket.close())
    socket.on('message', (bytes: Buffer) => tcp.write(bytes))
    socket.on('close', () => tcp.destroy())
  })

  await new Promise<void>((resolve, reject) => {
    // While the embedded database works no time passes here: an asker must not reuse what would then be closed first.
    server.keepAliveTimeout = 600_000
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    address,
    async close() {
      // A backend that is gone never answers a polite goodbye, so nobody waits for it.
      for (const client of [...idle.values()].flat()) client.end().catch(() => {})
      for (const socket of sockets.clients) socket.terminate()
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

async function runOne(client: Client, { query, params }: Query) {
  const answer = await client.query({ text: query, values: params ?? [], rowMode: 'array' })
  const { command, rowCount, rows, fields } = answer
  return { command, rowCount, rows, fields, rowAsArray: true }
}

async function runBatch(client: Client, queries: Query[], readOnly: boolean) {
  await client.query(readOnly ? 'BEGIN READ ONLY' : 'BEGIN')
  try {
    const results: unknown[] = []
    for (const query of queries) results.push(await runOne(client, query))
    await client.query('COMMIT')
    return results
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
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
