/** The source in the path of its hub page, without a language; null for other pages. */
export const sourceInPath = (path: string) => /^\/domains\/[^/]+\/source\/([^/]+)$/.exec(path)?.[1] ?? null

/**
 * The path of a hub page's sharing picture: of its own chart or map, else of the place. `path`: without a language, `base`: the prefix
 * of its language.
 */
export function picturePath(path: string, base = ''): string {
  if (path === '/') return `${base}/og/home.png`
  if (path === '/map') return `${base}/og/map.png`
  if (sourceInPath(path) !== null) return `${base}/og${path}.png`
  const page = storyInPath(path)
  return page === undefined ? `${base}/og/place.png` : `${base}/og/pages/${page}.png`
}

/** The size of such a picture in pixels, as recommended by social networks. */
export const pictureSize = { width: 1200, height: 630 } as const

/** The story in the path of its hub page, without a language; undefined for other pages. */
const storyInPath = (path: string) => /^\/pages\/(?:storytelling|blank)\/([^/]+)\/preview$/.exec(path)?.[1]

/** The path of the embed page of a story's figure, without a language. */
export const figureEmbedPath = (pageId: string, figure: string) => `/embed/pages/${pageId}/${figure}`

/** The path of an embed page: of a source's page, of a hub's map, or of a story's `figure`. Null for pages without one. */
export function embedPath(path: string, base = '', figure?: string): string | null {
  if (path === '/map' || sourceInPath(path) !== null) return `${base}/embed${path}`
  const story = storyInPath(path)
  return story === undefined || figure === undefined ? null : base + figureEmbedPath(story, figure)
}
