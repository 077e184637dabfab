import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { FigureProps } from '#app/components/hub/figure.tsx'
import { isHidden } from '#functions/edge/hub/hub-pages.ts'
import { v1 } from '#functions/v1/index.ts'
import { load } from '../load.server.ts'
import { hubPathBuilder } from '../page-language.server.ts'
import type { AnsweredInsight } from './load-answer.server.ts'

/**
 * The link to the error report form for the figure of an insight on a hub: the form of its source, with the figure as a parameter.
 * Empty where there is no such form: in the workspace, for a query over all sources of a data type, and for sources that are not
 * public.
 */
export async function findReportLink(
  args: LoaderFunctionArgs,
  { id, question: { placeId, sourceId } }: Pick<AnsweredInsight, 'id' | 'question'>,
): Promise<Pick<FigureProps, 'reportHref'>> {
  const { ctx } = args.context
  // A figure without an insight has the id of its source, whose page has a report button already.
  if (ctx.site.mode !== 'hub' || sourceId === null || sourceId === id || placeId !== ctx.placeId) return {}
  try {
    const { source } = await load(args, {
      source: { endpoint: v1.place.source.findById, params: { sourceId } },
    })
    if (source.visibility !== 'public' || isHidden(placeId, source.dataTypeId)) return {}
    const form = hubPathBuilder(ctx)(`/domains/${source.dataTypeId}/source/${sourceId}/report`)
    return { reportHref: `${form}?figure=${encodeURIComponent(id)}` }
  } catch (error) {
    if (error instanceof Response && [401, 403, 404].includes(error.status)) return {}
    throw error
  }
}
