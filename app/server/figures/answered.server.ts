import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { AnswerRow, Output, Visualization } from '#functions/shapes/analytics.ts'
import { v1 } from '#functions/v1/index.ts'
import { load } from '../load.server.ts'

/** An insight with its answer: all that a figure is drawn from. */
export interface Answered {
  id: string
  placeId: string
  name: string
  notes: string
  visualization: Visualization
  output: Output
  rows: AnswerRow[]
}

/** An insight of the active place with its stored answer. Throws the boundary's Response when it cannot be seen. */
export async function answered(args: LoaderFunctionArgs, insightId: string): Promise<Answered> {
  const params = { insightId }
  const { insight, answer } = await load(args, {
    insight: { endpoint: v1.place.insight.findById, params },
    answer: { endpoint: v1.place.insight.analytics, params },
  })
  return {
    id: insight.id,
    placeId: insight.placeId,
    name: insight.name,
    notes: insight.notes,
    visualization: insight.visualization as unknown as Visualization,
    output: answer.output,
    rows: answer.results,
  }
}

/** As `answered`, but null for an insight that this reader may not see: a story shows what it can. */
export async function answeredIfSeen(args: LoaderFunctionArgs, insightId: string): Promise<Answered | null> {
  try {
    return await answered(args, insightId)
  } catch (error) {
    if (error instanceof Response && (error.status === 404 || error.status === 403 || error.status === 401))
      return null
    throw error
  }
}
