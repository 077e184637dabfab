import { firstScriptHash } from './first-script.ts'

/**
 * What a page may show of other sites, the same on hubs and in the workspace, whose previews show what hubs will: pictures
 * and films, as the pages of the organisation do. No plug-ins.
 */
const media = ["img-src 'self' data: blob: https:", "media-src 'self' https:", "object-src 'none'"]

/**
 * The Content-Security-Policy of a stored hub page. Its nonce would be public, so it allows only our own files, the styles it
 * carries (by hash) and the first script. `framedBy`: whose pages may show this one in a frame.
 */
export function hubPolicy(styles: readonly string[], framedBy = "'none'"): string {
  return [
    // Firefox before 132 asks `default-src`, not `img-src`, for the drawings that a page refers to.
    "default-src 'self'",
    ...media,
    "frame-src 'none'",
    `script-src 'self' '${firstScriptHash}'`,
    `style-src ${["'self'", ...styles.map((hash) => `'${hash}'`)].join(' ')}`,
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${framedBy}`,
  ].join('; ')
}

/**
 * The Content-Security-Policy of a page of the workspace. Scripts only with this answer's nonce; styles may be inline, since
 * editors and popovers place themselves. Files are sent straight to the bucket where it has an address (`uploads`; ''
 * without one).
 */
export function workspacePolicy(nonce: string, uploads: string, isDevelopment: boolean): string {
  return [
    "default-src 'self'",
    ...media,
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'`,
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self'",
    `connect-src 'self'${uploads && ` ${uploads}`}${isDevelopment ? ' ws:' : ''}`,
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
