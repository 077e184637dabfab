import { serveV1 } from '../serve.ts'
import type { Context } from '#functions/context.ts'

/** A response of `/v1` as a program sees it. */
interface HttpAnswer {
  status: number
  headers: Record<string, string>
  text: string
  /** The body as JSON; {} for other bodies. */
  json: Record<string, unknown>
}

/** Sends a request to `/v1` with a context, body as JSON. `path` begins after `/v1`. */
export async function sendAs(
  ctx: Context,
  method: string,
  path: string,
  data?: unknown,
  headers: Record<string, string> = {},
): Promise<HttpAnswer> {
  const body = data === undefined ? null : JSON.stringify(data)
  const requestHeaders = new Headers({
    ...(body === null ? {} : { 'content-type': 'application/json' }),
    ...headers,
  })
  const request = new Request(`http://localhost:8787/v1${path}`, { method, body, headers: requestHeaders })
  const response = await serveV1(request, { ...ctx, request: { ...ctx.request, headers: requestHeaders } })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text,
    json: isJson ? (JSON.parse(text) as Record<string, unknown>) : {},
  }
}

/** A response as text with an id replaced, so that responses for different ids can be compared. */
export function withoutId({ status, headers, text }: HttpAnswer, id: string): string {
  const { etag: _etag, date: _date, 'x-request-id': _request, ...rest } = headers
  return `${status} ${JSON.stringify(rest)} ${text}`.replaceAll(id, '{id}')
}
