import * as v from 'valibot'
import { HostsError, type HostState, type Hosts } from './port.ts'
import { boundedText } from '../bounded-text.ts'

/** The account that answers for hosts of organizations. */
interface Zone {
  /** The zone that has Cloudflare for SaaS. */
  zoneId: string
  /** A token with the permission "SSL and Certificates: Edit" for that zone. */
  token: string
  /** The URL of the API, without a trailing slash. */
  endpoint?: string
}

const defaultEndpoint = 'https://api.cloudflare.com/client/v4'
const timeoutMs = 8000
const maxBytes = 200_000

/**
 * A custom hostname of the API. `status` is that of the host: accepted ('active'), waiting for its DNS ('pending'), no
 * longer pointing to us ('moved'; deleted after 7 days), or not allowed ('blocked'). `ssl.status` goes initializing,
 * pending_validation, pending_issuance, pending_deployment, active; `*_timed_out` and 'expired' are final.
 * `ssl.validation_records` are what the certificate authority will look for; `ownership_verification` is a TXT record
 * that has the host accepted before its DNS points here.
 */
const Hostname = v.object({
  id: v.string(),
  hostname: v.string(),
  status: v.optional(v.string(), 'pending'),
  verification_errors: v.optional(v.nullable(v.array(v.unknown())), []),
  ownership_verification: v.optional(
    v.object({ type: v.optional(v.string()), name: v.optional(v.string()), value: v.optional(v.string()) }),
  ),
  // Null for a moment after the host was created.
  ssl: v.optional(
    v.nullable(
      v.object({
        status: v.optional(v.string(), 'initializing'),
        method: v.optional(v.string()),
        expires_on: v.optional(v.nullable(v.string())),
        validation_errors: v.optional(
          v.nullable(v.array(v.object({ message: v.optional(v.string(), '') }))),
          [],
        ),
        validation_records: v.optional(
          v.nullable(
            v.array(v.object({ txt_name: v.optional(v.string()), txt_value: v.optional(v.string()) })),
          ),
          [],
        ),
        certificates: v.optional(
          v.nullable(v.array(v.object({ expires_on: v.optional(v.nullable(v.string())) }))),
          [],
        ),
      }),
    ),
  ),
})
type Hostname = v.InferOutput<typeof Hostname>

/** Every answer: `{ success, errors: [{ code, message }], result }`. */
const Answered = v.object({
  success: v.optional(v.boolean(), false),
  errors: v.optional(v.nullable(v.array(v.object({ code: v.number(), message: v.string() }))), []),
  result: v.optional(v.unknown()),
})

/** The error code of "Duplicate custom hostname found" (sent with 409): the host already exists. */
const duplicate = 1406

/**
 * Hosts at Cloudflare for SaaS, by its API `/zones/{zone}/custom_hostnames`. A host is always looked up by its name
 * before it is created, and again when the creation gave no answer, so that a call whose result is unknown creates
 * nothing twice. Error messages do not name the vendor, since organizations see them.
 */
export function cloudflareHosts(zone: Zone, send: typeof fetch): Hosts {
  const ask = makeCaller(zone, send)

  async function lookUp(host: string): Promise<Hostname | null> {
    const match = await ask('GET', `?hostname=${encodeURIComponent(host)}`)
    const list = v.safeParse(v.array(Hostname), match)
    if (!list.success) throw unreadable()
    return list.output.find(({ hostname }) => hostname === host) ?? null
  }

  async function make(host: string, method: 'http' | 'txt'): Promise<Hostname | null> {
    try {
      return parseHostname(
        await ask('POST', '', {
          hostname: host,
          ssl: { method, type: 'dv', settings: { min_tls_version: '1.2' } },
        }),
      )
    } catch (error) {
      // It may have been created anyway, or by a concurrent request.
      if (error instanceof HostsError && error.isFinal) throw error
      const match = await lookUp(host)
      if (!match) throw error
      return match
    }
  }

  return {
    async ensure(host, { isHere }) {
      const hostname = await lookUp(host)
      if (!hostname) return toHostState(await make(host, isHere ? 'http' : 'txt'))
      // "http" is proven by our own answer once DNS points here; a PATCH of `ssl` restarts an expired validation.
      const { status = '', method } = hostname.ssl ?? {}
      const isStuck =
        isHere &&
        (endedStatus.test(status) ||
          hostname.status === 'moved' ||
          (status === 'pending_validation' && method !== 'http'))
      if (!isStuck) return toHostState(hostname)
      return toHostState(
        parseHostname(
          await ask('PATCH', `/${encodeURIComponent(hostname.id)}`, { ssl: { method: 'http', type: 'dv' } }),
        ),
      )
    },
    async find(host) {
      const hostname = await lookUp(host)
      return hostname && toHostState(hostname)
    },
    async remove(host) {
      const hostname = await lookUp(host)
      if (!hostname) return
      try {
        await ask('DELETE', `/${encodeURIComponent(hostname.id)}`)
      } catch (error) {
        if (await lookUp(host)) throw error
      }
    },
  }
}

