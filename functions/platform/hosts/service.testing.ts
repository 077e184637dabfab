import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface StoredHost {
  id: string
  hostname: string
  status: string
  ssl: Record<string, unknown> & { status: string; method: string }
  [member: string]: unknown
}

/** A failure of the next requests of a method: an error response, no response, or one that is sent after the work was done. */
type Trouble =
  | { method: string; status: number; body?: unknown; times?: number }
  | { method: string; isSilent: true; afterWork?: boolean; times?: number }

/**
 * A local server that behaves like the API of custom hostnames: `POST` (201), `GET` with `hostname=` (200), `PATCH`
 * (202), `DELETE` (200), 409 with code 1406 for an existing hostname, 403 without the token.
 */
export async function openService(token: string) {
  const hosts = new Map<string, StoredHost>()
  const requests: string[] = []
  const troubles: (Trouble & { times: number })[] = []
  let createdCount = 0

  function work(
    method: string,
    url: URL,
    id: string | undefined,
    body: Record<string, unknown>,
  ): [number, unknown] {
    const storedHost = [...hosts.values()].find((each) => each.id === id)
    if (method === 'GET') {
      const host = url.searchParams.get('hostname') ?? ''
      const result = [...hosts.values()].filter(({ hostname }) => hostname.includes(host))
      return [
        200,
        {
          success: true,
          errors: [],
          messages: [],
          result,
          result_info: { page: 1, per_page: 50, count: result.length },
        },
      ]
    }
    if (method === 'POST') {
      const hostname = String(body.hostname)
      if (hosts.has(hostname)) return [409, buildErrorBody(1406, 'Duplicate custom hostname found.')]
      if (hostname.endsWith('.test'))
        return [
          400,
          buildErrorBody(1409, "Reserved top domain custom hostnames, such as 'test', is not supported."),
        ]
      const { method: by = 'http' } = body.ssl as { method?: string }
      const newHost: StoredHost = {
        id: `id-${(createdCount += 1)}`,
        hostname,
        status: 'pending',
        ssl: {
          ...{ id: 'ssl', type: 'dv', method: by, status: 'pending_validation' },
          validation_records:
            by === 'txt'
              ? [{ status: 'pending', txt_name: `_acme-challenge.${hostname}`, txt_value: 'acme' }]
              : [],
        },
        ownership_verification: { type: 'txt', name: `_cf-custom-hostname.${hostname}`, value: 'owner' },
        verification_errors: ['custom hostname does not CNAME to this zone.'],
      }
      hosts.set(hostname, newHost)
      return [201, { success: true, errors: [], messages: [], result: newHost }]
    }
    if (!storedHost) return [404, buildErrorBody(1436, 'The custom hostname was not found.')]
    if (method === 'DELETE') {
      hosts.delete(storedHost.hostname)
      return [200, { id: storedHost.id }]
    }
    Object.assign(storedHost.ssl, body.ssl, { status: 'pending_validation', validation_records: [] })
    storedHost.status = 'pending'
    return [202, { success: true, errors: [], messages: [], result: storedHost }]
  }

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '/', 'http://service')
    const method = request.method ?? 'GET'
    let text = ''
    for await (const chunk of request) text += String(chunk)
    requests.push(`${method} ${url.pathname.split('/').slice(3).join('/')}${url.search}`)
    const send = (status: number, body: unknown) =>
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(typeof body === 'string' ? body : JSON.stringify(body))
    if (request.headers.authorization !== `Bearer ${token}`)
      return send(403, buildErrorBody(10000, 'Authentication error'))
    const id = url.pathname.split('/')[4]
    const trouble = troubles.find((each) => each.method === method && each.times > 0)
    if (trouble) {
      trouble.times -= 1
      if ('isSilent' in trouble) {
        if (trouble.afterWork)
          work(method, url, id, text ? (JSON.parse(text) as Record<string, unknown>) : {})
        return void request.socket.destroy()
      }
      return send(trouble.status, trouble.body ?? buildErrorBody(0, 'Trouble.'))
    }
    send(...work(method, url, id, text ? (JSON.parse(text) as Record<string, unknown>) : {}))
  }

  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    endpoint: `http://127.0.0.1:${port}`,
    hosts,
    asked: requests,
    /** Makes the next requests of a method fail, one by default. */
    trouble: (trouble: Trouble) => void troubles.push({ times: 1, ...trouble }),
    heal: () => void troubles.splice(0),
    close: () => new Promise<void>((closed) => (server.closeAllConnections(), server.close(() => closed()))),
  }
}

const buildErrorBody = (code: number, message: string) => ({
  success: false,
  errors: [{ code, message }],
  messages: [],
  result: null,
})
