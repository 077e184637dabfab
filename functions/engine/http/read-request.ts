import { clientKey } from '#functions/shapes/client-key.ts'
import { maxQueryBytes, readJson } from './body.ts'
import { parseQuery } from './querystring.ts'
import { Failure } from '#functions/errors.ts'

/** Longest URL in characters; larger questions come as POST with `X-HTTP-Method-Override: GET`. */
const maxUrl = 16_384

/** A request with its options read: a rewritten GET is a GET. */
export interface ApiRequest {
  request: Request
  options: Record<string, unknown>
  /** The key in the query string; null without one. */
  key: string | null
  /** Why the request cannot be understood; null when it can. */
  readError: unknown
}

/** Parses a request before authentication: the key may be in the body of a rewritten request. Never throws. */
export async function readApiRequest(request: Request): Promise<ApiRequest> {
  try {
    if (request.url.length > maxUrl) throw new Failure('tooLarge', { message: 'The address is too long.' })
    const query = parseQuery(new URL(request.url).search)
    const override = request.headers.get('x-http-method-override')?.toLowerCase()
    if (request.method !== 'POST' || override !== 'get') return toApiRequest(request, query)
    const body = await readJson(request, maxQueryBytes)
    if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body)))
      throw new Failure('invalid', { message: 'The body of a rewritten GET is an object.' })
    const headers = new Headers(request.headers)
    for (const name of ['content-type', 'content-length', 'x-http-method-override']) headers.delete(name)
    const get = new Request(request.url, { method: 'GET', headers })
    rewritten.add(get)
    return toApiRequest(get, { ...query, ...body })
  } catch (error) {
    return { request, options: {}, key: null, readError: error }
  }
}

const rewritten = new WeakSet<Request>()

/** Whether the options of a request were sent in its body, so that its URL does not identify the query. */
export function isRewritten(request: Request): boolean {
  return rewritten.has(request)
}

function toApiRequest(request: Request, { key = null, ...options }: Record<string, unknown>): ApiRequest {
  if (key !== null && typeof key !== 'string')
    throw new Failure('invalid', { issues: [{ path: ['key'], message: 'Must be one text.' }] })
  // The key of the web app itself identifies nobody: its requests are anonymous.
  return { request, options, key: key === clientKey ? null : key, readError: null }
}
