import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveV1 } from '../serve.ts'
import { readApiRequest } from '#functions/engine/http/read-request.ts'
import { refusal } from '#functions/api/answer.ts'
import { openRequest } from '#functions/api/request-context.ts'
import type { Env } from '#functions/settings.ts'
import { asSystem } from '#db/testing.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { settings, type TestWorld } from '#db/worlds/world.ts'

export interface Listener {
  /** http://127.0.0.1:port */
  root: string
  /** The received requests, newest last. */
  seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[]
  close(): Promise<void>
}

/** `/v1` on a local socket, with requests handled as in the Worker. The outside world is only a name server without names. */
export async function listen({ database }: TestWorld): Promise<Listener> {
  const requests: Listener['seen'] = []
  // Super admins are blocked without a second factor.
  const { db, end } = database.connect(asSystem)
  await db.updateTable('user').set({ twoFactorEnabled: true }).where('role', '=', 'super_admin').execute()
  await end()
  const env = {
    ...database.env,
    FILES: memoryBucket(),
    TILES: memoryBucket(),
    HUBS: memoryBucket(),
    QUEUE: { send: async () => {} },
    JOBS: { send: async () => {} },
    ENVIRONMENT: 'test',
    APP_HOST: settings.appHost,
    PUBLIC_HOST: settings.publicHost,
    SCHEME: settings.scheme,
    AUTH_SECRET: settings.authSecret,
    MAIL_FROM: settings.mailFrom,
    SUPPORT_URL: settings.supportUrl,
  } as unknown as Env
  const site = { mode: 'main', host: settings.appHost, origin: `http://${settings.appHost}` } as const

  async function answer(incoming: IncomingMessage): Promise<Response> {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const { method = 'GET', url = '/', headers } = incoming
    requests.push({ method, url, headers, body: body.toString() })
    const request = new Request(new URL(url, root), {
      method,
      headers: Object.entries(headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((each): [string, string] => [name, each]),
      ),
      ...(body.length ? { body } : {}),
    })
    const apiRequest = await readApiRequest(request)
    const { ctx, rejection, close } = await openRequest(apiRequest.request, env, site, apiRequest.key)
    ctx.fetch = async () => Response.json({ Status: 3 })
    try {
      const response = rejection ? refusal(rejection, ctx) : await serveV1(apiRequest, ctx)
      return new Response(
        await response.arrayBuffer().then((bytes) => (bytes.byteLength ? bytes : null)),
        response,
      )
    } finally {
      await close()
    }
  }

  const server = createServer((incoming: IncomingMessage, outgoing: ServerResponse) => {
    answer(incoming).then(
      async (response) => {
        outgoing.writeHead(response.status, Object.fromEntries(response.headers))
        outgoing.end(Buffer.from(await response.arrayBuffer()))
      },
      (error: unknown) => outgoing.writeHead(599).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    root,
    seen: requests,
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
