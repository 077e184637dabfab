import { request } from 'node:http'
import { expect, inject } from 'vitest'
import { sourceInPath } from '#functions/shapes/hub-picture.ts'

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

/**
 * Calls an endpoint with the key of a role of the demo, as a program does, and returns its answer as JSON. Throws where it
 * is refused.
 */
export async function callAs<Result = Record<string, unknown>>(
  role: string,
  method: string,
  path: string,
  data?: unknown,
): Promise<Result> {
  const answer = await ask(path, {
    method,
    headers: { authorization: `Bearer ${account(role).key}`, 'content-type': 'application/json' },
    ...(data === undefined ? {} : { body: JSON.stringify(data) }),
  })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
  return (answer.text ? JSON.parse(answer.text) : {}) as Result
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

/**
 * Waits until the pages of a hub's sources show the sizes of their files: files are made after the pages, which show them
 * within a minute. Throws after 90 s.
 */
export async function waitForFileSizes(host: string): Promise<void> {
  for (const path of await hubPaths(host)) {
    if (sourceInPath(path) === null) continue
    const sizes = async () => (await ask(path, { host })).text.match(/\d (?:bytes|kB|MB)/g)?.length ?? 0
    await expect.poll(sizes, { message: path, timeout: 90_000 }).toBeGreaterThan(0)
  }
}
