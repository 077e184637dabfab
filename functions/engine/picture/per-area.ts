import { geoArea } from 'd3-geo'
import type { FeatureCollection } from 'geojson'
import { axisTitle, unitOf } from '#functions/engine/chart/format.ts'
import type { ChartInput } from '#functions/engine/chart/frame.ts'
import { wound } from '#functions/engine/map/projection.ts'
import { tellPerArea } from '#functions/engine/map/words.ts'
import type { AnswerRow } from '#functions/shapes/analytics.ts'
import { mapKeys, type ReadOwn } from './map.ts'

const earthRadius = 6371.0088

/** How many square kilometres each region has, by its gid, as the map draws it: on the sphere, of outlines that are simplified. */
export function areasOf({ features }: FeatureCollection): Map<string, number> {
  return new Map(
    features.map((feature) => [
      String(feature.properties?.gid),
      geoArea(wound(feature)) * earthRadius * earthRadius,
    ]),
  )
}

/** The areas of simplified outlines are not known more exactly. */
const digits = 3

/** So many square kilometres a value may be told for: where most would be less than one for each of them, for more at once. */
const units = [1, 100, 1000, 10_000, 100_000, 1_000_000]

/** The fewest square kilometres for which half of the values are one or more. */
function unitFor(values: readonly number[]): number {
  const sorted = values.filter((value) => value > 0).sort((a, b) => a - b)
  const middle = sorted[sorted.length >> 1] ?? 1
  return units.find((unit) => middle * unit >= 1) ?? 1_000_000
}

/**
 * An answer whose map is of its measure per square kilometre, or per as many as make numbers that can be read (`per: 'area'`): the measure divided by the area of the region that its row
 * names, null where it names none, and called so. It is no sum, count or order of rows any more, so that nothing says it is. Any other
 * answer as it is. `readOwn` as in `mapKeys`.
 */
export async function perArea<Answered extends Pick<ChartInput, 'visualization' | 'output' | 'rows'>>(
  tiles: R2Bucket,
  answer: Answered,
  locale: string,
  readOwn?: ReadOwn,
): Promise<Answered> {
  const { visualization, output } = answer
  if (visualization.type !== 'map' || visualization.settings?.per !== 'area') return answer
  const { shapes, regionOfRow, measureAlias, kind } = await mapKeys(tiles, answer, readOwn)
  const field = measureAlias === null ? undefined : output.schema[measureAlias]
  if (measureAlias === null || field?.type !== 'number' || kind !== 'regions') return answer
  const areas = areasOf(shapes)
  const densities = answer.rows.map((row) => {
    const area = areas.get(regionOfRow(row) ?? '')
    const value = row[measureAlias]
    return typeof value === 'number' && area !== undefined && area > 0 ? value / area : null
  })
  const unit = unitFor(densities.flatMap((density) => density ?? []))
  const rows = answer.rows.map((row, i): AnswerRow => {
    const density = densities[i] ?? null
    const value = density === null ? null : Number((density * unit).toPrecision(digits))
    return { ...row, [measureAlias]: value }
  })
  const {
    measurement: _measurement,
    unit: _unit,
    additive: _additive,
    validation: _validation,
    ...about
  } = field
  const name = tellPerArea(axisTitle(field, unitOf(field, locale)), unit, locale)
  return {
    ...answer,
    rows,
    output: {
      ...output,
      schema: { ...output.schema, [measureAlias]: { ...about, name } },
      aggregations: output.aggregations.map(({ function: own, ...each }) =>
        each.alias === measureAlias || own === undefined ? each : { ...each, function: own },
      ),
      orderings: output.orderings.filter(({ alias }) => alias !== measureAlias),
    },
  }
}
