/**
 * The location of a record as one number: the square of the world in web mercator is divided into 2^26 x 2^26 cells (0.6
 * m at the equator) and the bits of the cell's column and row are interleaved (Morton code). A prefix of the number is a
 * map tile. 52 bits fit a JavaScript number exactly, but its bit operators have 32: hence the halves of 26 bits.
 */
export const keyLevel = 26

/** A cluster's cells are an eighth of a tile wide: cell level = zoom + 3. */
export const cellsPerTileBits = 3

/** The deepest zoom with stored counts. */
export const pyramidZoom = 9

const side = 2 ** keyLevel
const maxLatitude = 85.0511287798066

export interface Cell {
  x: number
  y: number
}

/** The cell of a position at key level. Latitudes beyond web mercator's edge count as the edge. */
export function toCell(longitude: number, latitude: number): Cell {
  const phi = (Math.max(-maxLatitude, Math.min(maxLatitude, latitude)) * Math.PI) / 180
  const x = (longitude + 180) / 360
  const y = (1 - Math.log(Math.tan(phi) + 1 / Math.cos(phi)) / Math.PI) / 2
  return { x: toCellCoordinate(x), y: toCellCoordinate(y) }
}

function toCellCoordinate(share: number): number {
  return Math.max(0, Math.min(side - 1, Math.floor(share * side)))
}

/** The position at `x`, `y` in cells of key level; .5 is the centre of a cell. */
export function positionAt({ x, y }: Cell): [longitude: number, latitude: number] {
  const n = Math.PI * (1 - (2 * y) / side)
  return [(x / side) * 360 - 180, (Math.atan(Math.sinh(n)) * 180) / Math.PI]
}

/** The interleaved number of a cell: x in the even bits, y in the odd ones. Works at any level. */
export function interleave({ x, y }: Cell): number {
  const low = spread(x & 0x1fff) + 2 * spread(y & 0x1fff)
  const high = spread(x >>> 13) + 2 * spread(y >>> 13)
  return high * 2 ** 26 + low
}

/** The cell of an interleaved number. */
export function deinterleave(key: number): Cell {
  const high = Math.floor(key / 2 ** 26)
  const low = key - high * 2 ** 26
  return { x: gather(high) * 2 ** 13 + gather(low), y: gather(high >>> 1) * 2 ** 13 + gather(low >>> 1) }
}

/** The containing cell at a coarser level: the prefix of the number. */
export function prefix(key: number, levels: number): number {
  return Math.floor(key / 4 ** levels)
}

/** 13 bits with a zero between each two. */
function spread(bits: number): number {
  let x = bits
  x = (x | (x << 8)) & 0x00ff00ff
  x = (x | (x << 4)) & 0x0f0f0f0f
  x = (x | (x << 2)) & 0x33333333
  return (x | (x << 1)) & 0x55555555
}

/** Every second bit of 26, as 13. */
function gather(bits: number): number {
  let x = bits & 0x55555555
  x = (x | (x >>> 1)) & 0x33333333
  x = (x | (x >>> 2)) & 0x0f0f0f0f
  x = (x | (x >>> 4)) & 0x00ff00ff
  return (x | (x >>> 8)) & 0xffff
}

export interface Box {
  xmin: number
  ymin: number
  xmax: number
  ymax: number
}

/** Half-open ranges [low, high) of key-level numbers. */
export type KeyRange = [low: number, high: number]

/**
 * The key ranges of the cells of `level` that touch a box: at most 64 coarse squares, neighbours joined. They may reach
 * beyond the box; `touches` tells which cells actually touch it.
 */
export function computeKeyRanges(box: Box, level: number): KeyRange[] {
  const { from, to } = toCornerCells(box)
  let shift = keyLevel - level
  while (columns(from, to, shift) * rows(from, to, shift) > 64) shift += 1
  const squares: number[] = []
  for (let x = from.x >>> shift; x <= to.x >>> shift; x++) {
    for (let y = from.y >>> shift; y <= to.y >>> shift; y++) squares.push(interleave({ x, y }))
  }
  const ranges: KeyRange[] = []
  for (const square of squares.sort((a, b) => a - b)) {
    const [low, high] = [square * 4 ** shift, (square + 1) * 4 ** shift]
    const last = ranges.at(-1)
    if (last?.[1] === low) last[1] = high
    else ranges.push([low, high])
  }
  return ranges
}

/** Returns a predicate for the cells of `level` that touch the box. */
export function touches(box: Box, level: number): (cell: Cell) => boolean {
  const { from, to } = toCornerCells(box)
  const shift = keyLevel - level
  const [x0, x1, y0, y1] = [from.x >>> shift, to.x >>> shift, from.y >>> shift, to.y >>> shift]
  return ({ x, y }) => x >= x0 && x <= x1 && y >= y0 && y <= y1
}

/** The number of cells of `level` that touch a box. */
export function cellCount(box: Box, level: number): number {
  const { from, to } = toCornerCells(box)
  return columns(from, to, keyLevel - level) * rows(from, to, keyLevel - level)
}

const columns = (from: Cell, to: Cell, shift: number) => (to.x >>> shift) - (from.x >>> shift) + 1
const rows = (from: Cell, to: Cell, shift: number) => (to.y >>> shift) - (from.y >>> shift) + 1

function toCornerCells({ xmin, ymin, xmax, ymax }: Box): { from: Cell; to: Cell } {
  // Rows count from the north.
  return { from: toCell(xmin, ymax), to: toCell(xmax, ymin) }
}
