import type { Context } from '#functions/context.ts'
import {
  cadenceQuery,
  coverageOf,
  dateColumn,
  mayBeFirsts,
  type ParsedQuery,
} from '#functions/engine/query/index.ts'
import type { Coverage } from '#functions/shapes/analytics.ts'
import { run, type Dataset } from './open.ts'

/** Of a source without records there is nothing to know. */
const nothing = { min: null, max: null }

/**
 * Which days the data behind an answer reach over, by what is kept of the records of the sources that were asked, which are those that
 * the asker may see. The records themselves are looked at only where the last date is the first day of a month: then
 * each date may stand for all of its month. Null for a question without a column of dates, or where it is not known.
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
  if (coverage === null || !mayBeFirsts(coverage)) return coverage
  const [cadence] = await run(ctx, dataset, cadenceQuery(column, dataset.scope))
  const precision = cadence?.years ? 'year' : cadence?.months ? 'month' : 'day'
  return { ...coverage, precision }
}
