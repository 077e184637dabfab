import type { HostState, Hosts } from './port.ts'

/** Seconds until a certificate is issued, for hosts that point here and for those that do not. */
const readyAfter = { here: 5, elsewhere: 60 }
const validForDays = 90

/**
 * Hosts without a certificate authority, for local use and tests. The state follows the given clock: pending, then
 * active for 90 days, renewed by calls within 30 days before the end.
 */
export function localHosts(
  now: () => Date,
  checks = new Map<string, { at: number; isHere: boolean }>(),
): Hosts {
  const toHostState = ({ at, isHere }: { at: number; isHere: boolean }): HostState => {
    const begins = at + readyAfter[isHere ? 'here' : 'elsewhere'] * 1000
    if (now().getTime() < begins) {
      const reason = 'The certificate is being made.'
      return { certificate: 'pending', reason, records: [], expiresAt: null }
    }
    const day = 86_400_000
    const renewed = Math.max(0, Math.floor((now().getTime() - begins) / ((validForDays - 30) * day)))
    const expiresAt = new Date(begins + (renewed * (validForDays - 30) + validForDays) * day)
    return { certificate: 'active', reason: null, records: [], expiresAt }
  }
  return {
    async ensure(host, { isHere }) {
      const entry = checks.get(host) ?? { at: now().getTime(), isHere }
      if (isHere) entry.isHere = true
      checks.set(host, entry)
      return toHostState(entry)
    },
    async find(host) {
      const entry = checks.get(host)
      return entry ? toHostState(entry) : null
    },
    async remove(host) {
      checks.delete(host)
    },
  }
}
