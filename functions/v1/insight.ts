import { reads, writes } from './crud.ts'
import { endpoint } from '#functions/api/endpoint.ts'
import * as insights from '#functions/domain/insights.ts'
import { languageFunctions } from '#functions/domain/language.ts'
import { InsightChanges, InsightOptions, NewInsight } from '#functions/shapes/insight.ts'

/** Saved questions of all places, and the functions a question can be made of. */
export const insight = {
  functions: endpoint({
    allow: 'insight.read',
    http: { method: 'get' },
    cache: 'public, max-age=3600',
    run: languageFunctions,
  }),
  ...reads('insight.read', InsightOptions, insights),
  ...writes(
    { create: 'insight.create', update: 'insight.update', delete: 'insight.delete' },
    { create: NewInsight, update: InsightChanges },
    insights,
  ),
}
