import type { Context } from '#functions/context.ts'
import {
  byStep,
  cadenceQuery,
  coverageOf,
  dateColumn,
  mayBeFirsts,
  mayHaveStep,
  stepQuery,
  type DateColumn,
  type ParsedQuery,
} from '#functions/engine/query/index.ts'
import type { Coverage } from '#functions/shapes/analytics.ts'
import { run, type Dataset } from './open.ts'

/** Of a source without records there is nothing to know. */
const nothing = { min: null, max: null }

/**
 * Which days the data behind an answer reach over, and of instants which moments, by what is kept of the records of the sources that were
 * asked, which are those that the asker may see. The records themselves are looked at only where the last date is the first day of a
 * month: then each date may stand for all of its month; and where instants are cut into weeks or less: then it matters how far apart they
 * are. Null for a question without a column of dates, or where it is not known.
 */
export async function coverageIn(
  ctx: Context,
  dataset: Dataset,
  parsed: ParsedQuery,
): Promise<Coverage | null> {
  const column = dateColumn(parsed)
  if (!column?.field.path.startsWith('data.')) return null
  const key = column.field.path.slice('data.'.length)
  const ranges = dataset.sources.map(({ stat }) => (stat.count === 0 ? nothing : stat.fields[key]))
  const coverage = coverageOf(column, ranges, ctx.now())
  if (coverage === null) return null
  const { precision, ...covered } = {
    ...coverage,
    ...(await momentsIn(ctx, dataset, column, coverage, ranges)),
  }
  if (!mayBeFirsts(coverage)) return { ...covered, precision }
  const [cadence] = await run(ctx, dataset, cadenceQuery(column, dataset.scope))
  return { ...covered, precision: cadence?.years ? 'year' : cadence?.months ? 'month' : 'day' }
}

/** The moments of a coverage with their step, where it matters and there is one. */
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
  return { moments: byStep(moments, { reading, step: row.step, timeZone: column.timeZone }) }
}
