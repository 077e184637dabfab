import { ApiError, readApiError } from './error.ts'
import { fillPath, queryText } from './query.ts'
import type { Client, CallOptions, Place, Table } from './types.ts'

/** Dependencies of the client; all have defaults in a browser. */
export interface ClientServices {
  fetch?: typeof fetch
  /** Origin of the API; by default that of the page. */
  origin?: string
  /** API key, sent as a bearer token; without one the browser's session applies. */
  key?: string
  /** Waits so many milliseconds before a retry. */
  wait?: (milliseconds: number) => Promise<void>
}

/** From this many characters on a GET is sent as POST, with its options as the body. */
const longest = 4000
const tries = 4
const passing = new Set([408, 413, 429, 500, 502, 503, 504])

/**
 * A tree of endpoints as functions: `client.place.source.find({ placeId, options })`. `table` has their paths and methods. Errors are
 * thrown as `ApiError`. Transient failures are retried three times if repeating does no harm.
 */
export function makeClient<T>(table: Table, ports: ClientServices = {}): Client<T> {
  const entries = Object.entries(table).map(([name, node]) => [
    name,
    isPlace(node)
      ? (requestParams: Record<string, unknown> = {}, how: CallOptions = {}) =>
          ask(node, name === 'create', requestParams, how, ports)
      : makeClient(node, ports),
  ])
  return Object.fromEntries(entries) as Client<T>
}

const isPlace = (node: Place | Table): node is Place => typeof node.path === 'string'

async function ask(
  { path, method }: Place,
  isCreate: boolean,
  { options, data, ...params }: Record<string, unknown>,
  how: CallOptions,
  { fetch: send = fetch, origin = '', key, wait = pause }: ClientServices,
): Promise<unknown> {
  const headers = new Headers({ accept: 'application/json' })
  if (key) headers.set('authorization', `Bearer ${key}`)
  // With an idempotency key a repeated create is executed once.
  if (isCreate) headers.set('idempotency-key', crypto.randomUUID())
  const query = queryText((options as Record<string, unknown> | undefined) ?? {})
  let url = `${origin}${fillPath(path, params)}`
  let body = data
  let verb = method.toUpperCase()
  if (query && verb === 'GET' && url.length + query.length + 1 >= longest) {
    headers.set('x-http-method-override', 'GET')
    verb = 'POST'
    body = options
  } else if (query) url += `?${query}`
  if (body !== undefined) headers.set('content-type', 'application/json')
  const init = {
    method: verb,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
    signal: how.signal ?? null,
  }
  const mayRepeat = isCreate || method === 'get' || method === 'delete'
  for (let triesLeft = tries - 1; ; triesLeft--) {
    const response = await send(url, init).catch((cause: unknown) => {
      if (how.signal?.aborted) throw cause
      return null
    })
    if (response?.ok) return read(response)
    // A rate-limited request was not executed, whatever it was.
    const isPassing = response
      ? passing.has(response.status) && (mayRepeat || response.status === 429)
      : mayRepeat
    if (!isPassing || triesLeft === 0)
      throw response ? await readApiError(response) : new ApiError(0, {}, null)
    await wait(parseRetryAfter(response) ?? 250 * 2 ** (tries - 1 - triesLeft))
  }
}

/** Parses the body: JSON, undefined without one, else the bytes of a file. */
async function read(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined
  const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json')
  return isJson ? (response.json() as Promise<unknown>) : response.blob()
}

/** `Retry-After` in milliseconds, at most a minute; null without one. */
function parseRetryAfter(response: Response | null): number | null {
  const text = response?.headers.get('retry-after')
  if (!text) return null
  const milliseconds = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isNaN(milliseconds) ? null : Math.min(Math.max(milliseconds, 0), 60_000)
}

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))
