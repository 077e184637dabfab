import { toUnitSquare } from './antimeridian.ts'
import { Integers } from './numbers.ts'
import { PairIndex } from './pair-index.ts'
import { computeCornerWeights } from './weights.ts'

/** Positions are integers of 1e-7 degrees: about a centimetre. */
const scale = 1e7

/**
 * Areas as a topology of borders, each stored once, in the unit square of web mercator. In typed arrays: a million
 * vertices take about 60 MB while it is built and half of that afterwards.
 */
export interface BorderNet {
  /** The number of areas, including those without a ring. */
  areas: number
  /** Of each corner. */
  xs: Float64Array
  ys: Float64Array
  /** The weight of each vertex: the area of its triangle; infinite at junctions. */
  weights: Float64Array
  /** The corners of border `b` are `corners` from `starts[b]` to `starts[b + 1]`, both ends among them. */
  corners: Int32Array
  starts: Int32Array
  /** The number of rings that each border belongs to. */
  uses: Uint8Array
  /** The borders of ring `r` are `borders` from `ringStarts[r]` on; one that is passed backwards is the complement of its number. */
  borders: Int32Array
  ringStarts: Int32Array
  ringAreas: Int32Array
  /** 1 where a ring is a hole of the last outer ring before it. */
  holes: Uint8Array
}

/** A closed ring in degrees: alternating longitude and latitude. A hole belongs to the last outer ring before it. */
export interface PlainRing {
  isHole: boolean
  at: Float64Array
}

/** Builds a net from areas one by one, so that the caller need hold only one. */
export class NetBuilder {
  readonly #index: PairIndex
  #corners = new Integers()
  #ringStarts = new Integers()
  #ringAreas = new Integers()
  #holes: number[] = []
  #areas = 0

  /** `corners`: the expected number of vertices. */
  constructor(corners = 1024) {
    this.#index = new PairIndex(corners)
  }

  /** Adds the rings of an area. Positions that coincide are merged, and degenerate rings dropped. */
  add(rings: Iterable<PlainRing>): void {
    const area = this.#areas++
    let hasOuter = false
    for (const { isHole, at } of rings) {
      if (isHole && !hasOuter) continue
      const isRing = this.#addRing(at)
      if (!isHole) hasOuter = isRing
      if (!isRing) continue
      this.#ringAreas.push(area)
      this.#holes.push(isHole ? 1 : 0)
    }
  }

