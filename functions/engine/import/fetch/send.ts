import { Cookies } from './cookies.ts'
import { FetchError, networkError } from './errors.ts'
import { requirePublic } from './guard.ts'
import { FetchAttempt } from './fetch-attempt.ts'
import type { FetchRequest, FetchServices } from './ports.ts'
import { hasSecretParameter, getSecrets, withoutSecrets } from './secrets.ts'

/** A response with an unread body. */
export interface Answer {
  line: FetchAttempt
  response: Response
  /** The final URL after redirects. */
  url: URL
  /** It comes from another origin than requested, which did not get the credentials. */
  isStranger: boolean
}

const maxRedirects = 5
const redirects = new Set([301, 302, 303, 307, 308])

/** Headers without credentials, which may be sent to other origins. */
const harmless = new Set(['accept', 'accept-language', 'user-agent'])

const ownHeaders = {
  'user-agent': 'Mozilla/5.0 (compatible; Commonplace importer)',
  accept: '*/*',
  // A compressed response has no length to compare with and cannot be resumed.
  'accept-encoding': 'identity',
}

/**
 * Sends a request once and follows redirects, checking every URL before. Credentials (headers, token, secret parameters)
 * are sent to the origin of the URL only. Returns any status. Throws a FetchError, with its `url` unmasked, or the
 * reason of the signal.
 */
export async function send(
  ports: FetchServices,
  request: FetchRequest,
  { range, answerMs, signal }: { range: Record<string, string>; answerMs: () => number; signal: AbortSignal },
): Promise<Answer> {
  // Called as a plain function: the platform's fetch must not be called as a method.
  const { fetch } = ports
  const line = new FetchAttempt(signal)
  const cookies = new Cookies()
  let address = request.url
  let isStranger = false
  try {
    const own = await buildRequestHeaders(request)
    for (let hop = 0; ; hop++) {
      const url = await line.within(
        answerMs(),
        requirePublic(ports, address, { isRedirect: hop > 0, signal: line.signal }),
        'The name servers of this address do not answer.',
      )
      const input = isStranger ? pickHarmlessHeaders(own, request) : own
      const cookie = cookies.header(url.origin, isStranger ? undefined : input.cookie)
      const headers = { ...ownHeaders, ...input, ...range, ...(cookie !== undefined && { cookie }) }
      const body = request.form && new URLSearchParams(request.form)
      const response = await line.within(
        answerMs(),
        fetch(url.href.replace(/#[^]*$/, ''), {
          method: body ? 'POST' : 'GET',
          headers,
          body,
          redirect: 'manual',
          cache: 'no-store',
          signal: line.signal,
        }),
        'The server took the request and did not answer it.',
      )
      cookies.store(url.origin, response.headers)
      const location = redirects.has(response.status) ? response.headers.get('location') : null
      if (location === null) return { line, response, url, isStranger }
      await response.body?.cancel()
      if (hop === maxRedirects) throw badRedirect(`The server redirects more than ${maxRedirects} times.`)
      const next = resolveLocation(location, url)
      if (next.origin === url.origin) {
        if (body && response.status < 307) throw badRedirect(movedToken)
        address = next.href
        continue
      }
      if (body) throw badRedirect(movedToken)
      const secrets = getSecrets(request)
      const isSecret = !isStranger && (hasSecretParameter(url, secrets) || hasCredentials(own))
      if (url.protocol === 'https:' && next.protocol === 'http:' && isSecret)
        throw badRedirect(
          'The server redirects from https to http: credentials are not sent where all can read them.',
        )
      const clean = withoutSecrets(next, secrets)
      if (!clean)
        throw badRedirect('The server redirects to another one with a secret of this source in the address.')
      address = clean.href
      isStranger = true
    }
  } catch (thrown) {
    line.close()
    signal.throwIfAborted()
    const error = networkError(thrown, false)
    error.url ??= address
    throw error
  }
}

const movedToken = 'The address of the token redirects: give the address it redirects to.'

function badRedirect(diagnosis: string): FetchError {
  return new FetchError('redirects', 'Failed to connect to server', { diagnosis })
}

async function buildRequestHeaders({ headers, token }: FetchRequest): Promise<Record<string, string>> {
  return { ...headers, ...(token && { authorization: `Bearer ${await token.current()}` }) }
}

/** The headers that another origin may get. */
function pickHarmlessHeaders(own: Record<string, string>, request: FetchRequest): Record<string, string> {
  const secrets = getSecrets(request)
  return Object.fromEntries(
    Object.entries(own).filter(([name, value]) => harmless.has(name) && !secrets.includes(value)),
  )
}

function hasCredentials(own: Record<string, string>): boolean {
  return Object.keys(own).some((name) => !harmless.has(name))
}

function resolveLocation(location: string, from: URL): URL {
  try {
    const target = new URL(readable(location), from)
    target.hash = ''
    return target
  } catch {
    throw badRedirect('The server redirects to something that is not an address.')
  }
}

/** Decodes a header in UTF-8, which runtimes return as one character per byte; other headers are unchanged. */
function readable(header: string): string {
  if (!/^[\0-\xff]*[\x80-\xff][\0-\xff]*$/.test(header)) return header
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(
      Uint8Array.from(header, (each) => each.charCodeAt(0)),
    )
  } catch {
    return header
  }
}
