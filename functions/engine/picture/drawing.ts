import { fitVisualization } from '#functions/engine/chart/fit.ts'
import { getFieldUnit } from '#functions/engine/chart/format.ts'
import { toReadableAnswer } from '#functions/engine/chart/readable.ts'
import { chartSpec } from '#functions/engine/chart/spec.ts'
import { chartTypes } from '#functions/engine/chart/type/index.ts'
import type { Output, Visualization } from '#functions/shapes/analytics.ts'
import { mapKeys, regionClasses, regionValues, type MapKeys } from './map.ts'
import { mapAnswer } from './cluster-by-region.ts'
import type { PictureSubject } from './subject.ts'

/** How an answer is drawn, for programs. */
export interface Drawing {
  /** The visualization that is drawn, and the reason where it is not the requested one. */
  drawnAs: Visualization
  why: string | null
  /** The unit of each column that has one. */
  units: Record<string, string>
  /** A Vega-Lite spec with its data; null where there is nothing to draw. */
  spec: Record<string, unknown> | null
}

/** The drawing of an answer as a spec; a map's names the regions of its rows. */
export async function buildDrawing(tiles: R2Bucket, subject: PictureSubject): Promise<Drawing> {
  const { visualization, why } = fitVisualization(subject.visualization, subject.output)
  const input = toReadableAnswer(await mapAnswer(tiles, { ...subject, visualization }, subject.locale))
  const keys = chartTypes[visualization.type].kind === 'map' ? await mapKeys(tiles, input) : null
  const withSet = keys
    ? { ...visualization, settings: { ...visualization.settings, boundarySetId: keys.setId } }
    : visualization
  const units = Object.entries(subject.output.schema).flatMap(([alias, field]) => {
    const unit = getFieldUnit(field)
    return unit === '' ? [] : [[alias, unit]]
  })
  const regions =
    keys?.kind === 'regions'
      ? {
          keys: input.rows.map(keys.regionOfRow),
          classes: regionClasses(keys, input),
          missing: withoutValue(keys),
        }
      : undefined
  const spec = chartSpec({
    ...input,
    visualization: withSet,
    ...(keys?.isClustered && toCirclePoints(keys, input.output)),
    ...(regions && { regions }),
  })
  return {
    drawnAs: visualization,
    why,
    units: Object.fromEntries(units) as Record<string, string>,
    spec: spec as Record<string, unknown> | null,
  }
}

/** Circles of regions as points, with columns for their positions. */
function toCirclePoints({ rows, setId, measureAlias, nameAlias }: MapKeys, output: Output) {
  const degrees = { type: 'number' as const }
  const places = { latitude: { name: 'Latitude', ...degrees }, longitude: { name: 'Longitude', ...degrees } }
  const settings = {
    ...{ latitude: 'latitude', longitude: 'longitude', label: nameAlias, boundarySetId: setId },
    ...(measureAlias !== null && { size: measureAlias }),
  }
  return {
    visualization: { type: 'map' as const, settings },
    output: { ...output, schema: { ...output.schema, ...places } },
    rows: rows.flatMap(({ row, at }) => (at ? [{ ...row, longitude: at[0], latitude: at[1] }] : [])),
  }
}

/** The number of regions without a value. */
function withoutValue(keys: MapKeys): number {
  const values = regionValues(keys)
  return keys.shapes.features.filter(
    ({ properties }) => (values.get(String(properties?.gid)) ?? null) === null,
  ).length
}