  #addRing(at: Float64Array): boolean {
    const start = this.#corners.length
    let last = -1
    for (let i = 0; i < at.length; i += 2) {
      const corner = this.#index.assignNumber(
        Math.round((at[i] as number) * scale),
        Math.round((at[i + 1] as number) * scale),
      )
      if (corner === last) continue
      this.#corners.push(corner)
      last = corner
    }
    // The last is the first again.
    this.#corners.length -= 1
    if (this.#corners.length - start < 3) {
      this.#corners.length = start
      return false
    }
    this.#ringStarts.push(start)
    return true
  }

  /** Joins the rings. The builder must not be used afterwards. */
  finish(): BorderNet {
    const count = this.#index.size
    const [xs, ys] = [new Float64Array(count), new Float64Array(count)]
    for (let corner = 0; corner < count; corner++) {
      const [lon, lat] = this.#index.getPair(corner)
      const [x, y] = toUnitSquare(lon / scale, lat / scale)
      xs[corner] = x
      ys[corner] = y
    }
    this.#ringStarts.push(this.#corners.length)
    const rings = { corners: this.#corners.all(), starts: this.#ringStarts.all() }
    const weights = new Float64Array(count)
    markJunctions(rings, weights)
    return {
      ...{ areas: this.#areas, xs, ys, weights },
      ...joinBorders(rings, { xs, ys, weights }),
      ...{ ringAreas: this.#ringAreas.all(), holes: Uint8Array.from(this.#holes) },
    }
  }
}

interface Rings {
  corners: Int32Array
  starts: Int32Array
}

/** Makes the weight of junctions infinite: vertices with different neighbours in different rings. */
function markJunctions({ corners, starts }: Rings, weights: Float64Array): void {
  const neighbours = new Int32Array(2 * weights.length).fill(-1)
  for (let ring = 0; ring + 1 < starts.length; ring++) {
    const [from, to] = [starts[ring] as number, starts[ring + 1] as number]
    for (let at = from; at < to; at++) {
      const corner = corners[at] as number
      const before = corners[at === from ? to - 1 : at - 1] as number
      const after = corners[at + 1 === to ? from : at + 1] as number
      const [one, other] = [neighbours[2 * corner] as number, neighbours[2 * corner + 1] as number]
      if (one === -1) neighbours.set([before, after], 2 * corner)
      else if (!((one === before && other === after) || (one === after && other === before)))
        weights[corner] = Infinity
    }
  }
}

/**
 * Splits rings at junctions into borders, each stored once. A ring without junctions is one border that starts at its
 * smallest vertex.
 */
function joinBorders(
  { corners, starts }: Rings,
  { xs, ys, weights }: Pick<BorderNet, 'xs' | 'ys' | 'weights'>,
): Pick<BorderNet, 'corners' | 'starts' | 'uses' | 'borders' | 'ringStarts'> {
  const index = new PairIndex()
  const [borderCorners, keptStarts, uses] = [new Integers(), new Integers(), new Integers()]
  const [borders, ringStarts] = [new Integers(), new Integers()]
  const add = (walk: number[]) => {
    const last = walk.length - 1
    const [first, second, end, ahead] = [walk[0], walk[1], walk[last], walk[last - 1]] as [
      number,
      number,
      number,
      number,
    ]
    const isBackwards = first > end || (first === end && second > ahead)
    const number = isBackwards ? index.assignNumber(end, ahead) : index.assignNumber(first, second)
    borders.push(isBackwards ? ~number : number)
    if (number < uses.length) return uses.set(number, uses.at(number) + 1)
    uses.push(1)
    keptStarts.push(borderCorners.length)
    const line = Int32Array.from(isBackwards ? walk.toReversed() : walk)
    for (const corner of line) borderCorners.push(corner)
    computeCornerWeights(line, xs, ys, weights)
  }
  for (let ring = 0; ring + 1 < starts.length; ring++) {
    ringStarts.push(borders.length)
    const own = corners.subarray(starts[ring], starts[ring + 1])
    const junction = own.findIndex((corner) => weights[corner] === Infinity)
    // The same start in another ring along the same border.
    const start =
      junction >= 0 ? junction : own.indexOf(own.reduce((least, corner) => Math.min(least, corner)))
    let walk = [own[start] as number]
    for (let step = 1; step <= own.length; step++) {
      const corner = own[(start + step) % own.length] as number
      walk.push(corner)
      if (weights[corner] !== Infinity && step < own.length) continue
      add(walk)
      walk = [corner]
    }
    weights[own[start] as number] = Infinity
  }
  keptStarts.push(borderCorners.length)
  ringStarts.push(borders.length)
  return {
    ...{ corners: borderCorners.all(), starts: keptStarts.all() },
    uses: Uint8Array.from(uses.all(), (count) => Math.min(255, count)),
    ...{ borders: borders.all(), ringStarts: ringStarts.all() },
  }
}

/** A border with only the corners that weigh so much at least: x and y in turn. */
export function borderAt(net: BorderNet, border: number, weight = 0): Float64Array {
  const [from, to] = [net.starts[border] as number, (net.starts[border + 1] as number) - 1]
  const at: number[] = []
  for (let i = from; i <= to; i++) {
    const corner = net.corners[i] as number
    if (i !== from && i !== to && (net.weights[corner] as number) < weight) continue
    at.push(net.xs[corner] as number, net.ys[corner] as number)
  }
  return Float64Array.from(at)
}

/**
 * The vertices of a ring with at least this weight, without repeating the first: alternating x and y. Both rings along a
 * border have the same vertices, whatever the weight.
 */
export function ringAt(net: BorderNet, ring: number, weight = 0): Float64Array {
  const [from, to] = [net.ringStarts[ring] as number, net.ringStarts[ring + 1] as number]
  let most = 0
  for (let i = from; i < to; i++) most += countVertices(net, net.borders[i] as number) - 1
  const at = new Float64Array(2 * most)
  let length = 0
  for (let i = from; i < to; i++) {
    const border = net.borders[i] as number
    const isBackwards = border < 0
    const number = isBackwards ? ~border : border
    const [first, last] = [net.starts[number] as number, (net.starts[number + 1] as number) - 1]
    // The last corner is the first of the next border.
    for (let step = 0; step < last - first; step++) {
      const corner = net.corners[isBackwards ? last - step : first + step] as number
      if (step > 0 && (net.weights[corner] as number) < weight) continue
      at[length++] = net.xs[corner] as number
      at[length++] = net.ys[corner] as number
    }
  }
  return at.slice(0, length)
}

const countVertices = ({ starts }: BorderNet, border: number) => {
  const number = border < 0 ? ~border : border
  return (starts[number + 1] as number) - (starts[number] as number)
}

/** Twice the absolute area of a ring of `ringAt`. */
export function computeDoubleArea(at: Float64Array): number {
  let sum = 0
  for (let i = 0; i < at.length; i += 2) {
    const next = (i + 2) % at.length
    sum += (at[i] as number) * (at[next + 1] as number) - (at[next] as number) * (at[i + 1] as number)
  }
  return Math.abs(sum)
}
