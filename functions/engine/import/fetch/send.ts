import { Cookies } from './cookies.ts'
import { FetchError, networkError } from './errors.ts'
import { requirePublic } from './guard.ts'
import { Line } from './line.ts'
import type { FetchRequest, FetchServices } from './ports.ts'
import { hasSecretParameter, secretsOf, withoutSecrets } from './secrets.ts'

/** An answer whose body has not been read yet. */
export interface Answer {
  line: Line
  response: Response
  /** Where it came from, after redirects. */
  url: URL
  /** It came from another origin than was asked, which was not shown the credentials. */
  isStranger: boolean
}

const mostRedirects = 5
const redirects = new Set([301, 302, 303, 307, 308])

/** Headers that say nothing of who asks: they may go to another origin too. */
const harmless = new Set(['accept', 'accept-language', 'user-agent'])

const ownHeaders = {
  'user-agent': 'Mozilla/5.0 (compatible; Commonplace importer)',
  accept: '*/*',
  // What is sent packed has no length to compare with and cannot be gone on with in the middle.
  'accept-encoding': 'identity',
}

/**
 * Asks once and follows redirects, with every hop looked at before it is taken. Credentials (headers, token, secret
 * parameters) go to the origin of the address only. Any status may come back. Throws a FetchError, with its `url`
 * unmasked, or the reason of the signal.
 */
export async function send(
  ports: FetchServices,
  request: FetchRequest,
  { range, answerMs, signal }: { range: Record<string, string>; answerMs: () => number; signal: AbortSignal },
): Promise<Answer> {
  // Called bare: the platform's own does not let itself be called as a member of something else.
  const { fetch } = ports
  const line = new Line(signal)
  const cookies = new Cookies()
  let address = request.url
  let isStranger = false
  try {
    const own = await ownOf(request)
    for (let hop = 0; ; hop++) {
      const url = await line.within(
        answerMs(),
        requirePublic(ports, address, { isRedirect: hop > 0, signal: line.signal }),
        'The name servers of this address do not answer.',
      )
      const input = isStranger ? openOf(own, request) : own
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
      cookies.take(url.origin, response.headers)
      const location = redirects.has(response.status) ? response.headers.get('location') : null
      if (location === null) return { line, response, url, isStranger }
      await response.body?.cancel()
      if (hop === mostRedirects) throw badRedirect(`The server redirects more than ${mostRedirects} times.`)
      const next = targetOf(location, url)
      if (next.origin === url.origin) {
        if (body && response.status < 307) throw badRedirect(movedToken)
        address = next.href
        continue
      }
      if (body) throw badRedirect(movedToken)
      const secrets = secretsOf(request)
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

async function ownOf({ headers, token }: FetchRequest): Promise<Record<string, string>> {
  return { ...headers, ...(token && { authorization: `Bearer ${await token.current()}` }) }
}

/** Of what is sent, what another origin may see. */
function openOf(own: Record<string, string>, request: FetchRequest): Record<string, string> {
  const secrets = secretsOf(request)
  return Object.fromEntries(
    Object.entries(own).filter(([name, value]) => harmless.has(name) && !secrets.includes(value)),
  )
}

function hasCredentials(own: Record<string, string>): boolean {
  return Object.keys(own).some((name) => !harmless.has(name))
}

function targetOf(location: string, from: URL): URL {
  try {
    const target = new URL(readable(location), from)
    target.hash = ''
    return target
  } catch {
    throw badRedirect('The server redirects to something that is not an address.')
  }
}

/** A header in UTF-8, of which runtimes give a letter for each byte; as it is when it is none. */
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
