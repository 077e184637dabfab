/** The cookie with the active place; also the key in local storage, in case the cookie is lost. */
export const placeCookie = 'place'

/** The value for the personal account. */
export const personalAccount = 'personal-account'

const yearSeconds = 365 * 24 * 60 * 60

/** The cookie that selects a place, for a year; readable by scripts of our pages. */
export function buildPlaceCookie(id: string): string {
  return `${placeCookie}=${encodeURIComponent(id)}; Path=/; Max-Age=${yearSeconds}; SameSite=Lax`
}
