import { useEffect, useSyncExternalStore } from 'react'
import { keepTimeZone } from '#functions/shapes/time-zone-cookie.ts'

const nothing = () => () => {}
const ofBrowser = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/**
 * "Time zone: the place's own or the browser's." Of a browser the server knows what it told before (`knownZone`): the first page without a
 * place is written in UTC first and then anew, every later one in the browser's from the start.
 */
export function useTimeZone(ofPlace: string | undefined, knownZone: string | null = null): string {
  const own = useSyncExternalStore(nothing, ofBrowser, () => knownZone ?? 'UTC')
  useEffect(() => {
    if (own !== knownZone) document.cookie = keepTimeZone(own)
  }, [own, knownZone])
  return ofPlace ?? own
}
