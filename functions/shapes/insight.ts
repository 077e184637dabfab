import * as v from 'valibot'
import { visualizationTypes } from './analytics.ts'
import { Id, Name, Notes, Slug, Version, Visibility, listOptions } from './options.ts'

const alias = v.optional(v.pipe(v.string(), v.maxLength(200)))

export const VisualizationShape = v.strictObject({
  type: v.picklist(visualizationTypes),
  settings: v.optional(
    v.strictObject({
      x: alias,
      y: alias,
      series: alias,
      color: alias,
      size: alias,
      label: alias,
      latitude: alias,
      longitude: alias,
      geometry: alias,
      region: alias,
      boundarySetId: alias,
      unit: alias,
      stacked: v.optional(v.boolean()),
    }),
  ),
})

/** The structure of a question; what its values mean is the query language's affair. */
export const Query = v.record(v.string(), v.unknown())

const settings = {
  name: Name,
  notes: v.optional(Notes),
  visibility: v.optional(Visibility),
  visualization: VisualizationShape,
  query: Query,
}

/** A new insight: a question to a data type (or one source of it) and how its answer is drawn. */
export const NewInsight = v.strictObject({
  ...settings,
  id: v.optional(Id),
  placeId: v.optional(Slug),
  dataTypeId: Slug,
  sourceId: v.optional(v.nullable(Id)),
})
export type NewInsight = v.InferOutput<typeof NewInsight>

export const InsightChanges = v.strictObject({
  ...v.partial(v.object(settings)).entries,
  version: v.optional(Version),
})
export type InsightChanges = v.InferOutput<typeof InsightChanges>

/** A question that is tried and not kept. */
export const InsightTest = v.strictObject({
  dataTypeId: Slug,
  sourceId: v.optional(v.nullable(Id)),
  query: Query,
})
export type InsightTest = v.InferOutput<typeof InsightTest>

export const InsightOptions = listOptions({
  id: 'text',
  placeId: 'text',
  dataTypeId: 'text',
  sourceId: 'text',
  name: 'text',
  visibility: 'text',
  createdAt: 'date',
  updatedAt: 'date',
})

/** What a reader may say about a saved question: further filters, fewer rows, another time zone. */
export const InsightAnalyticsOptions = v.strictObject({
  filters: v.optional(v.unknown()),
  limit: v.optional(v.union([v.number(), v.string()])),
  offset: v.optional(v.union([v.number(), v.string()])),
  timezone: v.optional(v.string()),
})
export type InsightAnalyticsOptions = v.InferOutput<typeof InsightAnalyticsOptions>