/** Returns a function that calls the API of a zone; it throws a HostsError with a message for people. */
function makeCaller({ zoneId, token, endpoint = defaultEndpoint }: Zone, send: typeof fetch) {
  const base = `${endpoint}/zones/${encodeURIComponent(zoneId)}/custom_hostnames`

  return async (method: string, path: string, body?: unknown): Promise<unknown> => {
    let response: Response
    let text: string | null
    try {
      response = await send(`${base}${path}`, {
        method,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json',
          'content-type': 'application/json',
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      text = await boundedText(response, maxBytes)
    } catch (cause) {
      throw new HostsError('The certificate service could not be reached. It is asked again by itself.', {
        cause,
      })
    }
    const answer = v.safeParse(Answered, parse(text))
    if (response.ok && answer.success && answer.output.success) return answer.output.result
    throw refusal(response.status, answer.success ? (answer.output.errors ?? []) : [])
  }
}

const endedStatus = /_timed_out$|^expired$|^deleted$|^inactive$/

function parseHostname(result: unknown): Hostname {
  const hostname = v.safeParse(Hostname, result)
  if (!hostname.success) throw unreadable()
  return hostname.output
}

function toHostState(hostname: Hostname | null): HostState {
  if (!hostname) throw unreadable()
  const { status, ssl, ownership_verification: owner } = hostname
  const records: HostState['records'] = []
  const add = (name?: string, value?: string) => {
    if (name && value) records.push({ type: 'TXT', name, value })
  }
  const isLetIn = status === 'active' || status === 'active_redeploying'
  const isIssued = ssl?.status === 'active'
  if (!isLetIn) add(owner?.name, owner?.value)
  if (!isIssued) for (const { txt_name, txt_value } of ssl?.validation_records ?? []) add(txt_name, txt_value)
  const ends = [ssl?.expires_on, ...(ssl?.certificates ?? []).map(({ expires_on }) => expires_on)]
  const times = ends.map((text) => Date.parse(text ?? '')).filter(Number.isFinite)
  const expiresAt = times.length ? new Date(Math.max(...times)) : null
  if (isLetIn && isIssued) return { certificate: 'active', reason: null, records: [], expiresAt }
  const failure = findFailure(hostname)
  return {
    certificate: failure ? 'failed' : 'pending',
    reason: failure ?? describeWait(hostname),
    records,
    expiresAt,
  }
}

/** Why the certificate cannot be issued at present; null while it is pending. */
function findFailure({ status, ssl }: Hostname): string | null {
  const errors = (ssl?.validation_errors ?? []).map(({ message }) => message).join(' ')
  if (/caa/i.test(errors))
    return 'A CAA record forbids our certificate authorities to issue a certificate for this address.'
  if (status === 'blocked' || status === 'pending_blocked')
    return 'The address is blocked: it belongs to a name that may not be added. Write to the support.'
  if (status === 'moved') return 'The address led here once and does so no more. Set its CNAME again.'
  if (ssl?.status === 'expired')
    return 'The certificate has run out, because the address did not lead here when it was to be renewed.'
  if (ssl && /_timed_out$/.test(ssl.status))
    return 'The certificate authority did not find what it looked for in time. Set the CNAME, then check again.'
  return null
}

function describeWait({ status, ssl }: Hostname): string {
  if (ssl?.status === 'active') return 'The certificate is there. The address does not lead here yet.'
  if (ssl?.status === 'pending_validation' && status !== 'active')
    return 'The certificate is made once the address leads here, or once the TXT records below are found.'
  return 'The certificate is being made. That can take some minutes.'
}

function refusal(status: number, errors: { code: number; message: string }[]): HostsError {
  const codes = errors.map(({ code }) => code)
  const cause = new Error(
    `${status} ${errors.map(({ code, message }) => `${code}: ${message}`).join('; ')}`.slice(0, 500),
  )
  if (status === 409 || codes.includes(duplicate))
    return new HostsError(
      'The address is known to the certificate service already. It is looked up again by itself.',
      { cause },
    )
  if (status === 429)
    return new HostsError('Too many certificates were asked for at once. It is asked again by itself.', {
      cause,
    })
  if (status === 401 || status === 403)
    return new HostsError('The certificate service refuses our access. The operator has been told.', {
      isFinal: true,
      cause,
    })
  if (status >= 400 && status < 500)
    return new HostsError('The certificate service does not take this address.', { isFinal: true, cause })
  return new HostsError('The certificate service is unwell. It is asked again by itself.', { cause })
}

const unreadable = () => new HostsError('The certificate service is unwell. It is asked again by itself.')

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return null
  }
}
