import type { GeoProjection } from 'd3-geo'
import type { Feature, FeatureCollection } from 'geojson'
import type { Detail, ShapeProperties } from './areas.ts'
import { classifyValues, classIndex, type ClassOptions, type MapClass } from './classes.ts'
import { drawAreas, drawBorders, isFew } from './draw-areas.ts'
import { drawCredit } from './draw-credit.ts'
import { drawTowns, type Ground, type OccupiedArea } from './draw-ground.ts'
import { drawGroundInParts, frameInsets, nameInsets, nearRegions } from './draw-insets.ts'
import { drawNames } from './draw-names.ts'
import { drawNorth } from './draw-north.ts'
import { drawInsetScales, drawScale } from './draw-scale.ts'
import { nameOfRegion } from './region-names.ts'
import { fitMap, type MapProjection } from './insets.ts'
import { writeTwice } from './lettering.ts'
import { drawDots, type MapPoint } from './dots.ts'
import { hatchColour, hatchLines, hatchOpacity, hatchSize } from './hatch.ts'
import { layOutMap } from './layout.ts'
import { boxSeen, cutTo, project, type ProjectionName } from './projection.ts'
import { escapeXml, formatSvgNumber } from './svg.ts'

export interface StaticMapOptions {
  /** The regions: coloured with `values`, otherwise land. Each has a `gid` and, for its tooltip, a `name`. */
  shapes: FeatureCollection
  /** Regions drawn as lines over the shapes, and as land without shapes. */
  outline?: FeatureCollection
  points?: MapPoint[]
  /** Each point is a circle of its own, sized by value. */
  isSized?: boolean
  /** The value is shown in each circle that is large enough. */
  isCounted?: boolean
  /** A value a region, by `gid`; null and absent are "no data", drawn hatched. */
  values?: Map<string, number | null>
  /** The `gid` of the highlighted region, which gets an outline. */
  outlined?: string
  /** The drawing's own units; it has no fixed width on the page. */
  width: number
  height: number
  title: string
  description: string
  legend?: {
    unit?: string
    format(value: number): string
    /** The smallest displayed difference. */
    step?: number
    classing?: ClassOptions
    /** The legend entry of regions without a value. */ noData?: string
  }
  projection?: ProjectionName
  /** The base map in the boxes of `computeGroundView`, instead of plain land. */
  ground?: Ground | null
  /** Who made the shapes, where pictures have to say so. */
  origin?: string
  /** Shown in its own size, never at phone width. */
  isFixed?: boolean
  /** Regions with values are labelled, where there is room. */
  isNamed?: boolean
  /** The language of names of regions. */
  locale: string
  /** The prefix of ids inside; must be unique on the page. */
  id?: string
}

export interface StaticMap {
  svg: string
  legend: {
    kind: 'choropleth' | 'dots' | 'none'
    classes: MapClass[]
    unit?: string
    /** The number of regions without a value. */
    missing: number
  }
  /** The amount of points outside of the drawing, and the names of regions with a value outside. */
  outside: number
  hidden: string[]
}

/**
 * Size budgets of regions in characters: embedded figures include their drawing, and pages should load quickly. Land
 * under dots matters less than regions with data; many regions in so little detail would be unrecognisable.
 */
const budget = { few: 13_500, many: 58_000, land: 10_000 }
/** The same for the base map: an embedded figure with both must stay below 20 kB. */
const groundBudget = 4_500
export const details: Detail[] = [
  { area: 0.2, grid: 0.1 },
  { area: 0.8, grid: 0.1 },
  { area: 1, grid: 0.5 },
  { area: 1, grid: 1 },
  { area: 2, grid: 1 },
  { area: 4, grid: 1 },
  { area: 8, grid: 2 },
  { area: 20, grid: 3 },
  { area: 30, grid: 4 },
  { area: 40, grid: 5 },
]

/**
 * A map as SVG without scripts, style attributes and fixed size, and its legend. Colours are custom properties of the
 * page's theme. As detailed as the budget allows. Numbers are formatted by `legend.format`, or plainOptions.
 */
