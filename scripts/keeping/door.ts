import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** What a door does with requests: passes them on, or fails them in one of the ways a server or a line fails. */
type Mode =
  | 'pass'
  /** No connection at all. */
  | 'refuse'
  /** A proxy's page that says 503. */
  | 'busy'
  /** No answer. */
  | 'hang'
  /** It arrives, and the line breaks before its answer. */
  | 'lose'

/** A door before the Worker, which fails what comes through it. */
export interface Door {
  port: number
  /** What to do with requests from now on; of `only` writes (POST) or reads, the others pass. */
  set(mode: Mode, only?: 'writes' | 'reads'): void
  /** How many writes were passed on since the last time this was asked. */
  takeWrites(): number
  /** Passes all on, each so many milliseconds later. */
  slow(milliseconds: number): void
  close(): Promise<void>
}

/** Opens a door before what listens on `target`; assets pass always, as they do from a browser's cache. */
export async function openDoor(target: () => number): Promise<Door> {
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
    takeWrites() {
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
