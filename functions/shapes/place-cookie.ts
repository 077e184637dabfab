/** The cookie that says which place a person works in; the same name in local storage, for when the cookie is gone. */
export const placeCookie = 'place'

/** The value that means "no place: my personal account". */
export const personalAccount = 'personal-account'

const yearSeconds = 365 * 24 * 60 * 60

/** The cookie that has a place chosen, for a year; scripts of our pages read it too. */
export function chosenPlace(id: string): string {
  return `${placeCookie}=${encodeURIComponent(id)}; Path=/; Max-Age=${yearSeconds}; SameSite=Lax`
}
