import { firstScriptHash } from './first-script.ts'

/** Content of other sites in pages, the same on hubs and in the workspace, which previews hubs: pictures and media. No plug-ins. */
const media = ["img-src 'self' data: blob: https:", "media-src 'self' https:", "object-src 'none'"]

/**
 * The Content-Security-Policy of a stored hub page. A stored nonce would be public, so only our own files, the page's styles (by hash)
 * and the first script are allowed. `framedBy`: the origins that may frame the page.
 */
export function hubPolicy(styles: readonly string[], framedBy = "'none'"): string {
  return [
    // Firefox before 132 applies `default-src` instead of `img-src` to referenced drawings. Fonts, connections and
    // manifests have no rules of their own, which would say the same in each first document.
    "default-src 'self'",
    ...media,
    "frame-src 'none'",
    `script-src 'self' '${firstScriptHash}'`,
    `style-src ${["'self'", ...styles.map((hash) => `'${hash}'`)].join(' ')}`,
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${framedBy}`,
  ].join('; ')
}

/**
 * The Content-Security-Policy of a workspace page. Scripts only with the nonce of the response; inline styles are allowed for editors
 * and popovers. `uploads`: the origin of the bucket for direct uploads, '' without one.
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
