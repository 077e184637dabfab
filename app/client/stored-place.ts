import { buildPlaceCookie, personalAccount, placeCookie as key } from '#functions/shapes/place-cookie.ts'

/** Stores the chosen place ("personal-account" for none) and reloads at /. */
export function choosePlace(id: string) {
  store(id)
  window.location.assign('/')
}

/**
 * Restores the cookie from local storage if it is missing (cleared or expired); else stores the cookie's value, which a form may have
 * changed. Gives whether the page must be reloaded.
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
    // Local storage may be blocked (private mode); the server reads only the cookie.
  }
  document.cookie = buildPlaceCookie(id)
}
