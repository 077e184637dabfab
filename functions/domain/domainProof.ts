import { hex } from '#functions/digest.ts'
import { askDns, recordTypes } from '#functions/dns.ts'
import { requirePublic } from '#functions/importers/fetch/guard.ts'
import { resolverOf } from '#functions/importers/fetch/index.ts'
import type { Context } from '../context.ts'
import type { Verified } from '../shapes/domain.ts'
import { hostname } from '../site/urls.ts'

const timeoutMs = 5000

type Found = Verified['records']

/**
 * What a place must put into DNS for one host, and no other place could. It follows from both names and the product's
 * secret, so nothing has to be stored of hosts that someone only asks for.
 */
export async function tokenOf({ settings }: Context, placeId: string, host: string): Promise<string> {
  const bytes = (text: string) => new TextEncoder().encode(text)
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', bytes(settings.authSecret), algorithm, false, ['sign'])
  const signed = await crypto.subtle.sign('HMAC', key, bytes(`domain\n${placeId}\n${host}`))
  return hex(new Uint8Array(signed, 0, 16))
}

/**
 * Asks DNS for the proof of a host: the token as TXT or as the target of a CNAME of `_commonplace.{host}`. `isProven`
 * null: the name servers could not be asked. Where the host itself leads is told beside it and proves nothing.
 */
export async function proofOf(
  ctx: Context,
  { placeId, host, token }: Record<'placeId' | 'host' | 'token', string>,
): Promise<{ isProven: boolean | null; records: Found }> {
  const ours = hostname(ctx.settings.publicHost)
  const proof = `_commonplace.${host}`
  // A resolver tells of a CNAME on its way to the TXT: one question for both.
  const [proofs, traffic] = await Promise.all([
    lookUp(ctx, proof, recordTypes.TXT),
    lookUp(ctx, host, recordTypes.CNAME),
  ])
  const records: Found = [
    { type: 'TXT', name: proof, expected: `commonplace-verify=${token}`, found: proofs && proofs.texts },
    { type: 'CNAME', name: proof, expected: `${token}.verify.${ours}`, found: proofs && proofs.hosts },
    { type: 'CNAME', name: host, expected: `${placeId}.${ours}`, found: traffic && traffic.hosts },
  ]
  const isProven =
    proofs && records.slice(0, 2).some(({ expected, found }) => found?.includes(expected) ?? false)
  return { isProven, records }
}

/** What stands at a name; null when that cannot be known now. */
async function lookUp(
  { fetch, settings }: Context,
  name: string,
  type: number,
): Promise<{ texts: string[]; hosts: string[] } | null> {
  const records = await askDns({ fetch, resolver: settings.dnsResolver }, name, type)
  if (!records) return null
  const dataOf = (wanted: number) => records.filter((each) => each.type === wanted).map(({ data }) => data)
  return { texts: dataOf(recordTypes.TXT).map(unquoted), hosts: dataOf(recordTypes.CNAME).map(hostname) }
}

/** A TXT record as it was written: its strings without quotes, joined. */
function unquoted(data: string): string {
  const strings = data.match(/"(?:[^"\\]|\\.)*"/g)
  return strings ? strings.map((each) => each.slice(1, -1).replace(/\\(.)/g, '$1')).join('') : data.trim()
}

/**
 * Whether a host answers over TLS with a certificate that holds; 'pending' where nothing of ours is served over TLS. A host
 * whose name leads into a private network is not asked: it has failed.
 */
export async function certificateOf(
  { fetch, settings }: Context,
  host: string,
): Promise<'pending' | 'active' | 'failed'> {
  if (settings.scheme !== 'https') return 'pending'
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const resolve = resolverOf(fetch, settings.dnsResolver)
    const { href } = await requirePublic({ resolve }, `https://${host}/`, { isRedirect: false, signal })
    const response = await fetch(href, { method: 'HEAD', redirect: 'manual', signal })
    await response.body?.cancel()
    // Cloudflare's own words for a handshake that failed behind it.
    return response.status === 525 || response.status === 526 ? 'failed' : 'active'
  } catch {
    return 'failed'
  }
}
