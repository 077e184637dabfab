import { serveV1 } from '../serve.ts'
import type { Asker, ProofWorld } from './world.testing.ts'
import type { Context } from '#functions/context.ts'

export interface Wire {
  method: string
  /** After `/v1`, with parameters filled in and its query string. */
  path: string
  /** Sent as JSON; undefined sends none. */
  body?: unknown
  /** Sent unchanged, instead of `body`. */
  raw?: string
  headers?: Record<string, string>
}

export interface Answer {
  status: number
  headers: Headers
  text: string
  /** The parsed JSON body; undefined for other bodies. */
  json: unknown
  /** Unexpected errors that were reported. */
  reported: unknown[]
}

const origin = 'http://localhost:8787'

/** Sends a request to `/v1` as an actor, through everything short of a socket. */
export async function send(
  world: ProofWorld,
  asker: Asker,
  { method, path, body, raw, headers = {} }: Wire,
  changes: Partial<Context> = {},
): Promise<Answer> {
  const text = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const requestHeaders = new Headers(headers)
  if (body !== undefined && !requestHeaders.has('content-type'))
    requestHeaders.set('content-type', 'application/json')
  const request = new Request(`${origin}/v1${path}`, {
    method: method.toUpperCase(),
    headers: requestHeaders,
    ...(text === undefined || method.toLowerCase() === 'get' ? {} : { body: text }),
  })
  return world.within(
    asker,
    async (ctx) => {
      const response = await serveV1(request, ctx)
      const answered = await response.text()
      return {
        status: response.status,
        headers: response.headers,
        text: answered,
        json: parseJson(answered),
        reported: ctx.reported,
      }
    },
    { request: { id: 'request-of-a-test', headers: requestHeaders, ip: null }, ...changes },
  )
}

/** Headers and body of a response as one text, to search. */
export function toSearchableText({ text, headers }: Answer): string {
  return `${[...headers].map((pair) => pair.join(': ')).join('\n')}\n\n${text}`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
