/** The source whose page a path of a hub names, without a language; null for other pages. */
export const sourceInPath = (path: string) => /^\/domains\/[^/]+\/source\/([^/]+)$/.exec(path)?.[1] ?? null

/**
 * The path of the picture that stands for a page of a hub where it is shared: of the page's own chart or map where it has
 * one, else of the place. `path` is the page's without a language, `base` the prefix of its language.
 */
export function picturePath(path: string, base = ''): string {
  if (path === '/') return `${base}/og/home.png`
  if (path === '/map') return `${base}/og/map.png`
  if (sourceInPath(path) !== null) return `${base}/og${path}.png`
  const page = /^\/pages\/(?:storytelling|blank)\/([^/]+)\/preview$/.exec(path)?.[1]
  return page === undefined ? `${base}/og/place.png` : `${base}/og/pages/${page}.png`
}

/** The size of such a picture in pixels, as networks ask for it. */
export const pictureSize = { width: 1200, height: 630 } as const

/** The path of the page of a source's figure alone, for frames on other sites; null for pages that have none. */
export function embedPath(path: string, base = ''): string | null {
  return sourceInPath(path) === null ? null : `${base}/embed${path}`
}
