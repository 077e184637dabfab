import type { GeoProjection } from 'd3-geo'
import type { Geometry, Position } from 'geojson'
import { projectLines, project } from './projection.ts'
import { buildSvgPath, formatSvgNumber } from './svg.ts'

/** Lines and areas of records as drawn. */
interface DrawnShapes {
  svg: string
  /** The number of records in the drawing, each with its own mark. */
  drawnCount: number
  outside: number
}

/** Steps by which the corners of shapes are rounded, in units of the drawing. */
const grids = [0.5, 1, 2]
/** The size of shapes that are too small for an area or a length. */
const dot = 2

/**
 * Draws lines and areas, each record separately, so that overlapping ones are visible; tiny ones become dots. Null where
 * the paths would exceed `most` characters even at the lowest detail.
 */
export function drawShapes(
  shapes: readonly Geometry[],
  projection: GeoProjection,
  size: { width: number; height: number },
  { fill, most }: { fill: string; most: number },
): DrawnShapes | null {
  const laid = shapes.map((shape) => projectShape(shape, projection, size))
  const inside = laid.filter((one) => one.areas.length > 0 || one.lines.length > 0 || one.points.length > 0)
  for (const grid of grids) {
    const areas: string[] = []
    const lines: string[] = []
    const dots: Position[] = []
    for (const one of inside) {
      const area = buildSvgPath(one.areas, grid, true)
      const line = buildSvgPath(one.lines, grid, false)
      if (area !== '') areas.push(`<path d="${area}"/>`)
      if (line !== '') lines.push(`<path d="${line}"/>`)
      const [first] = one.areas[0] ?? one.lines[0] ?? []
      dots.push(
        ...one.points,
        ...(area === '' && line === '' && first && one.points.length === 0 ? [first] : []),
      )
    }
    const circles = dots.map(
      ([x = 0, y = 0]) =>
        `<circle cx="${formatSvgNumber(x)}" cy="${formatSvgNumber(y)}" r="${formatSvgNumber(dot)}"/>`,
    )
    // Areas count in steps of the grid, and so do their lines.
    const scaled = (paint: string, paths: string[]) =>
      paths.length > 0 ? `<g ${paint} transform="scale(${grid})">${paths.join('')}</g>` : ''
    const wide = (width: number) => `stroke-width="${formatSvgNumber(width / grid)}"`
    const svg =
      `<g fill="${fill}">` +
      scaled(
        `fill-opacity=".35" fill-rule="evenodd" stroke="${fill}" ${wide(0.8)} stroke-linejoin="round"`,
        areas,
      ) +
      scaled(
        `fill="none" stroke="${fill}" ${wide(1.5)} stroke-linejoin="round" stroke-linecap="round"`,
        lines,
      ) +
      `${circles.length > 0 ? `<g fill-opacity=".8">${circles.join('')}</g>` : ''}</g>`
    if (svg.length <= most) return { svg, drawnCount: inside.length, outside: laid.length - inside.length }
  }
  return null
}

interface ProjectedShape {
  areas: Position[][]
  lines: Position[][]
  points: Position[]
}

/** The visible part of a shape, in drawing units; empty where there is none. */
function projectShape(
  shape: Geometry,
  projection: GeoProjection,
  size: { width: number; height: number },
): ProjectedShape {
  if (shape.type === 'GeometryCollection') {
    const parts = shape.geometries.map((part) => projectShape(part, projection, size))
    return {
      areas: parts.flatMap(({ areas }) => areas),
      lines: parts.flatMap(({ lines }) => lines),
      points: parts.flatMap(({ points }) => points),
    }
  }
  const isIn = ([x = 0, y = 0]: Position) => x >= 0 && y >= 0 && x <= size.width && y <= size.height
  const isLineVisible = (line: Position[]) => meets(line, size)
  const none: ProjectedShape = { areas: [], lines: [], points: [] }
  if (shape.type === 'Point' || shape.type === 'MultiPoint') {
    const all = shape.type === 'Point' ? [shape.coordinates] : shape.coordinates
    const points = all.flatMap(([lon = 0, lat = 0]) => {
      const at = projection([lon, lat])
      return at && isIn(at) ? [at] : []
    })
    return { ...none, points }
  }
  if (shape.type === 'Polygon' || shape.type === 'MultiPolygon') {
    const { geometry } = project({ type: 'Feature', properties: null, geometry: shape }, projection)
    const areas = geometry.coordinates
    return areas.some(isLineVisible) ? { ...none, areas } : none
  }
  return {
    ...none,
    lines: projectLines(shape, projection).filter((line) => line.length > 1 && isLineVisible(line)),
  }
}

/** Whether the box of a line reaches into the drawing. */
function meets(line: Position[], { width, height }: { width: number; height: number }): boolean {
  const [xs, ys] = [line.map(([x = 0]) => x), line.map(([, y = 0]) => y)]
  return Math.max(...xs) >= 0 && Math.min(...xs) <= width && Math.max(...ys) >= 0 && Math.min(...ys) <= height
}
