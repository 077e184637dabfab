/** The cookie by which a browser tells its time zone, so that a page without a place is written in it from the first. */
export const timeZoneCookie = 'time-zone'

const yearSeconds = 365 * 24 * 60 * 60

/** What a script of the page sets it to. */
export function keepTimeZone(timeZone: string): string {
  return `${timeZoneCookie}=${encodeURIComponent(timeZone)}; Path=/; Max-Age=${yearSeconds}; SameSite=Lax`
}
