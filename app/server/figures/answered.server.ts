import { issueWords } from '#app/components/form/issues.ts'
import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { AnswerRow, Output, Visualization } from '#functions/shapes/analytics.ts'
import type { Issue } from '#functions/shapes/issue.ts'
import { v1 } from '#functions/v1/index.ts'
import { load } from '../load.server.ts'
import type { Question } from './map-tiles.server.ts'

/** An insight with its answer: all that a figure is drawn from. */
export interface AnsweredInsight {
  id: string
  placeId: string
  name: string
  notes: string
  visualization: Visualization
  output: Output
  rows: AnswerRow[]
  /** What it asks, and of what. */
  question: Question
  /** The zone its dates are told in where the question has one of its own; else the page's. */
  timeZone?: string
}

/** An insight of the active place with its stored answer. Throws the boundary's Response when it cannot be seen. */
async function loadAnswer(args: LoaderFunctionArgs, insightId: string): Promise<AnsweredInsight> {
  const params = { insightId }
  const { insight, answer } = await load(args, {
    insight: { endpoint: v1.place.insight.findById, params },
    answer: { endpoint: v1.place.insight.analytics, params },
  })
  const { timezone } = insight.query
  return {
    id: insight.id,
    placeId: insight.placeId,
    name: insight.name,
    notes: insight.notes,
    visualization: insight.visualization,
    output: answer.output,
    rows: answer.results,
    question: insight,
    ...(typeof timezone === 'string' && timezone !== '' ? { timeZone: timezone } : {}),
  }
}

/**
 * As `loadAnswer`, but null for an insight that this reader may not see, or whose question cannot be asked (any more: its field
 * is gone): a page shows what it can, and one question does not keep a hub from being made.
 */
export async function answeredIfSeen(
  args: LoaderFunctionArgs,
  insightId: string,
): Promise<AnsweredInsight | null> {
  try {
    return await loadAnswer(args, insightId)
  } catch (error) {
    if (error instanceof Response && [400, 401, 403, 404].includes(error.status)) return null
    throw error
  }
}

/** The first of some insights that has an answer; null where none has. */
export async function firstAnswered(
  args: LoaderFunctionArgs,
  insights: readonly { id: string }[],
): Promise<AnsweredInsight | null> {
  for (const { id } of insights) {
    const cachedInsight = await answeredIfSeen(args, id)
    if (cachedInsight) return cachedInsight
  }
  return null
}

/**
 * As `loadAnswer`, but a question that cannot be answered (its field is gone, it took too long) is the sentence that says
 * why: its page then shows what is known of it all the same.
 */
export async function answeredOrWhy(
  args: LoaderFunctionArgs,
  insightId: string,
): Promise<AnsweredInsight | string> {
  try {
    return await loadAnswer(args, insightId)
  } catch (error) {
    if (!(error instanceof Response) || (error.status !== 400 && error.status !== 503)) throw error
    const { message, issues } = await error.json<{ message: string; issues: Issue[] }>()
    return issues[0] ? issueWords(issues[0]) : message
  }
}
