/** The size of an embedded figure, in pixels. */
interface EmbedSize {
  width: number
  height: number
}

/** A size that a column of text has room for. */
export const embedSize: EmbedSize = { width: 800, height: 480 }

/** Text inside of an attribute of HTML. */
const attribute = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/**
 * HTML that shows an insight in another site's page: its drawing, which keeps its shape, follows the reader's theme and
 * is drawn from the newest data each time. `href` is the insight's address in `/v1`.
 */
export function embedCode(href: string, name: string, size: EmbedSize = embedSize): string {
  return frameCode(`${href}.svg?width=${size.width}&height=${size.height}&theme=auto`, name, size)
}

/** HTML of a frame on another site's page that keeps its shape where there is less room; `name` says what is in it. */
export function frameCode(address: string, name: string, { width, height }: EmbedSize = embedSize): string {
  const source = attribute(address)
  const style = `border:0;max-width:100%;aspect-ratio:${width}/${height};height:auto`
  return `<iframe src="${source}" title="${attribute(name)}" width="${width}" height="${height}" style="${style}" loading="lazy"></iframe>`
}

/** HTML that shows an insight as a picture, for sites that take no frames. */
export function imageCode(href: string, name: string): string {
  const source = attribute(`${href}.png?width=${embedSize.width}&scale=2`)
  return `<img src="${source}" alt="${attribute(name)}" width="${embedSize.width}">`
}

/** The largest size of the usual shape within what a page has room for; both are optional. */
export function sizeWithin(most: { width?: number | undefined; height?: number | undefined }): EmbedSize {
  const { width, height } = embedSize
  const scale = Math.min(1, (most.width ?? width) / width, (most.height ?? height) / height)
  return {
    width: Math.max(240, Math.floor(width * scale)),
    height: Math.max(160, Math.floor(height * scale)),
  }
}