export function staticMap(options: StaticMapOptions): StaticMap {
  const { shapes, outline, points = [], values, width, height, legend, outlined } = options
  const id = escapeXml(options.id ?? 'map')
  const format = legend?.format ?? String
  const numbers = [...(values?.values() ?? [])].filter((value): value is number => value !== null)
  const classes = classifyValues(numbers, format, legend?.step, legend?.classing)
  const name = options.projection ?? 'mercator'
  const plan = layOutMap({ shapes, ...(outline ? { outline } : {}), points, width, height, projection: name })
  const { projection } = plan
  const dots = drawDots(points, projection, { width, height }, format, {
    isEach: options.isSized ?? false,
    ...(options.isCounted && { counts: { isFixed: options.isFixed ?? false, width } }),
  })
  const formatValue = (value: number | null) =>
    value === null ? (legend?.noData ?? 'No data') : [format(value), legend?.unit].filter(Boolean).join(' ')
  const getRegionValue = (gid: string | undefined) => (gid === undefined ? undefined : values?.get(gid))
  const { ground = null } = options
  if (ground && name === 'mercator') cutTo(projection, options)
  const { under, over } = drawSurroundings(options, ground, projection)
  const isMany = !isFew(shapes.features)
  const most =
    (values ? budget[isMany ? 'many' : 'few'] : budget.land) -
    (values && isMany ? under.length + over.length : under.length / 2)
  let svg = ''
  for (const detail of details) {
    if (plan.least(detail) > most && detail !== details[details.length - 1]) continue
    const areas = values
      ? drawAreas(plan.simple(detail), detail, {
          classes,
          getRegionValue,
          formatValue,
          missing: `url(#${id}-none)`,
          locale: options.locale,
          outlined,
        })
      : ground
        ? drawBorders(plan.simple(detail), detail)
        : plan.land(detail)
    const inside = under + areas + dots.svg + over
    const cut = ground ? cutToFrame(inside, id, options) : inside
    svg = frame({ ...options, isHatched: values !== undefined }, cut, id, detail)
    if (areas.length <= most) break
  }
  const isMissing = ({ properties }: Feature) =>
    classIndex(classes, getRegionValue((properties as ShapeProperties)?.gid)) === null
  // The picture of the United States has no room for territories: elsewhere every region is drawn.
  const away = new Set(
    values && name === 'albersUsa' ? shapes.features.filter((shape) => !isDrawn(shape, projection)) : [],
  )
  const missing = values ? shapes.features.filter((shape) => isMissing(shape) && !away.has(shape)) : []
  const hiddenShapes = [...away].filter((shape) => !isMissing(shape))
  const kind = values && classes.length > 0 ? 'choropleth' : dots.drawnCount > 0 ? 'dots' : 'none'
  return {
    svg,
    legend: {
      kind,
      classes: kind === 'choropleth' ? classes : dots.classes,
      ...(legend?.unit === undefined ? {} : { unit: legend.unit }),
      missing: missing.length,
    },
    outside: dots.outside,
    hidden: hiddenShapes.map((shape) => nameOfRegion(shape, options.locale) || String(shape.properties?.gid)),
  }
}

