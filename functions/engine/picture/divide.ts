import { axisTitle, getFieldUnit } from '#functions/engine/chart/format.ts'
import type { ChartInput } from '#functions/engine/chart/frame.ts'
import { describeMeasurePerArea, describeMeasurePerAttribute } from '#functions/engine/map/words.ts'
import type { AnswerRow } from '#functions/shapes/analytics.ts'
import { computeDenominators } from './denominators.ts'
import { mapKeys, type ReadOwn } from './map.ts'

/** Significant digits of normalised values: areas of simplified outlines are not more precise, and populations hardly. */
const digits = { area: 3, attribute: 4 }

/** Possible units of a denominator: where most values would be below one, a larger unit is used. */
const units = {
  area: [1, 100, 1000, 10_000, 100_000, 1_000_000],
  attribute: [1, 1000, 10_000, 100_000, 1_000_000],
}

/** The fewest for which half of the values are one or more. */
function unitFor(kind: keyof typeof units, values: readonly number[]): number {
  const sorted = values.filter((value) => value > 0).sort((a, b) => a - b)
  const middle = sorted[sorted.length >> 1] ?? 1
  return units[kind].find((unit) => middle * unit >= 1) ?? 1_000_000
}

/**
 * Normalises the measure of a map by its regions (`per`): by area or by an attribute of the set, in a unit that gives
 * readable numbers. Null where a row names no region, or one without a positive denominator. The column is renamed, and
 * no longer described as a sum, count or order of rows. Other answers are returned unchanged. `readOwn` as in `mapKeys`.
 */
export async function divideByRegion<Answered extends Pick<ChartInput, 'visualization' | 'output' | 'rows'>>(
  tiles: R2Bucket,
  answer: Answered,
  locale: string,
  readOwn?: ReadOwn,
): Promise<Answered> {
  const { visualization, output } = answer
  const per = visualization.type === 'map' ? visualization.settings?.per : undefined
  if (per === undefined) return answer
  const { shapes, regionOfRow, measureAlias, kind } = await mapKeys(tiles, answer, readOwn)
  const field = measureAlias === null ? undefined : output.schema[measureAlias]
  if (measureAlias === null || field?.type !== 'number' || kind !== 'regions') return answer
  const denominators = computeDenominators(shapes, per)
  const of = per === 'area' ? 'area' : 'attribute'
  const rates = answer.rows.map((row) => {
    const denominator = denominators.get(regionOfRow(row) ?? '')
    const value = row[measureAlias]
    return typeof value === 'number' && denominator !== undefined ? value / denominator : null
  })
  const unit = unitFor(
    of,
    rates.flatMap((rate) => rate ?? []),
  )
  const rows = answer.rows.map((row, i): AnswerRow => {
    const rate = rates[i] ?? null
    const value = rate === null ? null : Number((rate * unit).toPrecision(digits[of]))
    return { ...row, [measureAlias]: value }
  })
  const {
    measurement: _measurement,
    unit: _unit,
    additive: _additive,
    validation: _validation,
    ...about
  } = field
  const axis = axisTitle(field, getFieldUnit(field, locale))
  const name =
    per === 'area'
      ? describeMeasurePerArea(axis, unit, locale)
      : describeMeasurePerAttribute(axis, unit, per.name ?? per.attribute, locale)
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
