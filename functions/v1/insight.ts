import { reads, writes } from './crud.ts'
import { insightFiles } from './insight-files.ts'
import { endpoint } from '#functions/api/endpoint.ts'
import * as insights from '#functions/domain/insight/insights.ts'
import { insightTemplates } from '#functions/domain/insight/insight-templates.ts'
import { languageFunctions } from '#functions/domain/dataset/language.ts'
import {
  Functions,
  InsightChanges,
  InsightOptions,
  InsightRow,
  InsightTemplates,
  NewInsight,
} from '#functions/shapes/insight.ts'

/** Saved queries of all places, and the functions of the query language. */
export const insight = {
  functions: endpoint({
    allow: 'insight.read',
    http: { method: 'get' },
    cache: 'public, max-age=3600',
    returns: Functions,
    summary: 'The functions that questions can be made of',
    run: languageFunctions,
  }),
  templates: endpoint({
    allow: 'insight.read',
    http: { method: 'get' },
    cache: 'public, max-age=3600',
    returns: InsightTemplates,
    summary: 'Ready-made questions, by category of data type',
    run: insightTemplates,
  }),
  ...insightFiles,
  ...reads('insight.read', InsightOptions, insights, InsightRow),
  ...writes(
    { create: 'insight.create', update: 'insight.update', delete: 'insight.delete' },
    { create: NewInsight, update: InsightChanges },
    insights,
    InsightRow,
  ),
}
