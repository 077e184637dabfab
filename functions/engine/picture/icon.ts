import { escapeXml } from '#functions/engine/map/svg.ts'
import { withParts } from './fonts.ts'
import { family } from '#functions/engine/chart/picture-fonts.ts'

/** The drawing's own units. */
export const iconSize = 64

/** Bars, where the fonts lack the initial of a name. */
const bars = 'M14 36h10v16H14zM27 24h10v28H27zM40 12h10v40H40z'

/** The favicon of a place as a square SVG: the initial of its name on its colour. */
export function iconSvg({
  name,
  background,
  text,
}: {
  name: string
  background: string
  text: string
}): string {
  const initial = [...new Intl.Segmenter('en').segment(name.trim().slice(0, 20))][0]?.segment ?? ''
  const isWritten = /^[\p{Script=Latin}\p{N}]$/u.test(initial)
  const sign = isWritten
    ? `<text x="32" y="47" font-family="${family}" font-size="44" font-weight="600" text-anchor="middle" fill="${text}">${withParts(escapeXml(initial.toLocaleUpperCase('en')))}</text>`
    : `<path d="${bars}" fill="${text}"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64"><rect width="64" height="64" rx="12" fill="${background}"/>${sign}</svg>`
}

/** Combines PNG files into an ICO; each at most 256 pixels a side. */
export function buildIco(pictures: readonly { size: number; png: Uint8Array }[]): Uint8Array<ArrayBuffer> {
  const head = 6 + 16 * pictures.length
  const bytes = new Uint8Array(head + pictures.reduce((sum, { png }) => sum + png.length, 0))
  const view = new DataView(bytes.buffer)
  view.setUint16(2, 1, true)
  view.setUint16(4, pictures.length, true)
  let at = head
  pictures.forEach(({ size, png }, i) => {
    const entry = 6 + 16 * i
    // A side of 256 is written as 0.
    view.setUint8(entry, size % 256)
    view.setUint8(entry + 1, size % 256)
    view.setUint16(entry + 4, 1, true)
    view.setUint16(entry + 6, 32, true)
    view.setUint32(entry + 8, png.length, true)
    view.setUint32(entry + 12, at, true)
    bytes.set(png, at)
    at += png.length
  })
  return bytes
}
