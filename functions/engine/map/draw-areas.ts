import {
  borderPath,
  dotPath,
  mergedPath,
  parentPath,
  shapePath,
  type AreaPlan,
  type Detail,
  type Shape,
  type ShapeProperties,
} from './areas.ts'
import { classIndex, type MapClass } from './classes.ts'
import { nameOfRegion } from './region-names.ts'
import { escapeXml, formatSvgNumber } from './svg.ts'

/**
 * The colouring of shapes, and the text of their values. `missing`: the paint of shapes without a value, over the land:
 * separate, because a pattern in a file does not inherit the colours of the page.
 */
export interface Colouring {
  classes: MapClass[]
  getRegionValue(gid: string | undefined): number | null | undefined
  /** Null for a shape without a value. */
  formatValue(value: number | null): string
  missing: string
  /** The language of names of regions. */
  locale: string
  /** The `gid` of the highlighted one. */
  outlined?: string | undefined
}

/** Up to this number every region is a separate element with its name and value. */
const fewShapes = 100
export const isFew = (shapes: readonly unknown[]) => shapes.length <= fewShapes
/** Up to this number the borders between regions are drawn, where nothing is above them. */
const borderedShapes = 300

/** Draws the shapes over their context: coloured by value, or as land without a colouring. */
export function drawAreas(plan: AreaPlan, detail: Detail, colouring: Colouring | null): string {
  const areFew = isFew(plan.shapes)
  const context = areFew && plan.outline.length > 0 ? land(plan, 'outline', detail) : ''
  const regions = colouring
    ? choropleth(plan, detail, colouring) + lineAround(plan, detail, colouring.outlined)
    : land(plan, 'shapes', detail)
  // paths are in grid units, which makes their numbers short
  return `<g fill-rule="evenodd" transform="scale(${detail.grid})">${context}${regions}</g>`
}

/** The borders between the shapes, for a map whose land is drawn already. */
export function drawBorders(plan: AreaPlan, detail: Detail): string {
  const path = lines(borderPath(plan, 'shapes', ['inner'], detail), '--map-line', detail)
  return path && `<g transform="scale(${detail.grid})">${path}</g>`
}

function land(plan: AreaPlan, of: 'shapes' | 'outline', detail: Detail): string {
  const path = mergedPath(plan, plan[of], detail)
  if (path === '') return ''
  const kinds = plan[of].length > borderedShapes ? (['outer'] as const) : (['inner', 'outer'] as const)
  return `<path fill="var(--map-land)" d="${path}"/>${lines(borderPath(plan, of, [...kinds], detail), '--map-line', detail)}`
}

/** The border of the highlighted shape, above all others. */
function lineAround(plan: AreaPlan, detail: Detail, gid: string | undefined): string {
  const shape = gid === undefined ? undefined : plan.shapes.find((one) => getShapeProperties(one).gid === gid)
  const path = shape ? shapePath(plan, shape, detail) : ''
  if (path === '') return ''
  const stroke = `stroke="var(--chart-text)" stroke-width="${formatSvgNumber(2.4 / detail.grid)}" stroke-linejoin="round"`
  return `<path fill="none" ${stroke} d="${path}"/>`
}

function choropleth(plan: AreaPlan, detail: Detail, colouring: Colouring): string {
  // Separate shapes have their own borders: further paths would repeat every point.
  if (isFew(plan.shapes)) return separate(plan, detail, colouring)
  return merge(plan, detail, colouring) + lines(innerBorders(plan, detail), '--surface', detail)
}

function innerBorders(plan: AreaPlan, detail: Detail): string {
  if (plan.outline.length > 0) return borderPath(plan, 'outline', ['inner'], detail)
  const parents = parentPath(plan, detail)
  return parents === '' && plan.shapes.length <= borderedShapes
    ? borderPath(plan, 'shapes', ['inner'], detail)
    : parents
}

function separate(
  plan: AreaPlan,
  detail: Detail,
  { classes, getRegionValue, formatValue, missing, locale }: Colouring,
): string {
  const width = formatSvgNumber(0.8 / detail.grid)
  const paths = plan.shapes.map((shape) => {
    const path = shapePath(plan, shape, detail) || dotPath(plan, shape, detail)
    if (path === '') return ''
    const properties = getShapeProperties(shape)
    const name = nameOfRegion({ properties }, locale)
    const value = getRegionValue(properties.gid)
    const at = classIndex(classes, value)
    const text = formatValue(at === null ? null : (value ?? null))
    const fill = classes[at ?? -1]?.fill
    const under = fill === undefined ? `<path fill="var(--map-land)" d="${path}"/>` : ''
    return `${under}<path fill="${fill ?? missing}" d="${path}"><title>${escapeXml(name ? `${name}: ${text}` : text)}</title></path>`
  })
  return `<g stroke="var(--map-line)" stroke-width="${width}" stroke-linejoin="round">${paths.join('')}</g>`
}

/** One path per class. The class with the longest path is painted as the whole land below the others. */
function merge(plan: AreaPlan, detail: Detail, { classes, getRegionValue, missing }: Colouring): string {
  const groups = new Map<string, Shape[]>()
  for (const shape of plan.shapes) {
    const fill =
      classes[classIndex(classes, getRegionValue(getShapeProperties(shape).gid)) ?? -1]?.fill ?? missing
    const group = groups.get(fill)
    if (group) group.push(shape)
    else groups.set(fill, [shape])
  }
  const [base, ...others] = [...groups]
    .map(([fill, shapes]) => ({ fill, path: mergedPath(plan, shapes, detail) }))
    .sort((a, b) => b.path.length - a.path.length)
  if (!base) return ''
  const stroke = `stroke="var(--map-line)" stroke-width="${formatSvgNumber(1.2 / detail.grid)}" stroke-linejoin="round"`
  const paintPath = (fill: string, path: string, attributes = '') =>
    (fill === missing ? `<path fill="var(--map-land)"${attributes} d="${path}"/>` : '') +
    `<path fill="${fill}"${attributes} d="${path}"/>`
  const landPath = paintPath(base.fill, mergedPath(plan, plan.shapes, detail), ` ${stroke}`)
  return landPath + others.map(({ fill, path }) => (path === '' ? '' : paintPath(fill, path))).join('')
}

function getShapeProperties(shape: Shape): ShapeProperties {
  return shape.properties ?? {}
}

function lines(path: string, token: string, { grid }: Detail): string {
  if (path === '') return ''
  const width = formatSvgNumber(0.8 / grid)
  return `<path fill="none" stroke="var(${token})" stroke-width="${width}" stroke-linejoin="round" d="${path}"/>`
}
