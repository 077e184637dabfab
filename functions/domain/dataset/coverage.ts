import type { Context } from '#functions/context.ts'
import {
  alignToStep,
  cadenceQuery,
  computeCoverage,
  dateColumn,
  mayBeFirsts,
  mayHaveStep,
  stepQuery,
  type DateColumn,
  type ParsedQuery,
} from '#functions/engine/query/index.ts'
import type { Coverage } from '#functions/shapes/analytics.ts'
import { run, type Dataset } from './open.ts'

/** The range of a source without records. */
const nothing = { min: null, max: null }

/**
 * The period that the data behind an answer covers, in days, and in moments for instants; from the stats of
 * the sources queried, which are those that the actor may see. Records are read in two cases only: where the
 * last date is the first day of a month, because each date may then stand for its whole month; and where
 * instants are grouped by week or less, because the step between them matters then. Null for a query without
 * a date column, or where the period is unknown.
 */
export async function coverageIn(
  ctx: Context,
  dataset: Dataset,
  query: ParsedQuery,
): Promise<Coverage | null> {
  const column = dateColumn(query)
  if (!column?.field.path.startsWith('data.')) return null
  const key = column.field.path.slice('data.'.length)
  const ranges = dataset.sources.map(({ stat }) => (stat.count === 0 ? nothing : stat.fields[key]))
  const coverage = computeCoverage(column, ranges, ctx.now())
  if (coverage === null) return null
  const { precision, ...meta } = {
    ...coverage,
    ...(await momentsIn(ctx, dataset, column, coverage, ranges)),
  }
  if (!mayBeFirsts(coverage)) return { ...meta, precision }
  const [cadence] = await run(ctx, dataset, cadenceQuery(column, dataset.scope))
  return { ...meta, precision: cadence?.years ? 'year' : cadence?.months ? 'month' : 'day' }
}

/** First and last moment with the step between records, where it matters and is regular. */
async function momentsIn(
  ctx: Context,
  dataset: Dataset,
  column: DateColumn,
  coverage: Coverage,
  ranges: readonly ({ max: unknown } | undefined)[],
): Promise<Pick<Coverage, 'moments'> | null> {
  const { moments } = coverage
  const reading = ranges.map((range) => range?.max).find((max) => typeof max === 'string')
  if (moments === undefined || reading === undefined || !mayHaveStep(column, coverage)) return null
  const [row] = await run(ctx, dataset, stepQuery(column, dataset.scope, reading))
  if (typeof row?.step !== 'number') return null
  return { moments: alignToStep(moments, { reading, step: row.step, timeZone: column.timeZone }) }
}
