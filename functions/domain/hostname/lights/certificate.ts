import { light } from './claim.ts'
import type { HostState } from '#functions/platform/hosts/port.ts'
import type { Light } from '#functions/shapes/domain.ts'

/** Days before its end from which a certificate gets a warning: it should have been renewed long before. */
export const warnDays = 14

/**
 * The fourth check: the certificate. `state` null: the host is not the place's yet, so no certificate is
 * requested. `unasked`: why the certificate service could not be queried.
 */
export function certificateLight(state: HostState | { unasked: string } | null, now: Date): Light {
  if (!state)
    return light('certificate', {
      state: 'waiting',
      cause: 'proofFirst',
      says: 'A certificate is made once the proof is found.',
    })
  if ('unasked' in state)
    return light('certificate', { state: 'waiting', cause: 'serviceUnreached', says: state.unasked })
  const { certificate, reason, records, expiresAt } = state
  if (certificate === 'failed')
    return light('certificate', {
      state: 'bad',
      cause: 'certificateFailed',
      says: reason ?? 'There is no certificate that holds for this address.',
      paste: records,
    })
  if (certificate === 'pending')
    return light('certificate', {
      state: 'waiting',
      cause: 'certificatePending',
      says: reason ?? 'The certificate is being made.',
      paste: records,
    })
  const days = expiresAt ? Math.floor((expiresAt.getTime() - now.getTime()) / 86_400_000) : null
  if (days !== null && days < warnDays)
    return light('certificate', {
      state: 'bad',
      cause: 'certificateEnds',
      says: `The certificate ends in ${Math.max(0, days)} days and was not renewed. See that the two lights before this one are green.`,
    })
  return light('certificate', { state: 'good', says: 'There is a certificate that holds.' })
}
