import polylabel from 'polylabel'
import { fromUnitSquare } from '#functions/engine/region/antimeridian.ts'
import { borderAt, computeDoubleArea, ringAt, type BorderNet } from '#functions/engine/region/border-net.ts'
import { ArchiveWriter, type Gzip } from './archive-writer.ts'
import { cutTiles, type Part, type TileThing } from './cut.ts'
import { setLayers, setLevel } from './manifest.ts'

/** The tile properties of an area, in the order of the net. */
interface NamedArea {
  gid: string
  name: string
  /** By language where they differ from `name`: on its label as `name:de` and so on. */
  names?: Readonly<Record<string, string>>
}

interface SetArchive {
  bytes: Uint8Array<ArrayBuffer>
  minZoom: number
  maxZoom: number
  /** West, south, east, north in degrees. */
  bounds: [number, number, number, number]
}

/** The most tiles of the deepest zoom; beyond it they are overzoomed. */
const maxTiles = 2000
const usualDepth = 14
/** A vertex of the deepest tiles is dropped where it is not visible three zooms closer either. */
const closer = 3
/** The width of an area in pixels from which on its name is shown. */
const nameWidth = 16

/** The area of a pixel of a zoom in the square of the world, in tiles of 512 pixels. */
const pixelArea = (zoom: number) => (1 / (512 * 2 ** zoom)) ** 2

/**
 * Builds the tile archive of a set: areas with `gid` and `name`, borders, names, from the zoom at which the set is about
 * half a tile wide. Borders are simplified for each zoom, shared ones once; every area is in the tiles of every zoom.
 * Deterministic. `deepest`: the closest zoom that the detail of the outlines justifies. Throws where the set has no
 * area.
 */
export async function makeSetArchive(
  net: BorderNet,
  names: readonly NamedArea[],
  about: { name: string; attribution: string },
  { pack, deepest = usualDepth }: { pack?: Gzip; deepest?: number } = {},
): Promise<SetArchive> {
  const areas = collectAreas(net)
  const { minZoom, maxZoom, bounds } = planZooms(areas, deepest)
  const things: TileThing[] = [
    ...names.map(({ gid, name }) => ({ layer: setLevel, properties: { gid, name } })),
    ...['inner', 'outer'].map((kind) => ({ layer: `${setLevel}_line`, properties: { kind } })),
  ]
  const labels = placeLabels(net, areas, names)
  const writer = new ArchiveWriter(pack)
  for (let zoom = minZoom; zoom <= maxZoom; zoom++) {
    const weight = 0.75 * pixelArea(zoom === maxZoom ? zoom + closer : zoom)
    const visibleLabels = labels.filter(
      ({ width }) => zoom === maxZoom || width * 512 * 2 ** zoom >= nameWidth,
    )
    const points = visibleLabels.map(({ at }, i): Part => ({ thing: things.length + i, kind: 'point', at }))
    const all = [...things, ...visibleLabels.map(({ thing }) => thing)]
    for (const { z, x, y, bytes } of cutTiles(all, generateParts(net, areas, { weight, zoom, points }), zoom))
      await writer.addTile(z, x, y, bytes)
  }
  const fields = { gid: 'String', name: 'String' }
  const layers = [fields, { kind: 'String' }, { ...fields, rank: 'Number' }]
  const metadata = {
    ...{ ...about, type: 'overlay' },
    vector_layers: setLayers.map((id, i) => ({ id, minzoom: minZoom, maxzoom: maxZoom, fields: layers[i] })),
  }
  return { bytes: await writer.finish({ bounds, minZoom, maxZoom, metadata }), minZoom, maxZoom, bounds }
}

interface DrawnArea {
  rings: number[]
  /** The ring that is always drawn; -1 where the area has none. */
  largest: number
  area: number
  box: Box
  /** One per outer ring, so that parts at both ends of the world do not cover everything in between. */
  boxes: Box[]
}

type Box = [west: number, north: number, east: number, south: number]

/** The rings of each area, and how large it is. */
function collectAreas(net: BorderNet): DrawnArea[] {
  const areas = Array.from({ length: net.areas }, (): DrawnArea => ({
    ...{ rings: [], largest: -1, area: 0, boxes: [] },
    box: [Infinity, Infinity, -Infinity, -Infinity],
  }))
  const sizes = new Float64Array(net.ringAreas.length)
  net.ringAreas.forEach((owner, ring) => {
    const area = areas[owner] as DrawnArea
    const at = ringAt(net, ring)
    sizes[ring] = computeDoubleArea(at)
    area.rings.push(ring)
    if (net.holes[ring]) return
    area.area += sizes[ring] as number
    if (area.largest < 0 || (sizes[ring] as number) > (sizes[area.largest] as number)) area.largest = ring
    const box = computeBox(at)
    area.boxes.push(box)
    area.box = mergeBoxes(area.box, box)
  })
  return areas
}

function computeBox(at: Float64Array): Box {
  const box: Box = [Infinity, Infinity, -Infinity, -Infinity]
  for (let i = 0; i < at.length; i += 2) {
    const [x, y] = [at[i] as number, at[i + 1] as number]
    box[0] = Math.min(box[0], x)
    box[1] = Math.min(box[1], y)
    box[2] = Math.max(box[2], x)
    box[3] = Math.max(box[3], y)
  }
  return box
}

