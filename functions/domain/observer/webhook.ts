import type { Context } from '#functions/context.ts'
import { FetchError, type Ports } from '#functions/engine/import/fetch/index.ts'
import { requirePublic } from '#functions/engine/import/fetch/guard.ts'
import { decrypt } from '#functions/domain/secrets/encrypt.ts'

/** Time-out of a call in milliseconds. */
const answerMs = 10_000

/** A webhook as it is sent. */
interface Call {
  /** Idempotency key: the same at each attempt. */
  id: string
  url: string
  /** `whsec_` and 32 bytes in base64. */
  secret: string
  body: string
}

/**
 * The result of an attempt. `isTaken`: success. `isFinal`: another attempt would change nothing. `answered`:
 * the status; null: the server did not answer.
 */
export interface Outcome {
  isTaken: boolean
  isFinal: boolean
  answered: number | null
  error: string | null
}

/**
 * The headers of a webhook by Standard Webhooks 1.0.0: `webhook-id`, `webhook-timestamp` (seconds since 1970)
 * and `webhook-signature`, which is `v1,` and the base64 of HMAC-SHA256 over `{id}.{timestamp}.{body}`. The
 * key is the part of the secret after `whsec_`, decoded from base64.
 */
export async function buildSignedHeaders(
  { id, secret, body }: Call,
  at: Date,
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const bytes = Uint8Array.from(atob(secret.replace(/^whsec_/, '')), (char) => char.charCodeAt(0))
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const value = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, value))
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${btoa(String.fromCharCode(...signature))}`,
  }
}

/** The secret that signs an observer's webhooks; null when it cannot be decrypted (any more). */
export async function decryptSecret({ settings }: Context, id: string, encryptedSecret: string | null) {
  return encryptedSecret === null ? null : decrypt(settings, { purpose: 'observer', id }, encryptedSecret)
}

/**
 * Calls a webhook once. Only public addresses are called, resolved at each call; a redirect is not followed
 * and counts as a failure. Any status of 200 to 299 within ten seconds is success; 410 means never to call
 * again.
 */
export async function send(ports: Ports, call: Call): Promise<Outcome> {
  const signal = AbortSignal.timeout(answerMs)
  try {
    const url = await requirePublic(ports, call.url, { isRedirect: false, signal })
    // Called as a plain function: the platform's fetch must not be called as a method.
    const { fetch } = ports
    const response = await fetch(url.href.replace(/#[^]*$/, ''), {
      method: 'POST',
      redirect: 'manual',
      signal,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Mozilla/5.0 (compatible; Commonplace webhook)',
        ...(await buildSignedHeaders(call, ports.now())),
      },
      body: call.body,
    })
    await response.body?.cancel()
    const isTaken = response.status >= 200 && response.status < 300
    const error = isTaken ? null : `The server answered ${response.status}.`
    return { isTaken, isFinal: response.status === 410, answered: response.status, error }
  } catch (error) {
    const isRefused = error instanceof FetchError && error.code === 'refused'
    return { isTaken: false, isFinal: isRefused, answered: null, error: describeError(error) }
  }
}

function describeError(error: unknown): string {
  if (error instanceof FetchError) return error.diagnosis ?? error.message
  const isLate = error instanceof Error && error.name === 'TimeoutError'
  return isLate ? 'The server did not answer in ten seconds.' : 'The server could not be reached.'
}
