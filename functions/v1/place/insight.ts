import { reads, restores } from '../crud.ts'
import { revalidateAlways } from '../dataset.ts'
import { insightFiles } from '../insight-files.ts'
import { endpoint } from '#functions/api/endpoint.ts'
import * as insights from '#functions/domain/insight/insights.ts'
import {
  InsightAnalyticsOptions,
  InsightAnswer,
  InsightOptions,
  InsightRow,
  InsightTest,
  InsightTrial,
} from '#functions/shapes/insight.ts'

/** The saved queries of a place and their results. */
export const insight = {
  test: endpoint({
    allow: 'insight.test',
    heavy: true,
    http: { method: 'post' },
    data: InsightTest,
    summary: 'Ask a question without saving it, and see how its answer would be drawn',
    returns: InsightTrial,
    run: insights.test,
  }),
  analytics: endpoint({
    allow: 'insight.read',
    cache: revalidateAlways,
    heavy: true,
    http: { method: 'get', one: true },
    options: InsightAnalyticsOptions,
    summary: 'The answer of a saved insight',
    returns: InsightAnswer,
    run: insights.analytics,
  }),
  ...insightFiles,
  ...restores('insight.delete', insights, InsightRow),
  ...reads('insight.read', InsightOptions, insights, InsightRow),
}
