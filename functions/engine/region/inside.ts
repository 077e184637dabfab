import type { Position } from 'geojson'

/** An area for point lookup: its rings in any order and direction, including holes. */
interface Outline<Key> {
  key: Key
  rings: Position[][]
}

/** Edges per row of the grid: more rows make lookups faster and the index larger. */
const edgesPerRow = 8
/** The most rows that an edge touches on average: with lower rows each would be listed in dozens of them. */
const rowsOfEdge = 3
const maxRows = 20_000

/**
 * Returns a function from a point to the keys of the areas that contain it, in the order of the areas; a point on a
 * border is in none or several of them. Positions are in degrees, and rings are not shifted. Time and memory of the
 * index are linear in the edges; a lookup takes the edges of one strip of latitude.
 */
export function areaFinder<Key>(outlines: readonly Outline<Key>[]): (lon: number, lat: number) => Key[] {
  const { xs, ys, owners, wests, easts } = collectEdges(outlines)
  // The rings themselves may go: as lists they are ten times as large as their edges.
  const keys = outlines.map(({ key }) => key)
  const count = owners.length
  let [south, north] = [Infinity, -Infinity]
  for (const y of ys) {
    south = Math.min(south, y)
    north = Math.max(north, y)
  }
  let heights = 0
  for (let edge = 0; edge < count; edge++)
    heights += Math.abs((ys[2 * edge + 1] as number) - (ys[2 * edge] as number))
  const useful = heights > 0 ? (rowsOfEdge * (north - south) * count) / heights : 1
  const rows = Math.max(1, Math.ceil(Math.min(maxRows, count / edgesPerRow, useful)))
  const height = (north - south) / rows || 1
  const toRow = (lat: number) => Math.min(rows - 1, Math.max(0, Math.floor((lat - south) / height)))
  const { starts, members } = strips(count, rows, (edge) => [
    toRow(Math.min(ys[2 * edge] as number, ys[2 * edge + 1] as number)),
    toRow(Math.max(ys[2 * edge] as number, ys[2 * edge + 1] as number)),
  ])
  return (lon, lat) => {
    if (!(lat >= south && lat <= north)) return []
    const row = toRow(lat)
    const odd = new Set<number>()
    for (let at = starts[row] as number; at < (starts[row + 1] as number); at++) {
      const edge = members[at] as number
      const owner = owners[edge] as number
      if (lon < (wests[owner] as number) || lon > (easts[owner] as number)) continue
      const [y1, y2] = [ys[2 * edge] as number, ys[2 * edge + 1] as number]
      if (y1 > lat === y2 > lat) continue
      const [x1, x2] = [xs[2 * edge] as number, xs[2 * edge + 1] as number]
      if (lon >= x1 + ((lat - y1) / (y2 - y1)) * (x2 - x1)) continue
      if (!odd.delete(owner)) odd.add(owner)
    }
    return [...odd].sort((a, b) => a - b).map((owner) => keys[owner] as Key)
  }
}

/** All edges as typed arrays, with the area of each and its extent from west to east. */
function collectEdges(outlines: readonly Outline<unknown>[]) {
  let count = 0
  for (const { rings } of outlines) for (const ring of rings) count += Math.max(0, ring.length - 1)
  const [xs, ys] = [new Float64Array(2 * count), new Float64Array(2 * count)]
  const owners = new Uint32Array(count)
  const wests = new Float64Array(outlines.length).fill(Infinity)
  const easts = new Float64Array(outlines.length).fill(-Infinity)
  let edge = 0
  outlines.forEach(({ rings }, owner) => {
    for (const ring of rings)
      for (let i = 1; i < ring.length; i++, edge++) {
        const [a, b] = [ring[i - 1] as Position, ring[i] as Position]
        xs.set([a[0] ?? 0, b[0] ?? 0], 2 * edge)
        ys.set([a[1] ?? 0, b[1] ?? 0], 2 * edge)
        owners[edge] = owner
        wests[owner] = Math.min(wests[owner] as number, a[0] ?? 0)
        easts[owner] = Math.max(easts[owner] as number, a[0] ?? 0)
      }
  })
  return { xs, ys, owners, wests, easts }
}

/** Which edges reach into each row: those of row `r` are `members` from `starts[r]` to `starts[r + 1]`. */
function strips(count: number, rows: number, getRowRange: (edge: number) => [number, number]) {
  const starts = new Uint32Array(rows + 1)
  for (let edge = 0; edge < count; edge++) {
    const [from, to] = getRowRange(edge)
    for (let row = from; row <= to; row++) starts[row + 1] = (starts[row + 1] as number) + 1
  }
  for (let row = 0; row < rows; row++) starts[row + 1] = (starts[row + 1] as number) + (starts[row] as number)
  const next = starts.slice()
  const members = new Uint32Array(starts[rows] as number)
  for (let edge = 0; edge < count; edge++) {
    const [from, to] = getRowRange(edge)
    for (let row = from; row <= to; row++) {
      members[next[row] as number] = edge
      next[row] = (next[row] as number) + 1
    }
  }
  return { starts, members }
}
