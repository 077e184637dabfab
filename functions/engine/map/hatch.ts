// "No data" looks the same in a drawing, in its legend, in a picture and on the live map: the land, and over it lines of one
// grey that is seen on the land of both themes. A pattern of a drawing that a page refers to has none of the page's colours.

/** The distance of the lines, in drawing units or CSS pixels. */
export const hatchSize = 6
export const hatchColour = '#808080'
export const hatchOpacity = 0.6

/** The lines of one square of the pattern. */
export const hatchLines = 'M-1.5 1.5l3-3M0 6l6-6M4.5 7.5l3-3'

/** The lines on a sign of a legend, 16 by 16. */
export const hatchSign = 'M0 6L6 0M0 12L12 0M2 16L16 2M8 16L16 8'

/** The name of the pattern on interactive maps. */
export const hatchImageName = 'no-data'

/** The pixel ratio of the image. */
export const hatchImageRatio = 2

/** One tile of the pattern as RGBA pixels: WebGL has no patterns of lines. */
export function hatchImage(): { width: number; height: number; data: Uint8ClampedArray } {
  const size = hatchSize * hatchImageRatio
  const data = new Uint8ClampedArray(4 * size * size)
  const grey = parseInt(hatchColour.slice(1, 3), 16)
  for (let y = 0; y < size; y += 1)
    for (let x = 0; x < size; x += 1) {
      // From bottom left to top right, through the corners of the tile.
      const isLine = (x + y + 1) % size < hatchImageRatio
      data.set([grey, grey, grey, isLine ? Math.round(255 * hatchOpacity) : 0], 4 * (y * size + x))
    }
  return { width: size, height: size, data }
}
