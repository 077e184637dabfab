import { request } from 'node:http'
import { inject } from 'vitest'

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
  text: string
}

interface WalkRequest {
  /** The port of another Worker than the shared one. */
  port?: number
  /** Without the port, which is added; by default the workspace's. */
  host?: string
  method?: string
  headers?: Record<string, string>
  body?: string
}

/**
 * Sends a request to the Worker under any host: Node does not resolve `*.localhost`, so the socket connects
 * to 127.0.0.1.
 */
export function ask(
  path: string,
  { port = inject('port'), host = 'localhost', method = 'GET', headers = {}, body }: WalkRequest = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    // A new socket for each request: a rejected body closes its connection, which the next request must not
    // reuse.
    const options = {
      agent: false,
      host: '127.0.0.1',
      port,
      path,
      method,
      headers: { host: `${host}:${port}`, ...headers },
    }
    const outgoing = request(options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: bytes,
          text: bytes.toString(),
        })
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** Returns the demo's account of a role. */
export function account(role: string) {
  const demoAccount = inject('demo').accounts.find((each) => each.role === role)
  if (!demoAccount) throw new Error(`The demo has no ${role}.`)
  return demoAccount
}

export const hubs = {
  seattle: { id: 'seattle-wa', host: 'data.seattle.localhost' },
  usa: { id: 'usa', host: 'usa.localhost' },
} as const

/** Returns the paths of a hub that its home, its index pages and its sidebar link to, the home first. */
export async function hubPaths(host: string): Promise<string[]> {
  const paths = new Set(['/'])
  for (const path of ['/', '/datastories', '/domains', '/topics', '/map', '/about']) {
    const { text, status } = await ask(path, { host })
    if (status !== 200) continue
    paths.add(path)
    for (const [, href] of text.matchAll(/href="(\/(?:domains|topics|pages|datastories|map|about)[^"#?]*)"/g))
      // Feeds and catalogues are files for programs.
      if (!/\.\w+$/.test(href ?? '')) paths.add(href ?? '/')
  }
  return [...paths]
}
