/** The name of the place a person works in: in local storage, and in the cookie that the server reads. */
const key = 'place'
/** The stored value that means "no place: my personal account". */
export const personalAccount = 'personal-account'

const yearSeconds = 365 * 24 * 60 * 60

/** Stores the place a person chose ("personal-account" for none) and starts over at /. */
export function choosePlace(id: string) {
  store(id)
  window.location.assign('/')
}

/**
 * Tells the server the place that local storage knows, where the cookie is missing (it was cleared, or expired).
 * Gives whether the page must be asked for again.
 */
export function restorePlace(activeId: string | null): boolean {
  let stored: string | null = null
  try {
    stored = localStorage.getItem(key)
  } catch {
    return false
  }
  if (!stored || document.cookie.split('; ').some((cookie) => cookie.startsWith(`${key}=`))) return false
  store(stored)
  return stored !== (activeId ?? personalAccount)
}

function store(id: string) {
  try {
    localStorage.setItem(key, id)
  } catch {
    // Not kept here (private mode): the cookie is what the server reads.
  }
  document.cookie = `${key}=${encodeURIComponent(id)}; Path=/; Max-Age=${yearSeconds}; SameSite=Lax`
}
