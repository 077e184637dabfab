import { hatchColour, hatchOpacity, hatchSign } from '#functions/engine/map/hatch.ts'
import { escapeXml } from '#functions/engine/map/svg.ts'
import { fitText, textWidth, wrapText } from '#functions/engine/chart/text-width.ts'

/** One entry of a legend below a picture. */
export interface Sign {
  label: string
  fill: string
  /** Makes the symbol a circle. */
  radius?: number
  /** For areas without a value. */
  isHatched?: true
}

/** A self-contained picture: everything around the drawing. */
export interface Sheet {
  title: string
  /** The accessible description besides the title. */
  description: string
  /** Sentences between title and drawing. */
  lines: string[]
  /** An SVG with a viewBox; null where there is nothing to draw. */
  drawing: string | null
  legend: Sign[]
  /** The heading of the legend. */
  legendTitle?: string
  /** Sources, licence and date, below the drawing. */
  credit: string
  /** Without title, sources, background and margins, for pages that have them. */
  isBare?: boolean
}

const fonts = "'Public Sans Variable','Public Sans',system-ui,-apple-system,'Segoe UI',Roboto,sans-serif"

interface TextStyle {
  size: number
  fill: string
  isBold?: boolean
}
const titleStyle: TextStyle = { size: 20, fill: 'var(--chart-text)', isBold: true }
const lineStyle: TextStyle = { size: 14.5, fill: 'var(--chart-muted)' }
const legendStyle: TextStyle = { size: 12.5, fill: 'var(--chart-text)', isBold: true }
const creditStyle: TextStyle = { size: 11.5, fill: 'var(--chart-muted)' }
const leading = 1.4

/** The width of a sheet's drawing, and its maximal height: null without a given one. */
export function roomFor(
  sheet: Pick<Sheet, 'title' | 'lines' | 'legend' | 'legendTitle' | 'credit' | 'isBare'>,
  { width, height }: { width: number; height: number | null },
): { width: number; height: number | null } {
  const around = layOut({ ...sheet, description: '', drawing: null }, width, 0).height
  return {
    width: width - 2 * getSheetMargin(width, sheet),
    height: height === null ? null : Math.max(120, height - around),
  }
}

const getSheetMargin = (width: number, { isBare = false }: Pick<Sheet, 'isBare'>) =>
  isBare ? 0 : width < 480 ? 16 : 28

/**
 * A sheet as SVG, `width` wide; as high as it needs to be, or exactly `height`, to which the drawing is scaled down. Text
 * is text, set in the reader's font; colours are custom properties.
 */
export function sheetSvg(
  sheet: Sheet,
  size: { width: number; height: number | null },
): {
  svg: string
  width: number
  height: number
} {
  const room = roomFor(sheet, size)
  const box = sheet.drawing === null ? { width: 0, height: 0 } : parseViewBox(sheet.drawing)
  const scale = box.width === 0 ? 0 : Math.min(room.width / box.width, (room.height ?? Infinity) / box.height)
  const [width, height] = [box.width * scale, box.height * scale]
  const laid = layOut(sheet, size.width, size.height === null ? height : (room.height ?? height))
  const x = Math.round(getSheetMargin(size.width, sheet) + (room.width - width) / 2)
  const drawing =
    sheet.drawing === null
      ? ''
      : `<svg x="${x}" y="${laid.drawingTop}" width="${round(width)}" height="${round(height)}" ` +
        `viewBox="0 0 ${box.width} ${box.height}" overflow="visible">${getSvgContents(sheet.drawing)}</svg>`
  const fullHeight = size.height ?? laid.height
  const ground = sheet.isBare ? '' : '<rect width="100%" height="100%" fill="var(--chart-surface)"/>'
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${fullHeight}" ` +
    `viewBox="0 0 ${size.width} ${fullHeight}" role="img" aria-labelledby="title" aria-describedby="description" ` +
    `font-family="${fonts}" font-variant="tabular-nums">` +
    `<title id="title">${escapeXml(sheet.title)}</title><desc id="description">${escapeXml(sheet.description)}</desc>` +
    `${ground}${laid.svg}${drawing}</svg>`
  return { svg, width: size.width, height: fullHeight }
}

