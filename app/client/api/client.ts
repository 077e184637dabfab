import { ApiError, errorOf } from './error.ts'
import { pathOf, queryText } from './query.ts'
import type { Client, How, Place, Table } from './types.ts'

/** What a client reaches the world by; all of it has a browser's defaults. */
export interface ClientServices {
  fetch?: typeof fetch
  /** Where the API is; the own origin without. */
  origin?: string
  /** Sent with every request as a bearer key; without one the browser's session counts. */
  key?: string
  /** Waits some milliseconds. */
  wait?: (milliseconds: number) => Promise<void>
}

/** From this many characters on a GET is sent as POST with its options as the body. */
const longest = 4000
const tries = 4
const passing = new Set([408, 413, 429, 500, 502, 503, 504])

/**
 * A tree of endpoints as functions: `client.place.source.find({ placeId, options })`. `table` says where each is. What is
 * refused is thrown as an `ApiError`. What may pass is tried three times more, as long as doing it twice does no harm.
 */
export function makeClient<T>(table: Table, ports: ClientServices = {}): Client<T> {
  const entries = Object.entries(table).map(([name, node]) => [
    name,
    isPlace(node)
      ? (requestParams: Record<string, unknown> = {}, how: How = {}) =>
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
  how: How,
  { fetch: send = fetch, origin = '', key, wait = pause }: ClientServices,
): Promise<unknown> {
  const headers = new Headers({ accept: 'application/json' })
  if (key) headers.set('authorization', `Bearer ${key}`)
  // Sent again, a create with such a key is done once.
  if (isCreate) headers.set('idempotency-key', crypto.randomUUID())
  const query = queryText((options as Record<string, unknown> | undefined) ?? {})
  let url = `${origin}${pathOf(path, params)}`
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
    // 429 was not done, whatever it was.
    const isPassing = response
      ? passing.has(response.status) && (mayRepeat || response.status === 429)
      : mayRepeat
    if (!isPassing || triesLeft === 0) throw response ? await errorOf(response) : new ApiError(0, {}, null)
    await wait(afterOf(response) ?? 250 * 2 ** (tries - 1 - triesLeft))
  }
}

/** JSON as what it says, no body as undefined, a file as its bytes. */
async function read(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined
  const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json')
  return isJson ? (response.json() as Promise<unknown>) : response.blob()
}

/** The milliseconds of `Retry-After`, at most a minute; null without one. */
function afterOf(response: Response | null): number | null {
  const text = response?.headers.get('retry-after')
  if (!text) return null
  const milliseconds = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isNaN(milliseconds) ? null : Math.min(Math.max(milliseconds, 0), 60_000)
}

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))
