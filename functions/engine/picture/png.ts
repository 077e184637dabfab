import { initWasm, Resvg } from '@resvg/resvg-wasm'
import wasm from '@resvg/resvg-wasm/index_bg.wasm?module'
import { trueTypeFonts, withParts } from './fonts.ts'
import { canDraw, family, findPlainName, textElements } from '#functions/engine/chart/picture-fonts.ts'
import { pngFile } from './png-file.ts'

/** The most pixels a side of a picture may have. */
export const maxPixels = 2400

/** The longest drawing, in characters, that is rendered: about 10,000 marks, a second of work. */
const longest = 2_000_000

let ready: Promise<void> | undefined

/**
 * Renders an SVG as PNG, `scale` times as large but at most 2,400 pixels a side. Colours must be values, not custom
 * properties; text uses the bundled fonts, since Workers have none. Throws a RangeError for a drawing that is too long.
 * Import this file on demand only: it loads a module of 2.4 MB.
 */
export async function renderPng(
  svg: string,
  size: { width: number; height: number },
  scale: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (svg.length > longest) throw new RangeError('This drawing is too large for a picture.')
  ready ??= initWasm(wasm)
  const [fontBuffers] = await Promise.all([trueTypeFonts(), ready])
  const zoom = Math.min(scale, maxPixels / Math.max(size.width, size.height))
  const renderer = new Resvg(withDrawnTexts(svg), {
    fitTo: { mode: 'zoom', value: zoom },
    font: { fontBuffers, defaultFontFamily: family, sansSerifFamily: family },
  })
  try {
    const picture = renderer.render()
    try {
      // Pixels and bytes are copied out of the module already
      return (await pngFile(picture.pixels, picture)) ?? (picture.asPng() as Uint8Array<ArrayBuffer>)
    } finally {
      picture.free()
    }
  } finally {
    renderer.free()
  }
}

/**
 * An SVG whose texts are set in the parts of the font. Names of places in letters that no font has are replaced by their
 * plain form, or left out with the dot of their place.
 */
const withDrawnTexts = (svg: string): string =>
  svg.replace(textElements, (_all, dot: string = '', attributes: string, content: string) => {
    const plain = findPlainName(attributes)
    const isReplaced = plain !== undefined && !canDraw(content.replace(/<[^>]*>/g, ''))
    if (isReplaced && plain === '') return ''
    const text = isReplaced ? plain : content
    const textWithParts = text.replace(
      /(^|>)([^<]+)/g,
      (_run, end: string, run: string) => end + withParts(run),
    )
    return `${dot}<text${attributes}>${textWithParts}</text>`
  })