const mergeBoxes = (a: Box, b: Box): Box => [
  Math.min(a[0], b[0]),
  Math.min(a[1], b[1]),
  Math.max(a[2], b[2]),
  Math.max(a[3], b[3]),
]

/** The zooms of a set: at the first it is half a tile wide, the last has the most tiles within the limit. */
function planZooms(areas: readonly DrawnArea[], deepest: number): Omit<SetArchive, 'bytes'> {
  const drawnAreas = areas.filter(({ largest }) => largest >= 0)
  if (drawnAreas.length === 0) throw new Error('A set without areas has no tiles.')
  const [west, north, east, south] = drawnAreas.map(({ box }) => box).reduce(mergeBoxes)
  const widest = Math.max(east - west, south - north, 2 ** -deepest)
  const minZoom = Math.max(0, Math.floor(-Math.log2(widest)) - 1)
  let maxZoom = minZoom
  while (maxZoom < deepest && countTiles(drawnAreas, maxZoom + 1) <= maxTiles) maxZoom += 1
  const [westmost, southmost] = fromUnitSquare(west, Math.min(1, south))
  const [eastmost, northmost] = fromUnitSquare(east, Math.max(0, north))
  const round = (degree: number) => Math.round(degree * 1e6) / 1e6
  return {
    ...{ minZoom, maxZoom },
    bounds: [round(westmost), round(southmost), round(eastmost), round(northmost)],
  }
}

/** The number of tiles of a zoom that the boxes of the areas touch; stops counting beyond the limit. */
function countTiles(areas: readonly DrawnArea[], zoom: number): number {
  const size = 2 ** zoom
  const tiles = new Set<number>()
  for (const box of areas.flatMap(({ boxes }) => boxes)) {
    const [west, north, east, south] = box.map((side) =>
      Math.min(size - 1, Math.max(0, Math.floor(side * size))),
    ) as [number, number, number, number]
    if ((east - west + 1) * (south - north + 1) > maxTiles) return Infinity
    for (let x = west; x <= east; x++) for (let y = north; y <= south; y++) tiles.add(x * size + y)
    if (tiles.size > maxTiles) return Infinity
  }
  return tiles.size
}

interface Label {
  thing: TileThing
  at: Float64Array
  width: number
}

/** Names by language as properties of a label: `name:de` and so on, as base maps have them. */
export const nameTags = (names: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(names).map(([language, text]) => [`name:${language}`, text]))

/** A point well inside of the largest part of each area, the largest area first. */
function placeLabels(net: BorderNet, areas: readonly DrawnArea[], names: readonly NamedArea[]): Label[] {
  const order = areas
    .map((_, i) => i)
    .sort((a, b) => (areas[b] as DrawnArea).area - (areas[a] as DrawnArea).area || a - b)
  return order.flatMap((number, rank) => {
    const { largest, area, box } = areas[number] as DrawnArea
    const { gid, name, names: translations = {} } = names[number] as NamedArea
    if (largest < 0) return []
    const width = Math.sqrt(area / 2)
    // Enough detail for placing a name.
    const at = ringAt(net, largest, area / 5000)
    const ring = Array.from({ length: at.length / 2 }, (_, i) => [
      at[2 * i] as number,
      at[2 * i + 1] as number,
    ])
    const [x, y] =
      ring.length < 3 ? [box[0], box[1]] : polylabel([[...ring, ring[0] as number[]]], width / 50)
    return [
      {
        thing: { layer: `${setLevel}_label`, properties: { gid, name, ...nameTags(translations), rank } },
        at: Float64Array.of(x, y),
        width,
      },
    ]
  })
}

/** The features of a zoom: areas without invisible rings, borders, and name points. */
function* generateParts(
  net: BorderNet,
  areas: readonly DrawnArea[],
  { weight, zoom, points }: { weight: number; zoom: number; points: readonly Part[] },
): Generator<Part> {
  const least = 4 * pixelArea(zoom)
  for (const [thing, { rings, largest }] of areas.entries()) {
    let hasOuter = false
    for (const ring of rings) {
      const isHole = net.holes[ring] === 1
      if (isHole && !hasOuter) continue
      const at = ringAt(net, ring, weight)
      const isKept = ring === largest
      const isSeen = isKept || computeDoubleArea(at) >= least
      if (!isHole) hasOuter = isSeen
      if (isSeen) yield { thing, kind: isHole ? 'hole' : 'outer', at, isKept }
    }
  }
  for (const [i, isWanted] of [(uses: number) => uses > 1, (uses: number) => uses === 1].entries())
    for (let border = 0; border < net.uses.length; border++)
      if (isWanted(net.uses[border] as number))
        for (const at of withoutSeam(borderAt(net, border, weight)))
          yield { thing: areas.length + i, kind: 'line', at }
  yield* points
}

/** Cuts a line where it runs along the antimeridian, which is the edge of the map and no border. */
function withoutSeam(at: Float64Array): Float64Array[] {
  const isOnSeam = (i: number) => at[i] === at[i - 2] && (at[i] === 0 || at[i] === 1)
  const lines: Float64Array[] = []
  let start = 0
  for (let i = 2; i < at.length; i += 2) {
    if (!isOnSeam(i)) continue
    if (i - start > 2) lines.push(at.slice(start, i))
    start = i
  }
  if (start === 0) return [at]
  return at.length - start > 2 ? [...lines, at.slice(start)] : lines
}
