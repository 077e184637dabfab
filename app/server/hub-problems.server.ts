import { formatNumber } from '#app/components/list/number-format.ts'
import type { HubTrouble } from '#app/components/org/hub-troubles.tsx'

/** A problem of a hub as returned by endpoints. */
interface Problem {
  target: string
  message: string
  attempts: number
  nextAttemptAt: Date | string
}

/** The problems of a hub as sentences for a screen, relative to `now`. */
export const toHubTroubles = (problems: readonly Problem[], now: Date): HubTrouble[] =>
  problems.map(({ target, message, attempts, nextAttemptAt }) => ({
    id: target,
    message,
    next: `Trying again ${formatDelay(new Date(nextAttemptAt).getTime() - now.getTime())} (${ordinal(attempts + 1)} try).`,
  }))

function formatDelay(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  if (seconds <= 0) return 'now'
  return seconds < 90 ? `in ${seconds} s` : `in ${Math.round(seconds / 60)} min`
}

const endings: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' }
const order = new Intl.PluralRules('en', { type: 'ordinal' })

/** 1st, 2nd, 3rd … */
export const ordinal = (n: number): string => `${formatNumber(n)}${endings[order.select(n)] ?? 'th'}`
