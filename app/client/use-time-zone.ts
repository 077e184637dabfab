import { useEffect, useSyncExternalStore } from 'react'
import { buildTimeZoneCookie } from '#functions/shapes/time-zone-cookie.ts'

const nothing = () => () => {}
const getBrowserTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/**
 * "Time zone: the place's own or the browser's." The server knows the browser's zone from an earlier visit (`knownZone`): without it
 * the first page without a place renders in UTC and again after hydration.
 */
export function useTimeZone(placeZone: string | undefined, knownZone: string | null = null): string {
  const own = useSyncExternalStore(nothing, getBrowserTimeZone, () => knownZone ?? 'UTC')
  useEffect(() => {
    if (own !== knownZone) document.cookie = buildTimeZoneCookie(own)
  }, [own, knownZone])
  return placeZone ?? own
}
