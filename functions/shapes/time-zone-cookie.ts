/** The cookie with a browser's time zone, so that a page without a place can be rendered in it from the start. */
export const timeZoneCookie = 'time-zone'

const yearSeconds = 365 * 24 * 60 * 60

/** The cookie as set by a script of the page. */
export function buildTimeZoneCookie(timeZone: string): string {
  return `${timeZoneCookie}=${encodeURIComponent(timeZone)}; Path=/; Max-Age=${yearSeconds}; SameSite=Lax`
}
