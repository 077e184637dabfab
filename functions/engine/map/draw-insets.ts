import type { Feature, FeatureCollection } from 'geojson'
import { drawGround, type Ground } from './draw-ground.ts'
import type { Inset, MapProjection } from './insets.ts'
import type { Lettering } from './lettering.ts'
import { joinPlainAttribute } from './plain-name.ts'
import { namesOfRegions } from './region-names.ts'
import { escapeXml, formatSvgNumber } from './svg.ts'
import { wrapText } from '#functions/engine/chart/text-width.ts'

/** The regions that are in no inset. */
export function nearRegions<Regions extends FeatureCollection>(
  regions: Regions,
  insets: readonly Inset[],
): Regions {
  const getGid = ({ properties }: Feature) => String(properties?.gid)
  const gids = new Set(insets.flatMap((inset) => inset.regions.map(getGid)))
  const features = regions.features.filter((region) => !gids.has(getGid(region)))
  return { ...regions, features }
}

/** The base map of a drawing and of its insets, in about `room` characters; for its other options see `drawGround`. */
export function drawGroundInParts(
  ground: Ground,
  projection: MapProjection,
  size: { width: number; height: number },
  isBordered: boolean,
  room: number,
): string {
  const { insets = [], main = projection } = projection
  const roomOfMain = room / (1 + insets.length / 3)
  const empty: Ground = { land: [], water: [], borders: [], towns: [], attribution: '' }
  const pieces = insets.map((inset, i) =>
    drawGround(ground.insets?.[i] ?? empty, inset.projection, inset, isBordered, roomOfMain / 3),
  )
  return drawGround(ground, main, size, isBordered, roomOfMain) + pieces.join('')
}

/** The frames around insets. */
export const frameInsets = (insets: readonly Inset[]): string =>
  insets
    .map(
      ({ x, y, width, height }) =>
        `<rect x="${formatSvgNumber(x)}" y="${formatSvgNumber(y)}" width="${formatSvgNumber(width)}" height="${formatSvgNumber(height)}" fill="none" stroke="var(--map-label)" stroke-opacity=".5"/>`,
    )
    .join('')

/** The labels of insets in the language of `locale`, each in its corner. */
export const nameInsets = (insets: readonly Inset[], lettering: Lettering, locale: string): string =>
  insets.map((inset) => (inset.regions.length > 0 ? nameInset(inset, lettering, locale) : '')).join('')

/** On a phone a name has a second line: an inset has room for a word or two beside large letters. */
function nameInset(
  { x, y, width, regions }: Inset,
  { fontSize, isNarrow }: Lettering,
  locale: string,
): string {
  const lines = wrapText(namesOfRegions(regions, locale), fontSize, width - 8, isNarrow ? 2 : 1)
  const [first = '', ...others] = lines.map(escapeXml)
  const rest = others.map((line) => `<tspan x="${x + 5}" dy="1.1em">${line}</tspan>`)
  return (
    `<text x="${x + 5}" y="${formatSvgNumber(y + fontSize + 2)}" fill="var(--map-label)" stroke="var(--map-land)" stroke-width="2.5" ` +
    `paint-order="stroke" font-size="${fontSize}" aria-hidden="true"${joinPlainAttribute(regions, locale)}>${first}${rest.join('')}</text>`
  )
}
