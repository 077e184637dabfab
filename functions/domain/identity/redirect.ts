import { withoutSlashes } from '#functions/engine/address/urls.ts'

/**
 * Paths that must not be redirected to, because they would loop or act: signing in and out, and invitations
 * except the link of an email.
 */
const never = ['/login', '/logout', '/signup', '/invite']

/**
 * Whether it is the link of an invitation's email, which only shows the invitation. Without its token there
 * is nothing to see.
 */
export function isInvitation(to: string): boolean {
  const url = new URL(to, 'http://here.invalid')
  return /^\/invite\/[\w-]+$/.test(url.pathname) && /^\?token=[\w-]+$/.test(url.search) && url.hash === ''
}

/**
 * A path of our own to redirect to, or '/' for everything else. Use it when a target is stored and again when
 * it is followed. Only path, query and fragment of a same-origin address pass; no host, scheme, backslash or
 * control character.
 */
export function safeRedirect(to: string | null | undefined): string {
  // Browsers drop tabs and line breaks and read `\` as `/`, so anything with one is rejected instead of
  // repaired.

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
  const path = normalizePath(url)
  if (url.origin !== here || path === null || path.startsWith('//')) return '/'
  if (!isInvitation(to) && never.some((start) => path === start || path.startsWith(`${start}/`))) return '/'
  return url.pathname + url.search + url.hash
}

/**
 * The path as the router compares it: decoded, lower case, without locale prefix and trailing slash; null if
 * it hides something.
 */
function normalizePath(url: URL): string | null {
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
