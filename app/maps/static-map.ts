import type { FeatureCollection } from 'geojson'
import {
  borderPath,
  mergedPath,
  planAreas,
  shapePath,
  simplified,
  type AreaPlan,
  type Detail,
  type ShapeProperties,
} from './areas.ts'
import { classesOf, classIndex, type MapClass } from './classes.ts'
import { drawDots, type MapPoint } from './dots.ts'
import { fitted, type ProjectionName } from './projection.ts'
import { escapeXml, short } from './svg.ts'

export interface StaticMapOptions {
  /** The regions: coloured when there are `values`, else land. Each has a `gid` and, for its tooltip, a `name`. */
  shapes: FeatureCollection
  /** Regions drawn as lines over the shapes, and as land where there are no shapes. */
  outline?: FeatureCollection
  points?: MapPoint[]
  /** A value a region, by `gid`; null and absent are "no data", drawn hatched. */
  values?: Map<string, number | null>
  /** The drawing's own units; it has no fixed width on the page. */
  width: number
  height: number
  title: string
  description: string
  legend?: { unit?: string; format(value: number): string }
  projection?: ProjectionName
  /** What the ids inside start with; must be unique on the page. */
  id?: string
}

export interface StaticMap {
  svg: string
  legend: {
    kind: 'choropleth' | 'dots' | 'none'
    classes: MapClass[]
    unit?: string
    /** How many regions have no value. */
    missing: number
  }
}

/** The size a map may have as text, in characters. */
const budget = 60_000
/** Up to here every region is an element of its own and says its name and value. */
const fewShapes = 100
const details: Detail[] = [
  { area: 0.2, grid: 0.1 },
  { area: 0.8, grid: 0.1 },
  { area: 1, grid: 0.5 },
  { area: 1, grid: 1 },
  { area: 2, grid: 1 },
  { area: 4, grid: 1 },
  { area: 8, grid: 2 },
  { area: 20, grid: 3 },
]

/**
 * Gives a map as SVG that needs no script, no style attribute and no fixed size, and what its legend says. Colours are
 * custom properties of the page's theme. The drawing is as detailed as 60 kB allow. Numbers are written by
 * `legend.format`, or plainly.
 */
export function staticMap(options: StaticMapOptions): StaticMap {
  const { shapes, outline, points = [], values, width, height, legend, id = 'map' } = options
  const format = legend?.format ?? String
  const known = [...(values?.values() ?? [])].filter((value): value is number => value !== null)
  const classes = classesOf(known, format)
  const projection = fitted(
    options.projection ?? 'mercator',
    outline ? [shapes, outline] : [shapes],
    points,
    options,
  )
  const dots = drawDots(points, projection, { width, height }, format)
  const plan = planAreas(shapes, outline, projection)
  const valueOf = (gid: string | undefined) => (gid === undefined ? undefined : values?.get(gid))
  let svg = ''
  for (const detail of details) {
    const areas = values
      ? choropleth(simplified(plan, detail), detail, { classes, valueOf, format, id, unit: legend?.unit })
      : land(simplified(plan, detail), detail)
    svg = frame(options, areas + dots.svg, id, detail)
    if (svg.length <= budget) break
  }
  const missing = values
    ? shapes.features.filter(
        ({ properties }) => classIndex(classes, valueOf((properties as ShapeProperties)?.gid)) === null,
      )
    : []
  const kind = values && classes.length > 0 ? 'choropleth' : dots.drawn > 0 ? 'dots' : 'none'
  return {
    svg,
    legend: {
      kind,
      classes: kind === 'choropleth' ? classes : dots.classes,
      ...(legend?.unit === undefined ? {} : { unit: legend.unit }),
      missing: missing.length,
    },
  }
}

interface Colouring {
  classes: MapClass[]
  valueOf: (gid: string | undefined) => number | null | undefined
  format: (value: number) => string
  id: string
  unit?: string
}

function choropleth(
  plan: AreaPlan,
  detail: Detail,
  { classes, valueOf, format, id, unit }: Colouring,
): string {
  const hatch = `url(#${escapeXml(id)}-none)`
  const parts: string[] = []
  const propertiesOf = (shape: AreaPlan['shapes'][number]) => (shape.properties ?? {}) as ShapeProperties
  if (plan.shapes.length <= fewShapes) {
    for (const shape of plan.shapes) {
      const { gid, name } = propertiesOf(shape)
      const value = valueOf(gid)
      const at = classIndex(classes, value)
      const path = shapePath(plan, shape, detail)
      if (path === '') continue
      const said = at === null ? 'no data' : [format(value as number), unit].filter(Boolean).join(' ')
      const text = escapeXml(name ? `${name}: ${said}` : said)
      parts.push(
        `<path fill="${at === null ? hatch : classes[at]?.fill}" d="${path}"><title>${text}</title></path>`,
      )
    }
  } else {
    const groups = new Map<number | null, AreaPlan['shapes']>()
    for (const shape of plan.shapes) {
      const at = classIndex(classes, valueOf(propertiesOf(shape).gid))
      const group = groups.get(at)
      if (group) group.push(shape)
      else groups.set(at, [shape])
    }
    for (const [at, members] of groups) {
      const path = mergedPath(plan, members, detail)
      if (path) parts.push(`<path fill="${at === null ? hatch : classes[at]?.fill}" d="${path}"/>`)
    }
  }
  const borders = borderPath(plan, false, detail)
  return scaled(parts.join('') + lines(borders, 'var(--surface)', detail), detail)
}

function land(plan: AreaPlan, detail: Detail): string {
  const { outline } = plan.topology.objects
  const base = plan.shapes.length > 0 ? plan.shapes : outline.geometries
  const path = mergedPath(plan, base as AreaPlan['shapes'], detail)
  const borders = borderPath(plan, true, detail)
  return scaled(`<path fill="var(--map-land)" d="${path}"/>${lines(borders, 'var(--map-line)', detail)}`, detail)
}

/** Paths count in steps of the grid, which makes their numbers short. */
function scaled(inside: string, { grid }: Detail): string {
  return `<g fill-rule="evenodd" transform="scale(${grid})">${inside}</g>`
}

function lines(path: string, stroke: string, { grid }: Detail): string {
  if (path === '') return ''
  return `<path fill="none" stroke="${stroke}" stroke-width="${short(0.8 / grid)}" stroke-linejoin="round" d="${path}"/>`
}

function frame(
  { width, height, title, description, values }: StaticMapOptions,
  inside: string,
  id: string,
): string {
  const name = escapeXml(id)
  const hatch = values
    ? `<defs><pattern id="${name}-none" width="6" height="6" patternUnits="userSpaceOnUse" ` +
      `patternTransform="scale(${short(1 / grid)})">` +
      '<path fill="var(--map-land)" d="M0 0h6v6H0z"/>' +
      '<path stroke="var(--map-line)" d="M-1.5 1.5l3-3M0 6l6-6M4.5 7.5l3-3"/></pattern></defs>'
    : ''
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" ` +
    `aria-labelledby="${name}-title" aria-describedby="${name}-desc">` +
    `<title id="${name}-title">${escapeXml(title)}</title><desc id="${name}-desc">${escapeXml(description)}</desc>` +
    `${hatch}${inside}</svg>`
  )
}
