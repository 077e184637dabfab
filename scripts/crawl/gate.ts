import { createServer, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

/** A proxy before a database: counts what passes, and can be shut. */
export interface Gate {
  /** host:port, as `DB_PROXY` wants it. */
  address: string
  /**
   * Returns the HTTP requests since the last call, as JSON with their statements, at most the first
   * `maxText` characters of each, and '' for each connection that was opened; includes those refused while
   * shut.
   */
  consumeRequests(): string[]
  /** Shuts the gate, as if the database were gone: connections break and new ones are refused. */
  shut(): void
  open(): void
  close(): Promise<void>
}

/** Statements come before their values in a message, so the beginning is enough to tell messages apart. */
const maxText = 10_000

/** Opens a gate before the database that listens at `address`. */
export async function openGate(address: string): Promise<Gate> {
  const [host = '', port = ''] = address.split(':')
  const sockets = new Set<Duplex>()
  let emails: { text: string }[] = []
  let isShut = false
  const onward = ({ method, url, headers }: IncomingMessage): RequestOptions => {
    return { host, port: Number(port), method: method ?? 'GET', path: url ?? '/', headers }
  }
  const server = createServer((incoming, outgoing) => {
    const message = { text: '' }
    emails.push(message)
    incoming.on('data', (chunk: Buffer) => {
      if (message.text.length < maxText) message.text += chunk.toString('utf8', 0, maxText)
    })
    if (isShut) return void incoming.on('end', () => incoming.socket.destroy())
    const upstream = httpRequest(onward(incoming), (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    upstream.on('error', () => incoming.socket.destroy())
    incoming.pipe(upstream)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('upgrade', (incoming, socket, head) => {
    emails.push({ text: '' })
    if (isShut) return void socket.destroy()
    const { method, url, rawHeaders } = incoming
    const lines = [`${method} ${url} HTTP/1.1`]
    for (let i = 0; i < rawHeaders.length; i += 2) lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`)
    const behind = connect(Number(port), host, () => {
      behind.write(`${lines.join('\r\n')}\r\n\r\n`)
      behind.write(head)
      socket.pipe(behind).pipe(socket)
    })
    behind.on('error', () => socket.destroy())
    socket.on('close', () => behind.destroy())
  })
  server.keepAliveTimeout = 600_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    consumeRequests() {
      const texts = emails.map(({ text }) => text)
      emails = []
      return texts
    },
    shut() {
      isShut = true
      for (const socket of sockets) socket.destroy()
    },
    open: () => void (isShut = false),
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
