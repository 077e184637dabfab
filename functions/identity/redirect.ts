/** Where going back to would loop or act: signing in, signing out, accepting an invite. */
const never = ['/login', '/logout', '/signup', '/invite']

/**
 * A path of our own to go on to, or '/' for everything else. Use it when a target is stored and again when it is
 * followed. Only the path, query and fragment of a same-origin address pass; no host, scheme, backslash or
 * control character does.
 */
export function safeRedirect(to: string | null | undefined): string {
  // Browsers drop tabs and line breaks and read `\` as `/`; so nothing that has one is repaired, it is refused.

  if (
    !to ||
    to.length > 2000 ||
    !/^\/(?!\/)/.test(to) ||
    /[\u0000-\u0020\u007f-\u00a0\\\u2028\u2029]/.test(to)
  )
    return '/'
  const here = 'http://here.invalid'
  if (!URL.canParse(to, here)) return '/'
  const url = new URL(to, here)
  const path = pathOf(url)
  if (url.origin !== here || path === null || path.startsWith('//')) return '/'
  if (never.some((start) => path === start || path.startsWith(`${start}/`))) return '/'
  return url.pathname + url.search + url.hash
}

/** The path as the router will compare it: decoded, lower case, without a locale before or a slash after it; null if it hides something. */
function pathOf(url: URL): string | null {
  let path: string
  try {
    path = decodeURIComponent(url.pathname)
  } catch {
    return null
  }

  if (/[\u0000-\u001f\u007f\\%]/.test(path)) return null
  const plain = path.toLowerCase().replace(/\/+$/, '')
  return plain.replace(/^\/[a-z]{2}(?=\/)/, '') || '/'
}
