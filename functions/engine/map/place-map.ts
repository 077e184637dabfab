import type { FeatureCollection, Geometry, Position } from 'geojson'
import { mergedPath, simplifyPlan, type AreaPlan, type Detail } from './areas.ts'
import { drawAreas, drawBorders, type Colouring } from './draw-areas.ts'
import { drawDots, type DrawnDots, type MapPoint } from './dots.ts'
import { drawShapes } from './draw-shapes.ts'
import { drawCredit } from './draw-credit.ts'
import { drawTowns, type Ground } from './draw-ground.ts'
import { drawGroundInParts, frameInsets, nameInsets, nearRegions } from './draw-insets.ts'
import { drawNorth } from './draw-north.ts'
import { drawInsetScales, drawScale } from './draw-scale.ts'
import { drawNames } from './draw-names.ts'
import type { FarRegions } from './far-regions.ts'
import { writeTwice } from './lettering.ts'
import { fitLand, getPlaceLand, type LandOptions } from './place-land.ts'
import type { ProjectionName } from './projection.ts'
import { details, frame, viewOfParts, type GroundView } from './static-map.ts'
import { escapeXml, formatSvgNumber } from './svg.ts'

export interface PlaceMapOptions {
  /** The visible borders around the place; each has a `gid` and a `name`, in other languages as `name:xx`. */
  regions: FeatureCollection
  /** The features that form the place's boundary. The picture shows it completely; without one, all regions. */
  boundary: FeatureCollection
  /** The picture shows the points, not all regions around them. */
  isOnPoints?: boolean
  /** The box that a picture of points shows instead of all of them: points outside are counted as such. */
  opens?: readonly [number, number, number, number] | null
  /** The part of the place that the picture opens on, and what lies far from it, which gets insets. Only for Mercator. */
  far?: FarRegions | null
  /** The layers, each with the paint of its dots. Switches find them as `.map-layer-1`, `-2` and so on. */
  layers: PlaceMapLayer[]
  /** The colouring of the regions; those without a value are hatched. Switches find them as `.map-values`. */
  values?: Omit<Colouring, 'missing'>
  /** The language of names of regions. */
  locale: string
  /** Formats the amount of a circle; plain by default. */
  format?(value: number): string
  width: number
  height: number
  projection: ProjectionName
  /** The base map in the extent of `placeView`, instead of plain land. */
  ground?: Ground | null
  /** Who made the regions and the boundary, where pictures have to say so. */
  origins?: readonly string[]
  title: string
  description: string
  id: string
}

interface PlaceMapLayer {
  points: MapPoint[]
  fill: string
  /** Its records as lines and areas, drawn instead of points if there is room for all of them. */
  shapes?: readonly Geometry[]
}

interface PlaceMap {
  svg: string
  /** The circles of each layer; or its shapes, each a mark of its own. */
  layers: (Omit<DrawnDots, 'svg' | 'drawnCount'> & { areShapes: boolean })[]
}

/** The size budget of the land in characters: the page also has its list. */
const budget = 14_000
/** The same for the base map; less for the United States and the world, whose regions are many. */
const groundBudget = { mercator: 8_000, albersUsa: 2_500, equalEarth: 2_500 }
/** The same for the shapes of all layers. */
const shapesBudget = 24_000
/** The circles of all layers together. */
const maxCircles = 360
/** The largest radius: circles of several layers overlap. */
const largest = 10
/** The map of a place as SVG: land and borders, its boundary, names, and the dots of each layer. */
export function placeMap(options: PlaceMapOptions): PlaceMap {
  const { regions, layers, format = String, width, height, locale, id } = options
  const land = getPlaceLand(landOptions(options))
  const { projection } = land
  const { insets = [], main = projection } = projection
  const circlesOfEach = Math.floor(maxCircles / Math.max(1, layers.length))
  const drawnLayers = layers.map(({ points: own, fill, shapes }) => {
    const room = { fill, most: shapesBudget / Math.max(1, layers.length) }
    const shapeLayers = shapes ? drawShapes(shapes, projection, { width, height }, room) : null
    if (shapeLayers) {
      const { svg, drawnCount: amount, outside } = shapeLayers
      return { svg, circles: amount, classes: [], amount, outside, areShapes: true }
    }
    const look = { fill, most: circlesOfEach, radius: largest }
    return { ...drawDots(own, projection, { width, height }, format, look), areShapes: false }
  })
  const dots = drawnLayers.map(({ svg }, at) => svg && `<g class="map-layer-${at + 1}">${svg}</g>`)
  const size = { width, height }
  const ground = options.ground ?? null
  const { svg: names, occupied } = drawNames(nearRegions(regions, insets), projection, size, { locale })
  // Town names are above the data, as on the interactive map.
  const texts = writeTwice(width, false, (lettering) => {
    const insetNames = nameInsets(insets, lettering, locale)
    const credit = drawCredit([ground?.attribution, ...(options.origins ?? [])], size, insets, lettering)
    if (!ground) return insetNames + (credit?.svg ?? '')
    // A narrow place has no names of regions.
    const blocked = lettering.isNarrow ? [...insets] : [...occupied, ...insets]
    const scale = drawScale(projection, size, lettering, locale)
    const beside = [...blocked, ...[scale, credit].flatMap((part) => part?.occupied ?? [])]
    const towns = drawTowns(ground, main, size, beside, lettering)
    const orientation = drawNorth(main, size, beside, lettering) + drawInsetScales(insets, lettering)
    return towns + (scale?.svg ?? '') + (credit?.svg ?? '') + orientation + insetNames
  })
  const over = names + dots.join('') + texts + frameInsets(insets)
  const isBordered = regions.features.length > 0
  const under = ground
    ? drawGroundInParts(ground, projection, size, isBordered, groundBudget[options.projection])
    : ''
  const clipId = `${escapeXml(id)}-cut`
  const clip = `<clipPath id="${clipId}"><rect width="${width}" height="${height}"/></clipPath>`
  const { values } = options
  const colouring = values ? { ...values, missing: `url(#${escapeXml(id)}-none)` } : null
  const isPlain = colouring === null && ground === null
  // Regions with data keep their islands: on the ground, those left out would look like land of others.
  const most = colouring ? budget : budget - under.length
  const landDrawing = (isPlain && land.plain) || drawLand(land.plan, colouring, ground !== null, most)
  if (isPlain) land.plain = landDrawing
  const svg = frame(
    { ...options, isHatched: values !== undefined },
    `${clip}<g clip-path="url(#${clipId})">${under}${landDrawing.svg}${over}</g>`,
    escapeXml(id),
    landDrawing.detail,
  )
  return {
    svg,
    layers: drawnLayers.map(({ circles, classes, amount, outside, areShapes }) => ({
      ...{ circles, classes, amount, outside, areShapes },
    })),
  }
}