const round = (value: number): number => Math.round(value * 100) / 100

/** The size of a drawing's own units. */
export function parseViewBox(svg: string): { width: number; height: number } {
  const [, , width = '0', height = '0'] = /viewBox="([^"]*)"/.exec(svg)?.[1]?.split(/[ ,]+/) ?? []
  return { width: Number(width), height: Number(height) }
}

/** The contents of an SVG, without its title and description. */
export const getSvgContents = (svg: string): string =>
  svg
    .slice(svg.indexOf('>') + 1, svg.lastIndexOf('</svg>'))
    .replace(/^(?:<(title|desc)[^>]*>[^<]*<\/\1>)+/, '')

/** Lays out everything but the drawing, for which `free` units are left. */
function layOut(sheet: Sheet, width: number, free: number) {
  const { title, lines, legend, legendTitle, credit, isBare = false } = sheet
  const margin = getSheetMargin(width, sheet)
  const inner = width - 2 * margin
  let svg = ''
  let y = margin
  const write = (text: string, style: TextStyle, most: number) => {
    const step = style.size * leading
    for (const line of wrapText(text, style.size, inner, most, style.isBold)) {
      svg += textAt(margin, y + step * 0.72, line, style)
      y += step
    }
  }
  if (!isBare) write(title, titleStyle, 4)
  if (!isBare && lines.length > 0) y += 4
  for (const line of lines) write(line, lineStyle, 5)
  if (!isBare || lines.length > 0) y += 14
  const drawingTop = round(y)
  y += free
  if (legend.length > 0) {
    y += 12
    if (legendTitle !== undefined) write(legendTitle, legendStyle, 2)
    const legendSize = drawLegend(legend, margin, y, inner)
    svg += legendSize.svg
    y += legendSize.height
  }
  if (credit !== '' && !isBare) {
    y += 14
    write(credit, creditStyle, 3)
  }
  return { svg, drawingTop, height: Math.ceil(y + margin * 0.7) }
}

function textAt(x: number, y: number, text: string, { size, fill, isBold }: TextStyle): string {
  const weight = isBold ? ' font-weight="600"' : ''
  return `<text x="${round(x)}" y="${round(y)}" font-size="${size}"${weight} fill="${fill}">${escapeXml(text)}</text>`
}

function drawLegend(
  signs: Sign[],
  left: number,
  top: number,
  width: number,
): { svg: string; height: number } {
  const style: TextStyle = { size: 12.5, fill: 'var(--chart-text)' }
  const most = Math.max(8, ...signs.map(({ radius }) => radius ?? 0))
  const row = Math.max(22, most * 2 + 4)
  let [x, y, svg] = [0, top + row / 2, '']
  for (const { label, fill, radius, isHatched } of signs) {
    const sign = radius === undefined ? 16 : Math.max(10, radius * 2)
    const text = fitText(label, style.size, width - sign - 8)
    const needs = sign + 6 + textWidth(text, style.size)
    if (x > 0 && x + needs > width) [x, y] = [0, y + row]
    svg +=
      radius === undefined
        ? `<rect x="${round(left + x)}" y="${round(y - 8)}" width="16" height="16" rx="2" fill="${fill}" stroke="var(--chart-axis)" stroke-width=".5"/>`
        : `<circle cx="${round(left + x + sign / 2)}" cy="${round(y)}" r="${radius}" fill="${fill}" fill-opacity=".6"/>`
    if (isHatched)
      svg += `<path transform="translate(${round(left + x)} ${round(y - 8)})" stroke="${hatchColour}" stroke-opacity="${hatchOpacity}" d="${hatchSign}"/>`
    svg += textAt(left + x + sign + 6, y + 4.4, text, style)
    x += needs + 18
  }
  return { svg, height: y + row / 2 - top }
}
