import type { Feature, LineString, MultiLineString, MultiPolygon, Point, Polygon, Position } from 'geojson'
import polylabel from 'polylabel'
import { mesh } from 'topojson-client'
import { presimplify, simplify } from 'topojson-simplify'
import type { Atlas, Level, Region } from './atlas.ts'
import { listRegions } from './boundaries.ts'
import { toUnitSquare, unitSquare, unrollLine } from '#functions/engine/region/antimeridian.ts'
import { nameTags } from '#functions/engine/tile/set-archive.ts'
import { doubleArea, unroll, type Ring } from './rings.ts'
import { translator } from './translations.ts'

/** The lines of a level: `inner` between two regions, `outer` around all of them. */
type LineKind = 'inner' | 'outer'

/**
 * Projects an atlas to the unit square of Web Mercator and computes the weights for simplification; arcs
 * continue across the antimeridian.
 */
export function projectAtlas(atlas: Atlas): Atlas {
  const { scale, translate } = atlas.transform ?? { scale: [1, 1], translate: [0, 0] }
  const arcs = atlas.arcs.map((arc) => {
    let [column, row] = [0, 0]
    const line = arc.map(([dx = 0, dy = 0]) => {
      column += dx
      row += dy
      return toUnitSquare(column * scale[0] + translate[0], row * scale[1] + translate[1])
    })
    return unrollLine(line, unitSquare)
  })
  return presimplify({ type: 'Topology', objects: atlas.objects, arcs })
}

/**
 * Simplifies a projected atlas to the detail of one zoom, in tiles of 512 pixels. The arcs are simplified,
 * not the polygons, so neighbours keep their shared border.
 */
export function simplifyForZoom(atlas: Atlas, zoom: number): Atlas {
  return simplify(atlas, pixelArea(zoom) * 0.75)
}

/** Returns the area of one pixel of a zoom in the unit square. */
function pixelArea(zoom: number): number {
  return (1 / (512 * 2 ** zoom)) ** 2
}

/** Returns the regions of a level without rings smaller than two pixels, but each with its largest one. */
export function regionFeatures(
  atlas: Atlas,
  level: Level,
  zoom: number,
  isNamed: boolean,
): Feature<Polygon | MultiPolygon>[] {
  const least = 4 * pixelArea(zoom)
  return listRegions(atlas, level).map(({ region, polygons }) => {
    const all = unroll(polygons, unitSquare)
    const largest = findLargestPolygon(all)
    const coordinates = all
      .filter((rings) => rings === largest || outerArea(rings) >= least)
      .map((rings) => rings.filter((ring, i) => i === 0 || Math.abs(doubleArea(ring)) >= least))
    return {
      type: 'Feature',
      properties: isNamed ? toTags(region) : { gid: region.gid },
      geometry: { type: 'MultiPolygon', coordinates },
    }
  })
}

function toTags({ gid, name }: Region): Record<string, string> {
  return { gid, name }
}

function outerArea(rings: Ring[]): number {
  return Math.abs(doubleArea(rings[0] ?? []))
}

function findLargestPolygon(polygons: Ring[][]): Ring[] | undefined {
  return polygons.reduce<Ring[] | undefined>((a, b) => (a && outerArea(a) >= outerArea(b) ? a : b), undefined)
}

/**
 * Returns one point per region, well inside its largest part, with its names in the languages of hubs. `rank` 0 is the
 * region with the largest area.
 */
export function labelFeatures(atlas: Atlas, level: Level): Feature<Point>[] {
  const translations = translator()
  return listRegions(atlas, level)
    .map(({ region, polygons }) => {
      const all = unroll(polygons, unitSquare)
      const area = all.reduce((sum, rings) => sum + outerArea(rings), 0)
      const [x, y] = polylabel(findLargestPolygon(all) ?? [], Math.sqrt(area) / 100)
      return { region, area, coordinates: [x - Math.floor(x), y] }
    })
    .sort((a, b) => b.area - a.area)
    .map(({ region, coordinates }, rank) => ({
      type: 'Feature',
      properties: { ...toTags(region), ...nameTags(translations(region.gid)), rank },
      geometry: { type: 'Point', coordinates },
    }))
}

/**
 * Returns the borders of a level, each once. Borders that are also borders of the level above are left to
 * that one, and pieces on the antimeridian are left out: they are the edge of the map, not a border.
 */
export function lineFeatures(atlas: Atlas, level: Level): Feature<LineString | MultiLineString>[] {
  const object = atlas.objects[level]
  if (!object) throw new Error(`The atlas has no level ${level}`)
  const findParent = (shape: unknown) => (shape as { properties?: Region }).properties?.parent ?? null
  const kinds: [LineKind, (a: unknown, b: unknown) => boolean][] = [
    ['inner', (a, b) => a !== b && findParent(a) === findParent(b)],
    ['outer', (a, b) => a === b && level !== 'county'],
  ]
  return kinds.flatMap(([kind, filter]) => {
    const coordinates = mesh(atlas, object, filter).coordinates.flatMap(withoutSeam)
    if (coordinates.length === 0) return []
    return [
      {
        type: 'Feature' as const,
        properties: { kind },
        geometry: { type: 'MultiLineString' as const, coordinates },
      },
    ]
  })
}

/** Cuts a line where it runs along the antimeridian. */
function withoutSeam(line: Position[]): Position[][] {
  const onSeam = (position: Position) => Math.abs((position[0] ?? 0) - Math.round(position[0] ?? 0)) < 1e-9
  const pieces: Position[][] = []
  let piece: Position[] = []
  const end = () => {
    if (piece.length > 1) pieces.push(piece)
    piece = []
  }
  line.forEach((position, i) => {
    const before = line[i - 1]
    if (before && onSeam(before) && onSeam(position)) end()
    piece.push(position)
  })
  end()
  return pieces
}