/** The inputs that determine the projection. */
function landOptions(options: SeenOptions): LandOptions {
  const { regions, boundary, layers, isOnPoints = false, far, width, height, projection } = options
  const opens = isOnPoints ? options.opens : null
  const points = opens
    ? [
        { lon: opens[0], lat: opens[1] },
        { lon: opens[2], lat: opens[3] },
      ]
    : layers.flatMap((layer) => [...layer.points, ...(layer.shapes ?? []).flatMap(computeShapeCorners)])
  return { regions, boundary, points, isOnPoints, far, width, height, projection }
}

type SeenOptions = Pick<
  PlaceMapOptions,
  'regions' | 'boundary' | 'isOnPoints' | 'opens' | 'far' | 'layers' | 'width' | 'height' | 'projection'
>

/** The extent of a picture. Null where it has no position for an edge. */
export function placeView(options: SeenOptions): GroundView | null {
  const land = landOptions(options)
  // Others are kept with their regions.
  const projection = options.projection === 'mercator' ? fitLand(land) : getPlaceLand(land).projection
  return viewOfParts(projection, options)
}

/** South-west and north-east of a shape: between them the picture has room for it. */
function computeShapeCorners(geometry: Geometry): MapPoint[] {
  const positions: Position[] = []
  const visit = (part: Geometry): void => {
    if (part.type === 'GeometryCollection') part.geometries.forEach(visit)
    else if (part.type === 'Point') positions.push(part.coordinates)
    else if (part.type === 'Polygon' || part.type === 'MultiLineString')
      positions.push(...part.coordinates.flat())
    else if (part.type === 'MultiPolygon') positions.push(...part.coordinates.flat(2))
    else positions.push(...part.coordinates)
  }
  visit(geometry)
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [lon = 0, lat = 0] of positions) {
    west = Math.min(west, lon)
    south = Math.min(south, lat)
    east = Math.max(east, lon)
    north = Math.max(north, lat)
  }
  return west <= east
    ? [
        { lon: west, lat: south },
        { lon: east, lat: north },
      ]
    : []
}

/** The land in the finest detail within the budget, in characters; otherwise in the coarsest. */
function drawLand(
  plan: AreaPlan,
  colouring: Colouring | null,
  isOnGround: boolean,
  most: number,
): { svg: string; detail: Detail } {
  let landDrawing = { svg: '', detail: details[0] as Detail }
  for (const detail of details) {
    landDrawing = { svg: drawDetail(simplifyPlan(plan, detail), detail, colouring, isOnGround), detail }
    if (landDrawing.svg.length <= most) break
  }
  return landDrawing
}

/** Over the ground only the borders between regions are drawn: its coast is its own. */
function drawDetail(
  plan: AreaPlan,
  detail: Detail,
  colouring: Colouring | null,
  isOnGround: boolean,
): string {
  const land = plan.shapes.length > 0 ? plan : { ...plan, shapes: plan.outline }
  const path = plan.outline.length > 0 ? mergedPath(plan, plan.outline, detail) : ''
  // A fill would change the colours that represent values.
  const fillAttributes = colouring ? 'fill="none"' : 'fill="var(--map-layer)" fill-opacity=".12"'
  const own = path
    ? `<path transform="scale(${detail.grid})" ${fillAttributes} stroke="var(--map-layer)" ` +
      `stroke-width="${formatSvgNumber(2 / detail.grid)}" stroke-linejoin="round" fill-rule="evenodd" d="${path}"/>`
    : ''
  const areas =
    isOnGround && !colouring
      ? drawBorders({ ...land, outline: [] }, detail)
      : drawAreas({ ...land, outline: [] }, detail, colouring)
  return (colouring ? `<g class="map-values">${areas}</g>` : areas) + own
}
