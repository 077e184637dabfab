import type { Feature, Geometry } from 'geojson'
import type { Place } from '../row.ts'
import { geometryFault, projectGeometry, swapAxes, type Project } from './geometry.ts'
import type { Sink } from './sink.ts'

/** Adds a feature to the sink, in longitude and latitude, or the issue of its geometry. */
export function addFeature(
  feature: Feature<Geometry | null>,
  at: Omit<Place, 'row'>,
  sink: Sink,
  project: Project | null = null,
) {
  const { geometry } = feature
  const projection = sink.isSwapped ? withSwappedAxes(project) : project
  let row = feature
  if (projection && geometry && !hasStructuralFault(geometry, sink.isLoose))
    row = { ...feature, geometry: projectGeometry(geometry, projection) }
  const message = geometryFault(row.geometry, sink.isLoose)
  if (!message) return sink.row(row, at)
  const value = geometry ? JSON.stringify(geometry).slice(0, 200) : undefined
  sink.reject({ field: 'geometry', message, ...(value !== undefined && { value }) }, at)
}

const withSwappedAxes =
  (project: Project | null): Project =>
  (position) =>
    project ? project(swapAxes(position)) : swapAxes(position)

/** Validates everything but the range of positions, before they are projected. */
function hasStructuralFault(geometry: Geometry, isLoose: boolean): boolean {
  const fault = geometryFault(geometry, isLoose)
  return fault !== null && !fault.startsWith('The position ')
}
