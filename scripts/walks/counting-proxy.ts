import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'
import { FrameReader } from '#db/embedded/wire.ts'

interface CountingProxy {
  /** host:port, in the form of `DB_PROXY`. */
  address: string
  /** Returns the texts of the statements since the last call, in order. */
  consumeStatements(): string[]
  close(): Promise<void>
}

/** Statements that set the actor, or begin and end transactions: none of the product's queries. */
const around = /^\s*(?:begin|commit|rollback|start transaction|select set_config\('app\.user')/i

/**
 * A proxy between a Worker and the proxy of its database at `target` (host:port). It forwards everything
 * unchanged, and records the statements of both protocols: HTTP (`/sql`) and WebSocket (`/v2`, the Postgres
 * protocol).
 */
export async function startCountingProxy(target: string): Promise<CountingProxy> {
  let statements: string[] = []
  const recordStatement = (text: string) => {
    if (!around.test(text)) statements.push(text)
  }

  const server = createServer((request, response) => {
    passOn(request, response).catch(() => response.destroy())
  })
  async function passOn(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const { query, queries } = JSON.parse(body.toString()) as {
      query?: string
      queries?: { query: string }[]
    }
    for (const each of queries ?? [{ query: query ?? '' }]) recordStatement(each.query)
    const headers = new Headers()
    for (const [name, value] of Object.entries(request.headers))
      if (name.startsWith('neon-') || name === 'content-type') headers.set(name, String(value))
    const answer = await fetch(`http://${target}${request.url}`, { method: 'POST', headers, body })
    response.statusCode = answer.status
    response.setHeader('content-type', 'application/json')
    response.end(Buffer.from(await answer.arrayBuffer()))
  }

  const sockets = new WebSocketServer({ server, perMessageDeflate: false })
  sockets.on('connection', (socket, request) => {
    const beyond = new WebSocket(`ws://${target}${request.url}`, { perMessageDeflate: false })
    const frames = new FrameReader()
    let waiting: Buffer[] | null = []
    beyond.on('open', () => {
      for (const bytes of waiting ?? []) beyond.send(bytes)
      waiting = null
    })
    socket.on('message', (bytes: Buffer) => {
      for (const frame of frames.push(bytes)) {
        const text = findStatement(frame)
        if (text !== null) recordStatement(text)
      }
      if (waiting) waiting.push(bytes)
      else beyond.send(bytes)
    })
    beyond.on('message', (bytes: Buffer) => socket.send(bytes))
    for (const [one, other] of [
      [socket, beyond],
      [beyond, socket],
    ] as const) {
      one.on('close', () => other.close())
      one.on('error', () => other.close())
    }
  })

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.keepAliveTimeout = 600_000
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    consumeStatements() {
      const since = statements
      statements = []
      return since
    },
    async close() {
      for (const socket of sockets.clients) socket.terminate()
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/**
 * Returns the statement of a protocol message: of a simple query (Q) or a parse (P); null for other messages.
 */
function findStatement({ kind, bytes }: { kind: string; bytes: Buffer }): string | null {
  // Type and length of a message take five bytes; in a parse message the statement's name comes first.
  const from = kind === 'Q' ? 5 : kind === 'P' ? bytes.indexOf(0, 5) + 1 : -1
  return from < 0 ? null : bytes.toString('utf8', from, bytes.indexOf(0, from))
}
