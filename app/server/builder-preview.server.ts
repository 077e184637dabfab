import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { chartTable } from '#functions/engine/chart/table.ts'
import type { Draft } from '#app/components/builder/draft.ts'
import type { Preview } from '#app/components/builder/preview.tsx'
import { call } from '#functions/api/call.ts'
import { toReadableFailure } from './failure-words.server.ts'
import { v1 } from '#functions/v1/index.ts'
import { showInsight } from './figures/figure.server.ts'
import { toErrorResponse } from './load.server.ts'
import { loadReaderSettings } from './page-language.server.ts'

/** Maximum number of rows in the preview's table. */
const tableRows = 100

/** Placeholder title of an insight without a name, where a figure needs one. */
const title = 'Answer'

/** Runs an unsaved query and renders its result. Issues have paths that start within the query. */
export async function loadPreview(
  args: LoaderFunctionArgs | ActionFunctionArgs,
  draft: Draft,
): Promise<Preview> {
  const { ctx } = args.context
  const placeId = ctx.placeId ?? ''
  const { dataTypeId, sourceId, query, visualization } = draft
  try {
    const data = { dataTypeId, sourceId, query, ...(visualization ? { visualization } : {}) }
    const [reading, trial] = await Promise.all([
      loadReaderSettings(args),
      call(v1.place.insight.test, ctx, { params: { placeId }, data }),
    ])
    const trialVisualization = trial.visualization
    const timeZone = typeof query.timezone === 'string' && query.timezone ? query.timezone : reading.timeZone
    const { output, results: rows } = trial
    const view = await showInsight(
      ctx,
      {
        ...{ id: 'preview', placeId, name: title, notes: '', output, rows, timeZone },
        visualization: trialVisualization,
        question: { placeId, dataTypeId, sourceId, visibility: 'private', query },
      },
      reading,
    )
    const { locale, dateLocale } = reading
    const live = { visualization: trialVisualization, output, rows, title, locale, timeZone, dateLocale }
    const table = chartTable(live)
    return {
      ok: true,
      view: toPlainView(view),
      live,
      why: trial.why,
      table: {
        columns: table.columns.map(({ name, unit, numeric }) => ({
          label: unit ? `${name} (${unit})` : name,
          isNumber: numeric,
        })),
        rows: table.rows.slice(0, tableRows),
      },
      rows: trial.meta.results,
      summary: trial.meta.summary,
    }
  } catch (error) {
    const failure = toReadableFailure(error)
    if (failure.kind !== 'invalid' && failure.kind !== 'unavailable') throw toErrorResponse(error, args)
    const issues = failure.issues.map((issue) => ({
      ...issue,
      path: issue.path[0] === 'query' ? issue.path.slice(1) : issue.path,
    }))
    const message =
      failure.kind === 'invalid' ? 'This question cannot be answered as it is.' : failure.message
    return { ok: false, message, issues }
  }
}

/** The figure without table, note and download: the screen shows the table below, and an unsaved insight has no name. */
function toPlainView(view: Awaited<ReturnType<typeof showInsight>>): typeof view {
  if (view.kind === 'number') return { ...view, number: { ...view.number, label: '' } }
  const { table: _table, note: _note, csvHref: _csv, ...figure } = view.figure
  return { kind: 'figure', figure: { ...figure, variant: 'plain' } }
}
