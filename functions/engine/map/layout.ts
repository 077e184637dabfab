import type { FeatureCollection } from 'geojson'
import { leastSize, planAreas, simplifyPlan, type AreaPlan, type Detail } from './areas.ts'
import { drawAreas } from './draw-areas.ts'
import { fitMap, type MapProjection } from './insets.ts'
import type { ProjectionName } from './projection.ts'

/** Shapes laid out for a drawing of one size. */
interface MapLayout {
  projection: MapProjection
  /** A lower bound for the length of the paths, in characters. */
  least(detail: Detail): number
  simple(detail: Detail): AreaPlan
  /** The shapes as land, without colours. */
  land(detail: Detail): string
}

interface LayoutInput {
  shapes: FeatureCollection
  outline?: FeatureCollection
  points: { lon: number; lat: number }[]
  width: number
  height: number
  projection: ProjectionName
}

/** Layouts by shapes, cached as long as the shapes are referenced. */
const layouts = new WeakMap<FeatureCollection, Map<string, MapLayout>>()

/**
 * Fits shapes into a drawing and joins their borders. Takes a tenth of a second and is the same for every map of these
 * shapes, so it is cached: only Mercator depends on other layers, and without shapes on the points.
 */
export function layOutMap(input: LayoutInput): MapLayout {
  const { shapes, outline, width, height, projection } = input
  if (outline || projection === 'mercator' || shapes.features.length === 0) return layOut(input)
  const plans = layouts.get(shapes) ?? new Map<string, MapLayout>()
  layouts.set(shapes, plans)
  const name = `${projection} ${width} ${height}`
  const plan = plans.get(name) ?? layOut({ ...input, points: [] })
  // Pages use one size; pictures may have any
  if (plans.size < maxSizes) plans.set(name, plan)
  return plan
}

const maxSizes = 4

function layOut({ shapes, outline, points, projection: name, ...size }: LayoutInput): MapLayout {
  const projection = fitMap(name, outline ? [shapes, outline] : [shapes], points, size)
  const plan = planAreas(shapes, outline, projection)
  // Not cached until drawn: the finest ones are large, and too large for a page
  const simple = memoizeByDetail((detail) => simplifyPlan(plan, detail))
  return {
    projection,
    least: memoizeByDetail((detail) => leastSize(simplifyPlan(plan, detail))),
    simple,
    land: memoizeByDetail((detail) => drawAreas(simple(detail), detail, null)),
  }
}

/** A function of a detail that is worked out once for each. */
function memoizeByDetail<Made>(make: (detail: Detail) => Made): (detail: Detail) => Made {
  const byDetail = new Map<Detail, Made>()
  return (detail) => {
    const before = byDetail.get(detail)
    if (before !== undefined) return before
    const now = make(detail)
    byDetail.set(detail, now)
    return now
  }
}
