import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { queryText } from '#app/client/api/query.ts'
import type { Db } from '#db/schema.ts'
import { serveV1 } from '#functions/v1/serve.ts'
import { contextOver } from './context.ts'

const origin = 'http://localhost:8787'

/** Calls `/v1` in this process; returns the bytes of the answer. Throws for any status but 200. */
export async function askV1(db: Db, path: string, options: Record<string, unknown> = {}): Promise<Buffer> {
  const response = await serveV1(new Request(`${origin}${path}?${queryText(options)}`), contextOver(db))
  const body = Buffer.from(await response.arrayBuffer())
  if (response.status !== 200)
    throw new Error(`${path} answered ${response.status}: ${body.toString().slice(0, 200)}`)
  return body
}

/** Serves `/v1` by Node's own HTTP server: the cost of the product without the platform around it. */
export async function serveInNode(db: Db): Promise<{ url: string; close(): Promise<void> }> {
  return listening(
    createServer((incoming, outgoing) => {
      void serveV1(new Request(`${origin}${incoming.url ?? '/'}`), contextOver(db)).then(async (response) => {
        const body = Buffer.from(await response.arrayBuffer())
        outgoing.writeHead(response.status, {
          'content-type': 'application/json',
          'content-length': body.length,
        })
        outgoing.end(body)
      })
    }),
  )
}

/** Starts a server on a free port of the loopback address. */
export async function listening(server: Server): Promise<{ url: string; close(): Promise<void> }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
