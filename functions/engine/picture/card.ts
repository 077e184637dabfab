import { escapeXml } from '#functions/engine/map/svg.ts'
import { fitText, textWidth, wrapText } from '#functions/engine/chart/text-width.ts'
import { drawableOrNone } from '#functions/engine/chart/picture-fonts.ts'
import { paintSvg } from './paint.ts'
import { parseViewBox, getSvgContents } from './sheet.ts'

/** The contents of a social card; '' is left out. */
export interface Card {
  place: string
  title: string
  /** The answer in a sentence, or the topic of the page. */
  text: string
  date: string
  /** The number of the page, with its unit. */
  value: string
  /** The page's chart or map as SVG with a viewBox; '' for none. */
  drawing: string
  /** The classes of a map, from low to high. */
  legend: { label: string; fill: string }[]
  /** The direction of its language: text is at the start, the drawing at the end. */
  direction?: 'ltr' | 'rtl'
}

/** The size in units; rendered at twice as many pixels. */
export const cardSize = { width: 600, height: 315 } as const

const margin = 28
const fonts = "'Public Sans',sans-serif"

/**
 * A social card of a page as SVG: title, source and date at the start, the mobile version of its drawing at the end, so
 * that its text is readable. Without a drawing the text takes all the space.
 */
export function cardSvg(card: Card): string {
  const { width, height } = cardSize
  const hasDrawing = card.drawing !== ''
  const column = hasDrawing ? 216 : width - 2 * margin
  const isRight = card.direction === 'rtl'
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${fonts}" font-variant="tabular-nums">` +
    `<rect width="100%" height="100%" fill="var(--chart-surface)"/><rect x="${isRight ? width - 8 : 0}" width="8" height="100%" fill="var(--seq-6)"/>` +
    drawCardTexts(card, column, hasDrawing ? 21 : 34) +
    (hasDrawing
      ? placeDrawing(card, {
          x: isRight ? 16 : margin + column + 16,
          y: 20,
          width: width - column - margin - 32,
          height: height - 40,
        })
      : '') +
    `</svg>`
  // It is shown as narrow as a phone shows a page.
  return paintSvg(svg, 'light', { '--map-wide': 'none', '--map-narrow': 'inline' })
}

function drawCardTexts({ date, direction, ...texts }: Card, width: number, size: number): string {
  const [place, title, text, value] = [texts.place, texts.title, texts.text, texts.value].map(
    drawableOrNone,
  ) as [string, string, string, string]
  const at = direction === 'rtl' ? cardSize.width - margin : margin
  const textAt = (y: number, text: string, fontSize: number, fill: string, isBold: boolean) =>
    lineAt({ x: at, y, isEnd: direction === 'rtl' }, text, fontSize, fill, isBold)
  let svg = ''
  let y = margin
  const write = (text: string, fontSize: number, fill: string, most: number, isBold = false) => {
    // More than any card has room for; a text is measured letter by letter.
    for (const line of wrapText(text.slice(0, 400), fontSize, width, most, isBold)) {
      y += fontSize * 1.22
      svg += textAt(y, running(line, text), fontSize, fill, isBold)
    }
  }
  write(place, 13, 'var(--chart-muted)', 1)
  y += 8
  write(title, size, 'var(--chart-text)', value === '' ? 4 : 2, true)
  if (value !== '') {
    y += 14
    const fontSize = Math.min(48, (48 * width) / textWidth(value, 48, true))
    write(value, fontSize, 'var(--seq-6)', 1, true)
  }
  y += 8
  const bottom = cardSize.height - margin
  const lines = Math.max(0, Math.floor((bottom - 24 - y) / (14 * 1.22)))
  if (lines > 0) write(text, 14, 'var(--chart-muted)', Math.min(6, lines))
  return svg + textAt(bottom, running(fitText(date, 12.5, width), date), 12.5, 'var(--chart-muted)', false)
}

/** Isolates a line of an Arabic text as right-to-left, even where it begins with a number or a foreign word. */
const running = (line: string, text: string) => (/[\u0600-\u06ff]/.test(text) ? `\u2067${line}\u2069` : line)

/** A line that begins or ends at a position. */
function lineAt(
  { x, y, isEnd }: { x: number; y: number; isEnd: boolean },
  text: string,
  size: number,
  fill: string,
  isBold: boolean,
): string {
  const anchor = isEnd ? ' text-anchor="end"' : ''
  const weight = isBold ? ' font-weight="600"' : ''
  return `<text x="${x}" y="${y.toFixed(1)}" font-size="${size}"${anchor}${weight} fill="${fill}">${escapeXml(text)}</text>`
}

interface Room {
  x: number
  y: number
  width: number
  height: number
}

function placeDrawing({ drawing, legend }: Card, room: Room): string {
  const free = legend.length > 0 ? room.height - 30 : room.height
  const box = parseViewBox(drawing)
  const scale = Math.min(room.width / box.width, free / box.height)
  const [width, height] = [box.width * scale, box.height * scale]
  const x = room.x + (room.width - width) / 2
  const y = room.y + (free - height) / 2
  return (
    `<svg x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${width.toFixed(1)}" height="${height.toFixed(1)}" viewBox="0 0 ${box.width} ${box.height}" overflow="visible">${getSvgContents(drawing)}</svg>` +
    drawLegend(legend, room)
  )
}

/** The classes in a row, with labels for the lowest and the highest. */
function drawLegend(legend: Card['legend'], room: Room): string {
  const [low, high] = [legend[0], legend.at(-1)]
  if (!low || !high) return ''
  const y = room.y + room.height - 20
  const step = Math.min(36, room.width / legend.length)
  const signs = legend.map(
    ({ fill }, i) => `<rect x="${room.x + i * step}" y="${y}" width="${step}" height="9" fill="${fill}"/>`,
  )
  const at = y + 20
  const end = room.x + legend.length * step
  return `${signs.join('')}<text x="${room.x}" y="${at}" font-size="10.5" fill="var(--chart-muted)">${escapeXml(low.label)}</text><text x="${Math.max(end, room.x + 150)}" y="${at}" font-size="10.5" text-anchor="end" fill="var(--chart-muted)">${escapeXml(high.label)}</text>`
}
