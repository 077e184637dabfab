import { reads, restores } from '../crud.ts'
import { endpoint } from '#functions/api/endpoint.ts'
import * as insights from '#functions/domain/insights.ts'
import { AnswerPage } from '#functions/shapes/answer.ts'
import {
  InsightAnalyticsOptions,
  InsightOptions,
  InsightRow,
  InsightTest,
} from '#functions/shapes/insight.ts'

/** The saved questions of a place and their answers. */
export const insight = {
  test: endpoint({
    allow: 'insight.test',
    heavy: true,
    http: { method: 'post' },
    data: InsightTest,
    summary: 'Ask a question without saving it',
    returns: AnswerPage,
    run: insights.test,
  }),
  analytics: endpoint({
    allow: 'insight.read',
    heavy: true,
    http: { method: 'get', one: true },
    options: InsightAnalyticsOptions,
    summary: 'The answer of a saved insight',
    returns: AnswerPage,
    run: insights.analytics,
  }),
  ...restores('insight.delete', insights, InsightRow),
  ...reads('insight.read', InsightOptions, insights, InsightRow),
}
