import { withoutSlashes } from '#functions/engine/address/urls.ts'

/** Where going back to would loop or act: signing in, signing out; and invitations, but for the link of an email. */
const never = ['/login', '/logout', '/signup', '/invite']

/** The link of an invitation's email: it shows what it is to and accepts nothing. Without its token there is nothing to see. */
export function isInvitation(to: string): boolean {
  const url = new URL(to, 'http://here.invalid')
  return /^\/invite\/[\w-]+$/.test(url.pathname) && /^\?token=[\w-]+$/.test(url.search) && url.hash === ''
}

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
  if (!isInvitation(to) && never.some((start) => path === start || path.startsWith(`${start}/`))) return '/'
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
  const plain = withoutSlashes(path.toLowerCase())
  return plain.replace(/^\/[a-z]{2}(?=\/)/, '') || '/'
}
