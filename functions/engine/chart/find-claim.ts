import type { AnswerRow } from '#functions/shapes/analytics.ts'
import {
  buildClaimBase,
  isAdditive,
  isCut,
  isSum,
  measureBy,
  buildRangeClaim,
  type Claim,
  type Mark,
  type Operand,
} from './claim.ts'
import { claimOverTime } from './claim-time.ts'
import { fitVisualization } from './fit.ts'
import { noValue } from './format.ts'
import type { ChartInput } from './frame.ts'
import { computeBins } from './histogram.ts'
import { findPosition, pointAlias } from './map-spec.ts'
import { toNumber, formatMeasure } from './measure.ts'
import { soleValue } from './number.ts'
import { createExtentFinder, findTimeColumn } from './periods.ts'
import { buildSlices } from './pie.ts'
import { toReadableAnswer } from './readable.ts'
import { getDimensions, getMeasures, assignRoles, type Roles } from './roles.ts'

function buildCategoryClaim(input: ChartInput, { x, y, series }: Roles): Claim {
  if (y === undefined) return { ...buildClaimBase(input), kind: 'nothing' }
  // The sum of some parts is no total.
  if (series !== undefined && isCut(input)) return { ...buildClaimBase(input), kind: 'cut' }
  const measure = measureBy(y, input)
  const isSummed = series === undefined || isSum(input, measure, series)
  const isWhole = isSummed ? () => true : createCoverageCheck(input, [series])
  const sums = new Map<string, Operand>()
  for (const row of input.rows) {
    const value = toNumber(row[y])
    if (value === null || !isWhole(row)) continue
    const at: Mark[] = [
      ...(x === undefined ? [] : [{ alias: x, value: row[x] }]),
      ...(isSummed || series === undefined ? [] : [{ alias: series, value: row[series] }]),
    ]
    const name = JSON.stringify(at)
    sums.set(name, { value: (sums.get(name)?.value ?? 0) + value, at })
  }
  return buildRangeClaim(measure, [...sums.values()], input)
}

/** Whether the data cover the spans of time that a row is of: one that they do not cover is not compared with others. */
function createCoverageCheck(
  input: ChartInput,
  aliases: (string | undefined)[],
): (row: AnswerRow) => boolean {
  const extents = aliases.map((alias) => [alias ?? '', createExtentFinder(input, alias)] as const)
  return (row) => extents.every(([alias, getExtent]) => getExtent(row[alias]) === 'whole')
}

/** Null where all cells are of spans that the data do not cover. */
function findGridClaim(input: ChartInput, { x, y, color }: Roles): Claim | null {
  const common = buildClaimBase(input)
  if (x === undefined || y === undefined || color === undefined) return { ...common, kind: 'nothing' }
  if (isCut(input)) return { ...common, kind: 'cut' }
  const isWhole = createCoverageCheck(input, [x, y])
  const operands = input.rows.flatMap((row): (Operand & { isWhole: boolean })[] => {
    const value = toNumber(row[color])
    const at = [x, y].map((alias) => ({ alias, value: row[alias] }))
    return value === null ? [] : [{ value, at, isWhole: isWhole(row) }]
  })
  const wholeOperands = operands.filter((operand) => operand.isWhole).map(({ value, at }) => ({ value, at }))
  if (operands.length > 0 && wholeOperands.length === 0) return null
  return buildRangeClaim(measureBy(color, input), wholeOperands, input)
}

function buildBinClaim(input: ChartInput, { x }: Roles): Claim {
  const bins = computeBins(input)
  const total = bins.reduce((sum, bin) => sum + bin.count, 0)
  const common = buildClaimBase(input)
  if (total === 0 || x === undefined) return { ...common, kind: 'nothing' }
  const fullest = bins.reduce((a, b) => (b.count > a.count ? b : a))
  const isShared = bins.filter(({ count }) => count === fullest.count).length > 1
  return {
    ...{ ...common, kind: 'bin', measure: measureBy(x, input), ...fullest, total },
    rest: bins.length < 2 ? 'only' : isShared ? 'shared' : 'alone',
  }
}

function buildShareClaim(input: ChartInput, parts: Roles): Claim {
  const { color, y } = parts
  const [slice, ...others] = buildSlices(input)
  const common = buildClaimBase(input, y)
  if (!slice || color === undefined || y === undefined) return { ...common, kind: 'nothing' }
  const measure = measureBy(y, input)
  if (!isAdditive(measure)) return buildCategoryClaim(input, { ...parts, x: color })
  const namedColumns = new Set(
    input.rows.filter((row) => (toNumber(row[y]) ?? 0) > 0).map((row) => String(row[color])),
  )
  return {
    ...{ ...common, kind: 'share', measure, slice, parts: namedColumns.size },
    part: { alias: color, value: slice.name === noValue ? null : slice.name },
    // The last slice is the rest.
    equal: others.filter((other) => other.value === slice.value && !other.isRest),
  }
}

