import type { Geometry } from './geojson.ts'

/**
 * Making an area valid splits every edge at its intersections and builds rings from the pieces. The database cannot
 * interrupt that: a star of 800 vertices, 15 KB of text, took over half an hour and 1.2 GB of memory in spite of the
 * statement timeout. So intersections other than at end points are counted before.
 */
const maxMeetings = 1000

/** The most compared pairs. Real shapes take about ten per edge; what takes more is rejected as well. */
const maxWork = 3_000_000

interface Edge {
  from: number[]
  to: number[]
  low: [number, number]
  high: [number, number]
}

interface Count {
  meetings: number
  work: number
}

/** Why a shape is too complex to be made valid or united; undefined: it is not. Lines alone are never split. */
export function findComplexityProblem(geometry: Geometry): string | undefined {
  if (!/Polygon|Collection/.test(geometry.type)) return undefined
  const count = { meetings: 0, work: 0 }
  countIntersections(collectEdges(geometry), [-Infinity, -Infinity], [Infinity, Infinity], 0, count)
  return isOver(count)
    ? `Edges cross each other, or nearly do, in too many places (at most ${maxMeetings.toLocaleString('en')}). Give a simpler shape.`
    : undefined
}

/**
 * A distance compares each edge of one shape with each of the other, and cannot be interrupted either: two lines of
 * 6,400 vertices took half a minute, and a query may have ten times as many.
 */
const maxPairs = 250_000

/** Why measuring the distance between two shapes would take too long; undefined: it would not. */
export function findPairCountProblem(a: Geometry, b: Geometry): string | undefined {
  return countCorners(a) * countCorners(b) > maxPairs
    ? `The two shapes have too many pairs of corners (at most ${maxPairs.toLocaleString('en')}). Give simpler shapes.`
    : undefined
}

function countCorners({ coordinates, geometries }: Geometry): number {
  const countPositions = (list: unknown): number => {
    if (!Array.isArray(list)) return 0
    return Array.isArray(list[0]) ? list.reduce<number>((sum, each) => sum + countPositions(each), 0) : 1
  }
  return (geometries ?? []).reduce((sum, each) => sum + countCorners(each), countPositions(coordinates))
}

const isOver = ({ meetings, work }: Count) => meetings > maxMeetings || work > maxWork

function collectEdges({ coordinates, geometries }: Geometry): Edge[] {
  const edges: Edge[] = []
  for (const each of geometries ?? []) for (const edge of collectEdges(each)) edges.push(edge)
  addEdges(coordinates, edges)
  return edges
}

/** The edges between consecutive positions, in lists of any depth, which `geojson.ts` has checked. */
function addEdges(list: unknown, edges: Edge[]): void {
  if (!Array.isArray(list) || !Array.isArray(list[0])) return
  if (Array.isArray(list[0][0])) {
    for (const each of list) addEdges(each, edges)
    return
  }
  const positions = list as number[][]
  positions.forEach((to, i) => {
    const from = positions[i - 1]
    if (!from || (from[0] === to[0] && from[1] === to[1])) return
    const [x = 0, y = 0] = from
    const [u = 0, v = 0] = to
    edges.push({ from, to, low: [Math.min(x, u), Math.min(y, v)], high: [Math.max(x, u), Math.max(y, v)] })
  })
}

/**
 * Counts intersections in a part of the plane, which is halved until it has few edges: a grid would put a distant city
 * into one cell. Stops at the limit.
 */
function countIntersections(edges: Edge[], low: number[], high: number[], depth: number, count: Count): void {
  count.work += edges.length
  if (isOver(count)) return
  if (edges.length > 16 && depth < 64) {
    for (const axis of [depth % 2, 1 - (depth % 2)] as (0 | 1)[]) {
      const middle = edges.reduce((sum, each) => sum + each.low[axis] + each.high[axis], 0) / 2 / edges.length
      const before = edges.filter((each) => each.low[axis] < middle)
      const after = edges.filter((each) => each.high[axis] >= middle)
      if (before.length + after.length > 1.6 * edges.length) continue
      countIntersections(before, low, high.with(axis, middle), depth + 1, count)
      countIntersections(after, low.with(axis, middle), high, depth + 1, count)
      return
    }
  }
  for (let i = 1; i < edges.length && !isOver(count); i += 1)
    for (let j = 0; j < i; j += 1) {
      const [a, b] = [edges[i], edges[j]]
      count.work += 1
      if (a && b && isCounted(a, b, low, high) && doMeet(a, b)) count.meetings += 1
    }
}

/** Whether the boxes of two edges meet, and their common corner is in this part: a pair is in several, and counts once. */
const isCounted = (a: Edge, b: Edge, low: number[], high: number[]) =>
  isCountedAlong(0, a, b, low, high) && isCountedAlong(1, a, b, low, high)

function isCountedAlong(axis: 0 | 1, a: Edge, b: Edge, low: number[], high: number[]): boolean {
  const corner = Math.max(a.low[axis], b.low[axis])
  if (corner > a.high[axis] || corner > b.high[axis]) return false
  return corner >= (low[axis] ?? 0) && corner < (high[axis] ?? 0)
}

/** The side of an edge that a position is on: 1, -1, or 0 on its line. */
function side({ from, to }: Edge, [x = 0, y = 0]: number[]): number {
  const [a = 0, b = 0] = from
  const [c = 0, d = 0] = to
  return Math.sign((c - a) * (y - b) - (d - b) * (x - a))
}

const isSame = (a: number[], b: number[]) => a[0] === b[0] && a[1] === b[1]

/** Whether two edges whose boxes overlap intersect in more than an end point: neighbours and shared borders do not count. */
function doMeet(a: Edge, b: Edge): boolean {
  const shared = [a.from, a.to].filter((end) => isSame(end, b.from) || isSame(end, b.to)).length
  if (shared === 2) return false
  const sides = [side(a, b.from), side(a, b.to), side(b, a.from), side(b, a.to)] as const
  if (sides.every((each) => each === 0)) return shared === 0
  return shared === 0 && sides[0] * sides[1] <= 0 && sides[2] * sides[3] <= 0
}
