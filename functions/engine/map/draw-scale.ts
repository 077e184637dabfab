import type { GeoProjection } from 'd3-geo'
import type { Position } from 'geojson'
import { textWidth, wrapText } from '#functions/engine/chart/text-width.ts'
import type { OccupiedArea } from './draw-ground.ts'
import type { Inset, MapProjection } from './insets.ts'
import type { Lettering } from './lettering.ts'
import { escapeXml, formatSvgNumber } from './svg.ts'
import { describeAreasOnly, describeMiddleScale } from './words.ts'

interface Size {
  width: number
  height: number
}

/** A small part of a drawing, and the rectangle that it takes. */
interface Sign {
  svg: string
  occupied: OccupiedArea
}

const earthRadius = 6_371_008.8
/** Where the scale is, from the corner at the bottom left. */
const margin = 14
/** Degrees of latitude that a picture may show: one scale for all of it, and one for its middle. */
const maxDegrees = { whole: 25, middle: 60 }

/**
 * A scale bar of a round metric length, at most a quarter of the picture, measured in its middle. Where the scale differs
 * by latitude the bar says that it is that of the middle, and of the whole earth, which has no scale, a text says that
 * areas are comparable. Undefined where the scale differs too much.
 */
export function drawScale(
  projection: MapProjection,
  { width, height }: Size,
  { fontSize }: Lettering,
  locale: string,
): Sign | undefined {
  if (projection.isRound) return drawAreasOnlyNote({ width, height }, fontSize, locale)
  const { insets = [], main = projection } = projection
  const degrees = degreesIn(main, { width, height })
  // An equal-area cone is true to a hundredth within the United States.
  const isWhole = degrees <= maxDegrees.whole || projection.isConic === true
  const bar = computeScaleBar(main, { x: 0, y: 0, width, height }, width / 4)
  if (!bar || (!isWhole && degrees > maxDegrees.middle)) return undefined
  const text = isWhole ? bar.text : describeMiddleScale(bar.text, locale)
  const size = {
    height: fontSize + 16,
    width: Math.max(bar.units, textWidth(text, fontSize)) + 8,
  }
  // Below an inset it would be taken for that of the inset.
  const isLeft = !insets.some((inset) => inset.x < width / 4)
  const occupied = isLeft
    ? { x: margin - 4, y: height - margin - 10 - fontSize, ...size }
    : { x: width - margin - size.width, y: 2, ...size }
  const [x, y] = [occupied.x + 4, occupied.y + 10 + fontSize]
  return {
    svg: `<g class="map-scale" aria-hidden="true">${draw(bar.units, text, [x, y], fontSize)}</g>`,
    occupied,
  }
}

/** The scales of insets, each in its corner: they differ from that of the map. Narrow pictures have no room for them. */
export function drawInsetScales(insets: readonly Inset[], { fontSize, isNarrow }: Lettering): string {
  if (isNarrow) return ''
  const bars = insets.map((inset) => {
    const bar = computeScaleBar(inset.projection, inset, inset.width / 2.5)
    return bar ? draw(bar.units, bar.text, [inset.x + 6, inset.y + inset.height - 6], 0.8 * fontSize) : ''
  })
  return bars.join('') && `<g class="map-scale" aria-hidden="true">${bars.join('')}</g>`
}

/** A bar of a round length within `room` units, measured in the middle of a rectangle; undefined where it has no position. */
function computeScaleBar({ invert }: GeoProjection, { x, y, width, height }: OccupiedArea, room: number) {
  const [a, b] = [-0.5, 0.5].map((dx) => invert?.([x + width / 2 + dx, y + height / 2]))
  if (!a || !b) return undefined
  const metres = distance(a, b)
  const most = room * metres
  const power = 10 ** Math.floor(Math.log10(most))
  const length = ([5, 2, 1].find((times) => times * power <= most) ?? 1) * power
  return { units: length / metres, text: length >= 1000 ? `${length / 1000} km` : `${length} m` }
}

/** Metres between two near points in degrees. */
function distance(a: Position, b: Position): number {
  const [[aLon = 0, aLat = 0], [bLon = 0, bLat = 0]] = [a, b]
  const east = (((bLon - aLon + 540) % 360) - 180) * Math.cos((((aLat + bLat) / 2) * Math.PI) / 180)
  return ((Math.hypot(east, bLat - aLat) * Math.PI) / 180) * earthRadius
}

/** The degrees of latitude between top and bottom, in the middle of a picture. */
function degreesIn({ invert }: GeoProjection, { width, height }: Size): number {
  const [top, bottom] = [0, height].map((y) => invert?.([width / 2, y]))
  return top && bottom ? top[1] - bottom[1] : Infinity
}

function draw(units: number, text: string, [x, y]: [number, number], fontSize: number): string {
  const bar = `M${formatSvgNumber(x)} ${formatSvgNumber(y - 4)}v4h${formatSvgNumber(units)}v-4`
  return (
    `<path fill="none" stroke="var(--map-land)" stroke-width="3.5" d="${bar}"/><path fill="none" stroke="var(--map-label)" d="${bar}"/>` +
    textAt(text, x, y - 8, fontSize)
  )
}

const textAt = (text: string, x: number, y: number, fontSize: number) =>
  `<text x="${formatSvgNumber(x)}" y="${formatSvgNumber(y)}" fill="var(--map-label)" stroke="var(--map-land)" stroke-width="2.5" ` +
  `paint-order="stroke" font-size="${formatSvgNumber(fontSize)}">${escapeXml(text)}</text>`

/** In the corner at the bottom left, which the outline of the earth leaves free. */
function drawAreasOnlyNote({ width, height }: Size, fontSize: number, locale: string): Sign {
  const size = 0.85 * fontSize
  const lines = wrapText(describeAreasOnly(locale), size, width * 0.22, 4)
  const high = lines.length * 1.25 * size
  const top = height - high - 4
  return {
    svg: `<g class="map-scale" aria-hidden="true">${lines.map((line, i) => textAt(line, 4, top + (i + 1) * 1.25 * size - 2, size)).join('')}</g>`,
    occupied: { x: 0, y: top, width: 0.22 * width, height: high + 4 },
  }
}
