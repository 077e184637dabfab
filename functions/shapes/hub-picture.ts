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
  const page = storyInPath(path)
  return page === undefined ? `${base}/og/place.png` : `${base}/og/pages/${page}.png`
}

/** The size of such a picture in pixels, as networks ask for it. */
export const pictureSize = { width: 1200, height: 630 } as const

/** The story whose page a path of a hub names, without a language; null for other pages. */
const storyInPath = (path: string) => /^\/pages\/(?:storytelling|blank)\/([^/]+)\/preview$/.exec(path)?.[1]

/** The path of the page of one figure of a story alone, without a language. */
export const figureEmbedPath = (pageId: string, figure: string) => `/embed/pages/${pageId}/${figure}`

/**
 * The path of the page of a figure alone, for frames on other sites: a source's page has one, and the map of a hub, a story one for each `figure` that it
 * shows. Null for pages that have none.
 */
export function embedPath(path: string, base = '', figure?: string): string | null {
  if (path === '/map' || sourceInPath(path) !== null) return `${base}/embed${path}`
  const story = storyInPath(path)
  return story === undefined || figure === undefined ? null : base + figureEmbedPath(story, figure)
}
