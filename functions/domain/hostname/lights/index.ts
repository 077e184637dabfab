import { addressLight, leadsHere } from './address.ts'
import { caaLight } from './caa.ts'
import { certificateLight } from './certificate.ts'
import { light, type QueryDns, type Claim } from './claim.ts'
import { contentLight } from './content.ts'
import { ownershipLight } from './ownership.ts'
import type { HostState } from '#functions/platform/hosts/port.ts'
import type { Context } from '#functions/context.ts'
import type { Light } from '#functions/shapes/domain.ts'

export { asker, buildClaim, textsIn, type QueryDns, type Claim } from './claim.ts'
export { hasProofText, isProven, proofName, proofTarget, proofText } from './ownership.ts'
export { warnDays } from './certificate.ts'
export { leadsHere }

/**
 * The five checks of a host, in the order in which to fix them. `certificate`: see `certificateLight`; null:
 * the host is not the place's.
 */
export async function checkLights(
  ctx: Context,
  ask: QueryDns,
  claim: Claim,
  certificate: HostState | { unasked: string } | null,
): Promise<Light[]> {
  const [ownership, address, caa] = await Promise.all([
    ownershipLight(ask, claim),
    addressLight(ask, claim),
    caaLight(ask, claim),
  ])
  const waits = (cause: 'proofFirst' | 'addressFirst', says: string) =>
    light('content', { state: 'waiting', cause, says })
  const content =
    ownership.state !== 'good'
      ? waits('proofFirst', 'The hub answers once the proof is found.')
      : address.state !== 'good'
        ? waits('addressFirst', 'The hub answers once the address leads here.')
        : await contentLight(ctx, claim)
  return [ownership, address, caa, certificateLight(certificate, ctx.now()), content]
}
