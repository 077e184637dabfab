import { geoAlbers, geoConicEqualArea, type GeoProjection } from 'd3-geo'
import type { Inset, MapProjection } from './insets.ts'
import type { ProjectionName } from './projection.ts'

/**
 * A fitted projection with the parts that its picture has: that of the United States in one picture (`albersUsa`) has
 * Alaska and Hawaii in insets, so that land can be drawn around each.
 */
export function addProjectionParts(
  name: ProjectionName,
  projection: MapProjection,
  { width, height }: { width: number; height: number },
): MapProjection {
  if (name === 'equalEarth') return Object.assign(projection, { isRound: true })
  if (name !== 'albersUsa') return projection
  const scale = projection.scale()
  const [x, y] = projection.translate()
  const main = geoAlbers().scale(scale).translate([x, y]).precision(0)
  main.clipExtent([
    [0, 0],
    [width, height],
  ])
  const insets = usInsets.map(({ cell, offset, shrink, rotate, center, parallels }): Inset => {
    const [left, top] = [x + cell[0] * scale, y + cell[1] * scale]
    const [right, bottom] = [x + cell[2] * scale, y + cell[3] * scale]
    return {
      ...{ x: left, y: top, width: right - left, height: bottom - top, regions: [] },
      projection: conic(
        geoConicEqualArea()
          .rotate(rotate)
          .center(center)
          .parallels(parallels)
          .scale(scale * shrink)
          .translate([x + offset[0] * scale, y + offset[1] * scale])
          .precision(0)
          .clipExtent([
            [left, top],
            [right, bottom],
          ]),
      ),
    }
  })
  return Object.assign(projection, { main: conic(main), insets, isConic: true })
}

const conic = (projection: GeoProjection): MapProjection => Object.assign(projection, { isConic: true })

/** Alaska and Hawaii as d3's `geoAlbersUsa` places them, in units of its scale: a test compares the two. */
const usInsets: {
  cell: [left: number, top: number, right: number, bottom: number]
  offset: [number, number]
  shrink: number
  rotate: [number, number]
  center: [number, number]
  parallels: [number, number]
}[] = [
  {
    ...{ cell: [-0.425, 0.12, -0.214, 0.234], offset: [-0.307, 0.201], shrink: 0.35 },
    ...{ rotate: [154, 0], center: [-2, 58.5], parallels: [55, 65] },
  },
  {
    ...{ cell: [-0.214, 0.166, -0.115, 0.234], offset: [-0.205, 0.212], shrink: 1 },
    ...{ rotate: [157, 0], center: [-3, 19.9], parallels: [8, 18] },
  },
]
