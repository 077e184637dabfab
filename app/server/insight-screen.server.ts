import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { v1 } from '#functions/v1/index.ts'
import { loadAnswerOrError } from './figures/load-answer.server.ts'
import { showInsight, type InsightView } from './figures/figure.server.ts'
import { load } from './load.server.ts'
import { loadReaderSettings } from './page-language.server.ts'

/** An insight of the active place with its rendered result, or the error message of its query. */
export async function insightScreen(args: LoaderFunctionArgs) {
  const insightId = args.params.insightId ?? ''
  const options = { includes: [{ resource: 'dataType', attributes: ['id', 'name'] }] }
  const [reading, { insight }, answer] = await Promise.all([
    loadReaderSettings(args),
    load(args, { insight: { endpoint: v1.place.insight.findById, options } }),
    loadAnswerOrError(args, insightId),
  ])
  if (typeof answer === 'string') return { insight, why: answer, answer: null }
  const { rows, output, visualization, timeZone = reading.timeZone } = answer
  const { locale, dateLocale } = reading
  const view = await showInsight(args.context.ctx, answer, reading)
  return {
    insight,
    why: null,
    answer: {
      shown: withoutTable(view),
      table: view.kind === 'figure' ? view.figure.table : undefined,
      live: { rows, output, visualization, title: insight.name, locale, timeZone, dateLocale },
    },
  }
}

/** The screen shows the table in a section of its own, and the notes below the title. */
function withoutTable(view: InsightView): InsightView {
  if (view.kind === 'number') return view
  const { table: _table, note: _note, ...figure } = view.figure
  return { kind: 'figure', figure: { ...figure, variant: 'plain' } }
}
