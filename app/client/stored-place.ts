import { chosenPlace, personalAccount, placeCookie as key } from '#functions/shapes/place-cookie.ts'

/** Stores the place a person chose ("personal-account" for none) and starts over at /. */
export function choosePlace(id: string) {
  store(id)
  window.location.assign('/')
}

/**
 * Tells the server the place that local storage knows, where the cookie is missing (it was cleared, or expired); else
 * remembers what the cookie says, which a form may have changed. Gives whether the page must be asked for again.
 */
export function restorePlace(activeId: string | null): boolean {
  let storedId: string | null = null
  const cookie = document.cookie.split('; ').find((cookie) => cookie.startsWith(`${key}=`))
  try {
    storedId = localStorage.getItem(key)
    if (storedId && cookie) localStorage.setItem(key, decodeURIComponent(cookie.slice(key.length + 1)))
  } catch {
    return false
  }
  if (!storedId || cookie) return false
  store(storedId)
  return storedId !== (activeId ?? personalAccount)
}

function store(id: string) {
  try {
    localStorage.setItem(key, id)
  } catch {
    // Not kept here (private mode): the cookie is what the server reads.
  }
  document.cookie = chosenPlace(id)
}
