import { writeStates, type FigureState } from '#functions/engine/chart/figure-state.ts'
import { frameCode, sizeWithin } from '#functions/shapes/embed.ts'
import { embedPath, picturePath, pictureSize } from '#functions/shapes/hub-picture.ts'
import { xmlText } from '#functions/engine/export/xml.ts'

/** The stored data of a page for oEmbed, with its picture. */
export interface Shareable {
  title: string
  place: string
  /** Whether it shows a chart, a map or a number, and not only text. */
  isFigure: boolean
}

/** A page of a hub that is to be shown elsewhere. */
interface OembedPage {
  origin: string
  path: string
  base: string
  /** The figures by their names in URLs; the first one is the default. */
  state?: [name: string, state: FigureState][]
}

/** An answer of oEmbed 1.0 (oembed.com); its members by their names there. */
export type Oembed = Record<string, string | number>

/**
 * The oEmbed response for a hub page: for a source page an iframe with its figure, within the size limits of the site;
 * for other pages a link with a picture. `origin` is the hub's, `path` the page's without language, `base` the prefix of
 * its language. A URL with a figure in its fragment gives that figure in that state.
 */
export function buildOembed(
  { origin, path, base, state = [] }: OembedPage,
  { title, place }: Shareable,
  room: { width?: number | undefined; height?: number | undefined },
): Oembed {
  const [[name, value] = []] = state
  const embed = embedPath(path, base, name)
  const hash = name === undefined || !value ? '' : writeStates(new Map([[name, value]]))
  const size = sizeWithin(room)
  const picture = pictureWithin(room)
  return {
    version: '1.0',
    type: embed === null ? 'link' : 'rich',
    title,
    author_name: place,
    author_url: origin + (base || '/'),
    provider_name: place,
    provider_url: origin + (base || '/'),
    cache_age: 3600,
    ...(embed === null ? {} : { ...size, html: frameCode(`${origin}${embed}${hash}`, title, size) }),
    ...(hash === '' || embed === null
      ? {
          thumbnail_url: origin + picturePath(path, base),
          thumbnail_width: picture.width,
          thumbnail_height: picture.height,
        }
      : buildThumbnail(`${origin}${embed}`, hash, size)),
  }
}

/** The picture of a figure in the state that the frame shows, which has two pixels a unit. */
function buildThumbnail(embed: string, hash: string, { width, height }: ReturnType<typeof sizeWithin>) {
  const query = hash.replace(/^#figure=[^&]*/, '')
  return {
    thumbnail_url: `${embed}.png?width=${width}&height=${height}${query}`,
    thumbnail_width: 2 * width,
    thumbnail_height: 2 * height,
  }
}

/** "These parameters must obey maxwidth and maxheight": the picture, scaled to the limits. */
function pictureWithin({ width, height }: { width?: number | undefined; height?: number | undefined }) {
  const scale = Math.min(
    1,
    (width ?? Infinity) / pictureSize.width,
    (height ?? Infinity) / pictureSize.height,
  )
  return {
    width: Math.max(1, Math.floor(pictureSize.width * scale)),
    height: Math.max(1, Math.floor(pictureSize.height * scale)),
  }
}

/** The response as XML. */
export function oembedXml(answer: Oembed): string {
  const members = Object.entries(answer).map(
    ([name, value]) => `<${name}>${xmlText(String(value))}</${name}>`,
  )
  return `<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<oembed>${members.join('')}</oembed>\n`
}
