import { reads } from '../crud.ts'
import { endpoint } from '#functions/api/endpoint.ts'
import * as insights from '#functions/domain/insights.ts'
import { InsightAnalyticsOptions, InsightOptions, InsightTest } from '#functions/shapes/insight.ts'

/** The saved questions of a place and their answers. */
export const insight = {
  test: endpoint({
    allow: 'insight.test',
    http: { method: 'post' },
    data: InsightTest,
    summary: 'Ask a question without saving it',
    run: insights.test,
  }),
  analytics: endpoint({
    allow: 'insight.read',
    http: { method: 'get', one: true },
    options: InsightAnalyticsOptions,
    summary: 'The answer of a saved insight',
    run: insights.analytics,
  }),
  ...reads('insight.read', InsightOptions, insights),
}
