// "No data" looks the same in a drawing, in its legend, in a picture and on the live map: the land, and over it lines of one
// grey that is seen on the land of both themes. A pattern of a drawing that a page refers to has none of the page's colours.

/** How far apart the lines are, in units of a drawing or pixels of the page. */
export const hatchSize = 6
export const hatchColour = '#808080'
export const hatchOpacity = 0.6

/** The lines of one square of the pattern. */
export const hatchLines = 'M-1.5 1.5l3-3M0 6l6-6M4.5 7.5l3-3'

/** The lines on a sign of a legend, 16 by 16. */
export const hatchSign = 'M0 6L6 0M0 12L12 0M2 16L16 2M8 16L16 8'

/** What the pattern is called on the live map. */
export const hatchImageName = 'no-data'

/** How many dots of the image are one pixel of the page. */
export const hatchImageRatio = 2

/** One square of the pattern as pixels (red, green, blue, opacity): WebGL knows no lines. */
export function hatchImage(): { width: number; height: number; data: Uint8ClampedArray } {
  const size = hatchSize * hatchImageRatio
  const data = new Uint8ClampedArray(4 * size * size)
  const grey = parseInt(hatchColour.slice(1, 3), 16)
  for (let y = 0; y < size; y += 1)
    for (let x = 0; x < size; x += 1) {
      // From lower left to upper right, through the corners of the square.
      const isLine = (x + y + 1) % size < hatchImageRatio
      data.set([grey, grey, grey, isLine ? Math.round(255 * hatchOpacity) : 0], 4 * (y * size + x))
    }
  return { width: size, height: size, data }
}