/** The parts below and above a map: land and water, names of regions, towns, the scale, and inset frames. */
function drawSurroundings(
  { shapes, origin, values, width, height, locale, isNamed = false, isFixed = false }: StaticMapOptions,
  ground: Ground | null,
  projection: MapProjection,
): { under: string; over: string } {
  const size = { width, height }
  const { insets = [], main = projection } = projection
  const over = writeTwice(width, isFixed, (lettering) => {
    const { svg: names, occupied } =
      isNamed && values
        ? drawNames(nearRegions(shapes, insets), projection, size, {
            ...{ locale, fontSize: lettering.fontSize + 1 },
          })
        : { svg: '', occupied: [] as OccupiedArea[] }
    const scale = ground ? drawScale(projection, size, lettering, locale) : undefined
    const credit = drawCredit([ground?.attribution, origin], size, insets, lettering)
    const blocked = [...occupied, ...insets, ...[scale, credit].flatMap((part) => part?.occupied ?? [])]
    const towns = ground ? drawTowns(ground, main, size, blocked, lettering) : ''
    const signs = (scale?.svg ?? '') + (credit?.svg ?? '')
    const orientation = ground
      ? drawNorth(main, size, blocked, lettering) + drawInsetScales(insets, lettering)
      : ''
    return names + towns + signs + orientation + nameInsets(insets, lettering, locale)
  })
  if (!ground) return { under: '', over: over + frameInsets(insets) }
  const isBordered = shapes.features.length > 0
  const under = drawGroundInParts(ground, projection, size, isBordered, groundBudget)
  return { under, over: over + frameInsets(insets) }
}

/** What of the earth a picture has to show the ground of: all of it, and each of its insets; in units of the drawing. */
export interface GroundView {
  box: [number, number, number, number]
  width: number
  insets: { box: [number, number, number, number]; width: number }[]
}

/** The extents of a map and its insets, for the base map. */
export function computeGroundView({
  shapes,
  outline,
  points = [],
  projection = 'mercator',
  ...size
}: Pick<
  StaticMapOptions,
  'shapes' | 'outline' | 'points' | 'width' | 'height' | 'projection'
>): GroundView | null {
  const { width, height } = size
  const mapProjection =
    projection === 'mercator'
      ? fitMap(projection, outline ? [shapes, outline] : [shapes], points, { width, height })
      : layOutMap({ shapes, ...(outline ? { outline } : {}), points, width, height, projection }).projection
  return viewOfParts(mapProjection, { width, height })
}

/** All that a base map has of the earth: its tiles end at 85 degrees. */
const wholeEarth: GroundView['box'] = [-180, -85, 179.99, 85]

/** The extents of a projection and of its insets; null where it has no position for an edge. */
export function viewOfParts(
  projection: MapProjection,
  { width, height }: { width: number; height: number },
): GroundView | null {
  if (projection.isRound) return { box: wholeEarth, width, insets: [] }
  const box = boxSeen(projection.main ?? projection, { width, height })
  const insets = (projection.insets ?? []).flatMap((inset) => {
    const own = boxSeen(inset.projection, inset)
    return own ? [{ box: own, width: inset.width }] : []
  })
  return box && { box, width, insets }
}

const isDrawn = (shape: Feature, projection: GeoProjection) =>
  project(shape, projection).geometry.coordinates.length > 0

/** The base map continues beyond the edge, and pages would show that. */
const cutToFrame = (inside: string, id: string, { width, height }: { width: number; height: number }) =>
  `<clipPath id="${id}-cut"><rect width="${width}" height="${height}"/></clipPath><g clip-path="url(#${id}-cut)">${inside}</g>`

/** The SVG element around a drawing: its size, and its accessible name and description. */
export function frame(
  {
    width,
    height,
    title,
    description,
    isHatched,
  }: Pick<StaticMapOptions, 'width' | 'height' | 'title' | 'description'> & { isHatched: boolean },
  inside: string,
  id: string,
  { grid }: Detail,
): string {
  const hatch = isHatched
    ? `<defs><pattern id="${id}-none" width="${hatchSize}" height="${hatchSize}" patternUnits="userSpaceOnUse" ` +
      `patternTransform="scale(${formatSvgNumber(1 / grid)})">` +
      `<path stroke="${hatchColour}" stroke-opacity="${hatchOpacity}" d="${hatchLines}"/></pattern></defs>`
    : ''
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" ` +
    `aria-labelledby="${id}-title" aria-describedby="${id}-desc">` +
    `<title id="${id}-title">${escapeXml(title)}</title><desc id="${id}-desc">${escapeXml(description)}</desc>` +
    `${hatch}${inside}</svg>`
  )
}
