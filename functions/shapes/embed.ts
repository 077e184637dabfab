/** The size of an embedded figure, in pixels. */
interface EmbedSize {
  width: number
  height: number
}

/** The default size, which fits a text column. */
export const embedSize: EmbedSize = { width: 800, height: 480 }

/** Escapes text for an HTML attribute. */
const attribute = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/**
 * HTML that embeds an insight in another site: its drawing, which keeps its aspect ratio, follows the reader's theme and always shows
 * the newest data. `href`: the insight's URL in `/v1`.
 */
export function embedCode(href: string, name: string, size: EmbedSize = embedSize): string {
  return frameCode(`${href}.svg?width=${size.width}&height=${size.height}&theme=auto`, name, size)
}

/** The page of a hub's map, in any language and state: in its frame readers may ask for their position. */
const mapPage = /\/embed\/map(?:[?#]|$)/

/** HTML of an iframe that keeps its aspect ratio in narrow columns; `name` is its title. */
export function frameCode(address: string, name: string, { width, height }: EmbedSize = embedSize): string {
  const source = attribute(address)
  const style = `border:0;max-width:100%;aspect-ratio:${width}/${height};height:auto`
  const allowed = mapPage.test(address) ? ' allow="geolocation"' : ''
  return `<iframe src="${source}" title="${attribute(name)}" width="${width}" height="${height}" style="${style}" loading="lazy"${allowed}></iframe>`
}

/** HTML that shows an insight as an image, for sites without iframes. */
export function imageCode(href: string, name: string): string {
  const source = attribute(`${href}.png?width=${embedSize.width}&scale=2`)
  return `<img src="${source}" alt="${attribute(name)}" width="${embedSize.width}">`
}

/** The largest size of the default aspect ratio within limits; both are optional. */
export function sizeWithin(most: { width?: number | undefined; height?: number | undefined }): EmbedSize {
  const { width, height } = embedSize
  const scale = Math.min(1, (most.width ?? width) / width, (most.height ?? height) / height)
  return {
    width: Math.max(240, Math.floor(width * scale)),
    height: Math.max(160, Math.floor(height * scale)),
  }
}
