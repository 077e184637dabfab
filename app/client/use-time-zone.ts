import { useSyncExternalStore } from 'react'

const nothing = () => () => {}
const ofBrowser = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/**
 * "Time zone: the place's own or the browser's." Of a browser the server knows none: without a place a page is written in
 * UTC first and then anew, in the browser's.
 */
export function useTimeZone(ofPlace: string | undefined): string {
  const own = useSyncExternalStore(nothing, ofBrowser, () => 'UTC')
  return ofPlace ?? own
}
