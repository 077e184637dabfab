import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, constants } from 'node:zlib'

/** The brotli quality with which Cloudflare compresses responses. */
const quality = 4
const isCompressed = /^(?:text\/|application\/(?:json|javascript|ld\+json|xml)|image\/svg)/

/** Compresses a text as the edge sends it. */
export const brotli = (body: Buffer) =>
  brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })

/** The smallest page: the minimum of what a browser on this machine needs for any page. */
const trivial = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Hello</title><link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width"><meta name="description" content="A page with a heading and a sentence.">
</head><body><main><h1>Hello</h1><p>There is nothing else here.</p></main></body></html>`
export const trivialPath = '/trivial-page'

/**
 * A proxy before the Worker that acts as the platform's edge: it compresses texts for clients that accept it.
 * `trivialPath` is answered from memory, without the Worker. Set the Worker's port before the first request.
 * `onAnswer` gets the compressed size of each body, including those requested by the browser's workers.
 */
export async function openEdge(
  onAnswer: (path: string, bytes: number) => void = () => {},
): Promise<{ port: number; to(port: number): void; close(): Promise<void> }> {
  let behind = 0
  const server = createServer((incoming, outgoing) => {
    const takes = /\bbr\b/.test(String(incoming.headers['accept-encoding'] ?? ''))
    const send = (status: number, headers: Record<string, string | string[] | undefined>, body: Buffer) => {
      const isText = takes && body.length > 0 && isCompressed.test(String(headers['content-type'] ?? ''))
      const bytes = isText ? brotli(body) : body
      const rest = { ...headers }
      // The body is buffered, so it has a length.
      delete rest['transfer-encoding']
      const encoding = isText ? { 'content-encoding': 'br', vary: 'accept-encoding' } : {}
      outgoing.writeHead(status, { ...rest, ...encoding, 'content-length': bytes.length })
      outgoing.end(incoming.method === 'HEAD' ? undefined : bytes)
      onAnswer(incoming.url ?? '', incoming.method === 'HEAD' ? 0 : bytes.length)
    }
    if (incoming.url === trivialPath) {
      const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'max-age=0' }
      return send(200, headers, Buffer.from(trivial))
    }
    const { method, url, headers } = incoming
    const onward = { ...headers, 'accept-encoding': 'identity' }
    const httpRequest = request(
      { host: '127.0.0.1', port: behind, path: url, headers: onward, ...(method && { method }) },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => send(answer.statusCode ?? 502, answer.headers, Buffer.concat(chunks)))
      },
    )
    httpRequest.on('error', () => incoming.socket.destroy())
    incoming.pipe(httpRequest)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    to: (port) => void (behind = port),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
