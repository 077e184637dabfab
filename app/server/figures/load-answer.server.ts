import { issueWords } from '#app/components/form/issues.ts'
import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { AnswerRow, Output, Visualization } from '#functions/shapes/analytics.ts'
import type { Issue } from '#functions/shapes/issue.ts'
import { v1 } from '#functions/v1/index.ts'
import { load } from '../load.server.ts'
import type { CreditedSource } from './credit.server.ts'
import type { Question } from './map-tiles.server.ts'

/** An insight with its result: the input of a figure. */
export interface AnsweredInsight {
  id: string
  placeId: string
  name: string
  notes: string
  visualization: Visualization
  output: Output
  rows: AnswerRow[]
  /** The query and what it reads. */
  question: Question
  /** The sources of the data; only for maps. */
  sources?: CreditedSource[]
  /** The time zone of its dates, if the query sets one; else that of the page. */
  timeZone?: string
}

/** An insight of the active place with its stored result. Throws the Response for the error boundary if it is not visible. */
async function loadAnswer(args: LoaderFunctionArgs, insightId: string): Promise<AnsweredInsight> {
  const params = { insightId }
  const { insight, answer } = await load(args, {
    insight: { endpoint: v1.place.insight.findById, params },
    answer: { endpoint: v1.place.insight.analytics, params },
  })
  const { timezone } = insight.query
  const isMap = insight.visualization.type === 'map'
  return {
    id: insight.id,
    placeId: insight.placeId,
    name: insight.name,
    notes: insight.notes,
    visualization: insight.visualization,
    output: answer.output,
    rows: answer.results,
    question: insight,
    ...(isMap ? { sources: await listVisibleSources(args, insight) } : {}),
    ...(typeof timezone === 'string' && timezone !== '' ? { timeZone: timezone } : {}),
  }
}

/** The visible sources that an insight reads. */
async function listVisibleSources(
  args: LoaderFunctionArgs,
  question: Omit<Question, 'query'>,
): Promise<CreditedSource[]> {
  const { placeId, dataTypeId, sourceId, visibility } = question
  const which = sourceId === null ? { dataTypeId } : { id: sourceId }
  const options = { filters: which, limit: '200', maxVisibility: visibility }
  const { sources } = await load(args, {
    sources: { endpoint: v1.place.source.find, params: { placeId }, options },
  })
  return sources.results
}

/**
 * As `loadAnswer`, but null if the insight is not visible to the reader or its query fails (for instance as its field was removed), so
 * that one insight does not keep a hub page from rendering.
 */
export async function loadAnswerIfVisible(
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

/** The first of some insights whose query succeeds; null without one. */
export async function loadFirstAnswer(
  args: LoaderFunctionArgs,
  insights: readonly { id: string }[],
): Promise<AnsweredInsight | null> {
  for (const { id } of insights) {
    const cachedInsight = await loadAnswerIfVisible(args, id)
    if (cachedInsight) return cachedInsight
  }
  return null
}

/** As `loadAnswer`, but gives the error message if the query fails (a removed field, a timeout): the page then shows the rest. */
export async function loadAnswerOrError(
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