function buildSingleValueClaim(input: ChartInput): Claim {
  const { alias, field, value } = soleValue(input)
  const common = buildClaimBase(input, alias ?? null)
  if (alias === undefined || formatMeasure(value, field, input) === noValue)
    return { ...common, kind: 'nothing' }
  const { schema, groupings } = input.output
  const group = groupings.find((grouping) => grouping.alias in schema && grouping.alias !== alias)?.alias
  return {
    ...{ ...common, kind: 'level', measure: measureBy(alias, input), isPartial: false, isExact: true },
    operands: [
      {
        value: value as number,
        at: group === undefined ? [] : [{ alias: group, value: input.rows[0]?.[group] }],
      },
    ],
  }
}

function onMap(input: ChartInput): Claim {
  const { visualization, output, rows } = input
  const { region, color } = visualization.settings ?? {}
  const common = buildClaimBase(input)
  if (!region) {
    const geometry = pointAlias(input)
    const count = rows.filter((row) => findPosition(row, visualization, geometry) !== null).length
    return count === 0 ? { ...common, kind: 'nothing' } : { ...common, kind: 'count', what: 'points', count }
  }
  const alias = color ?? getMeasures(output)[0]
  const operands = rows.flatMap((row): Operand[] => {
    const value = alias === undefined ? null : toNumber(row[alias])
    return value === null ? [] : [{ value, at: [{ alias: region, value: row[region] }] }]
  })
  if (alias !== undefined && operands.length > 0)
    return buildRangeClaim(measureBy(alias, input), operands, input)
  return { ...common, kind: 'count', what: 'areas', count: rows.length }
}

/** The claim of an answer without a picture that determines it: over time, by groups, or a single value. */
function findTextClaim(input: ChartInput): Claim | null {
  const { output } = input
  const [first] = getDimensions(output)
  if (getMeasures(output).length === 0 || output.aggregations.length === 0) return buildRowCountClaim(input)
  if (output.groupings.length === 0 || first === undefined) return buildSingleValueClaim(input)
  const type = output.schema[first]?.type === 'date' ? 'line' : 'bar'
  return claimIn({ ...input, ...fitVisualization({ type }, output) })
}

const buildRowCountClaim = (input: ChartInput): Claim => ({
  ...buildClaimBase(input),
  ...{ kind: 'count', what: 'rows', count: input.rows.length },
})

function buildPairCountClaim(input: ChartInput, { x, y }: Roles): Claim {
  const common = buildClaimBase(input)
  if (x === undefined || y === undefined) return { ...common, kind: 'nothing' }
  const count = input.rows.filter((row) => toNumber(row[x]) !== null && toNumber(row[y]) !== null).length
  return count === 0 ? { ...common, kind: 'nothing' } : { ...common, kind: 'pairs', count, x, y }
}

function claimIn(input: ChartInput): Claim | null {
  const { visualization, output } = input
  const parts = assignRoles(visualization, output)
  switch (visualization.type) {
    case 'number':
      return buildSingleValueClaim(input)
    case 'line':
    case 'area':
    case 'bar':
      return findTimeColumn(output, parts.x) ? claimOverTime(input, parts) : buildCategoryClaim(input, parts)
    case 'pie':
      return buildShareClaim(input, parts)
    case 'heatmap':
      return findGridClaim(input, parts)
    case 'histogram':
      return buildBinClaim(input, parts)
    case 'scatter':
      return buildPairCountClaim(input, parts)
    case 'map':
      return onMap(input)
    case 'text':
      return findTextClaim(input)
    case 'table':
      return buildRowCountClaim(input)
  }
}

/**
 * The most informative claim of an answer: the change over time, the extremes, the largest share, the fullest bin or the
 * total. Null without comparable values; for a truncated answer at least that it is partial.
 */
export function findClaim(input: Omit<ChartInput, 'width' | 'height'>): Claim | null {
  const { visualization } = fitVisualization(input.visualization, input.output)
  const nothing: Claim = { ...buildClaimBase(input), kind: 'nothing' }
  const claim = input.rows.length > 0 ? claimIn(toReadableAnswer({ ...input, visualization })) : nothing
  // A truncated answer states at least that: where none of its rows has a value, others may have one.
  return isCut(input) && (claim?.kind ?? 'nothing') === 'nothing'
    ? { ...buildClaimBase(input), kind: 'cut' }
    : claim
}
