import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * How a proxy handles requests: it forwards them, or makes them fail in one of the ways a server or a
 * connection fails.
 */
type Mode =
  | 'pass'
  /** Closes the connection. */
  | 'refuse'
  /** Answers 503, as an overloaded proxy does. */
  | 'busy'
  /** Never answers. */
  | 'hang'
  /** Forwards the request and closes the connection before the answer. */
  | 'lose'

/** A proxy before the Worker that can make requests fail. */
export interface FaultyProxy {
  port: number
  /** Sets the mode from now on and ends a delay; with `only` for writes (POST) or reads, the others pass. */
  set(mode: Mode, only?: 'writes' | 'reads'): void
  /** Returns the number of forwarded writes since the last call. */
  consumeWriteCount(): number
  /** Delays all requests by so many milliseconds. */
  slow(milliseconds: number): void
  close(): Promise<void>
}

/** Opens a proxy before the server at port `target()`; assets always pass, as if from the browser's cache. */
export async function openFaultyProxy(target: () => number): Promise<FaultyProxy> {
  let mode: Mode = 'pass'
  let only: 'writes' | 'reads' | undefined
  let delay = 0
  let writes = 0
  const sockets = new Set<Socket>()

  const server = createServer((incoming, outgoing) => {
    const isWrite = incoming.method === 'POST'
    const isAsset = /^\/(?:assets|fonts|favicon)/.test(incoming.url ?? '')
    const isMeant = !isAsset && (only === undefined || (only === 'writes') === isWrite)
    const behaviour = isMeant ? mode : 'pass'
    if (behaviour === 'refuse') return void incoming.socket.destroy()
    if (behaviour === 'hang') return void incoming.resume()
    if (behaviour === 'busy') {
      incoming.resume()
      outgoing.writeHead(503, { 'content-type': 'text/html', 'retry-after': '5' })
      return void outgoing.end('<!doctype html><h1>503 Service Unavailable</h1>')
    }
    if (isWrite) writes += 1
    setTimeout(() => passOn(incoming, outgoing, behaviour === 'lose'), isAsset ? 0 : delay)
  })
  function passOn(incoming: IncomingMessage, outgoing: ServerResponse, isLost: boolean) {
    const { method, url, headers } = incoming
    const options = { host: '127.0.0.1', port: target(), method, path: url, headers, agent: false }
    const forwarded = httpRequest(options, (answer) => {
      if (isLost) {
        answer.resume()
        answer.on('end', () => incoming.socket.destroy())
        return
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    forwarded.on('error', () => incoming.socket.destroy())
    incoming.pipe(forwarded)
  }
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    port,
    set(next, of) {
      mode = next
      only = of
      delay = 0
    },
    slow(milliseconds) {
      delay = milliseconds
    },
    consumeWriteCount() {
      const since = writes
      writes = 0
      return since
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
