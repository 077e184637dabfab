import { acceptedSecrets } from '#functions/platform/auth-secrets.ts'
import { hex } from '#functions/platform/digest.ts'
import { requirePublic } from '#functions/engine/import/fetch/guard.ts'
import { createResolver } from '#functions/engine/import/fetch/index.ts'
import {
  asker,
  buildClaim,
  isProven,
  proofName,
  proofTarget,
  proofText,
  textsIn,
  type QueryDns,
  type Claim,
} from './lights/index.ts'
import { aliasesIn } from './lights/claim.ts'
import type { DnsAnswer } from '#functions/platform/dns.ts'
import type { Context } from '#functions/context.ts'
import type { Verified } from '#functions/shapes/domain.ts'

const timeoutMs = 5000

type VerifiedRecords = Verified['records']

/**
 * The tokens by which a place can prove a host in DNS, which no other place could know. Derived from both
 * names and the product's secret, so nothing is stored for hosts that someone only asks about; that of a
 * proven host is stored and stays valid whatever becomes of the secret. While the secret is being replaced
 * there are two, the current one first, so that a token shown before still works.
 */
export function listProofTokens({ settings }: Context, placeId: string, host: string): Promise<string[]> {
  return Promise.all(acceptedSecrets(settings).map((secret) => tokenBy(secret, placeId, host)))
}

async function tokenBy(secret: string, placeId: string, host: string): Promise<string> {
  const bytes = (text: string) => new TextEncoder().encode(text)
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', bytes(secret), algorithm, false, ['sign'])
  const signature = await crypto.subtle.sign('HMAC', key, bytes(`domain\n${placeId}\n${host}`))
  return hex(new Uint8Array(signature, 0, 16))
}

export interface Proof {
  /** Null: DNS could not be queried. */
  isProven: boolean | null
  records: VerifiedRecords
  claim: Claim
  /** The DNS client of this check, with its memoized answers. */
  ask: QueryDns
}

/** Queries DNS for the proof of a host. Where the host points to is returned as well, but proves nothing. */
export async function queryProof(
  ctx: Context,
  of: Pick<Claim, 'placeId' | 'host' | 'token'>,
): Promise<Proof> {
  const claim = buildClaim(ctx, of)
  const { host, token, target } = claim
  const ask = asker(ctx)
  const name = proofName(host)
  const [proofs, traffic, hasProof] = await Promise.all([
    ask(name, 'TXT'),
    ask(host, 'CNAME'),
    isProven(ask, claim),
  ])
  const from = (answer: DnsAnswer, read: (answer: DnsAnswer) => string[]) =>
    answer.status === 'found' || answer.status === 'none' ? read(answer) : null
  const records: VerifiedRecords = [
    { type: 'TXT', name, expected: proofText(token), found: from(proofs, textsIn) },
    { type: 'CNAME', name, expected: proofTarget(claim), found: from(proofs, aliasesIn) },
    { type: 'CNAME', name: host, expected: target, found: from(traffic, aliasesIn) },
  ]
  return { isProven: hasProof, records, claim, ask }
}

/**
 * Whether a host answers over TLS with a valid certificate; 'pending' where this installation does not use
 * TLS. A host that resolves into a private network is not contacted and counts as 'failed'.
 */
export async function checkCertificate(
  { fetch, settings }: Context,
  host: string,
): Promise<'pending' | 'active' | 'failed'> {
  if (settings.scheme !== 'https') return 'pending'
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const resolve = createResolver(fetch, settings.dnsResolver)
    const { href } = await requirePublic({ resolve }, `https://${host}/`, { isRedirect: false, signal })
    const response = await fetch(href, { method: 'HEAD', redirect: 'manual', signal })
    await response.body?.cancel()
    // Cloudflare's statuses for a failed TLS handshake with the origin.
    return response.status === 525 || response.status === 526 ? 'failed' : 'active'
  } catch {
    return 'failed'
  }
}
