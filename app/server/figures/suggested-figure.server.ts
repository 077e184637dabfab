import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { chooseVisualization } from '#functions/engine/chart/fit.ts'
import type { Draft } from '#app/components/builder/draft.ts'
import type { FigureProps } from '#app/components/hub/figure.tsx'
import { hubTexts } from '#app/components/hub/texts.ts'
import type { Output } from '#functions/shapes/analytics.ts'
import { v1 } from '#functions/v1/index.ts'
import { load } from '../load.server.ts'
import { showInsight, type ReaderSettings } from './figure.server.ts'

/** Fewer rows than this are not worth a figure. */
const fewest = 2

/**
 * Runs a suggested query on a public source and renders it under a generated title. Null if the result has fewer than two rows, or is
 * no figure.
 */
export async function suggestedFigure(
  args: LoaderFunctionArgs,
  { placeId, id: sourceId }: { placeId: string; id: string },
  { dataTypeId, query, visualization }: Draft,
  { title, reading }: { title: string; reading: ReaderSettings },
): Promise<FigureProps | null> {
  const { answer } = await load(args, {
    answer: { endpoint: v1.source.analytics, params: { sourceId }, options: query },
  })
  if (answer.results.length < fewest) return null
  const output = translateRecordsColumn(answer.output as Output, reading.locale)
  const view = await showInsight(
    args.context.ctx,
    {
      ...{ id: sourceId, placeId, name: title, notes: '', output, rows: answer.results },
      visualization: visualization ?? chooseVisualization(output),
      question: { placeId, dataTypeId, sourceId, visibility: 'public', query },
    },
    reading,
  )
  return view.kind === 'figure' ? view.figure : null
}

/** The result with the record count column named in the page's language, as that name is the product's own. */
function translateRecordsColumn(output: Output, locale: string): Output {
  const { records } = output.schema
  if (!records) return output
  return {
    ...output,
    schema: { ...output.schema, records: { ...records, name: hubTexts(locale).recordsTitle } },
  }
}
