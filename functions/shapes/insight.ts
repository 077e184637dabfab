import * as v from 'valibot'
import { visualizationTypes } from './analytics.ts'
import { OutputRow } from './answer.ts'
import { RelatedDataType } from './related.ts'
import { FieldRow } from './fieldRow.ts'
import { Id, Name, Notes, Slug, Version, Visibility, restorableOptions } from './options.ts'
import { asked } from './question.ts'
import { Time } from './returns.ts'

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

export const InsightOptions = restorableOptions({
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
  filters: asked.filters,
  limit: v.optional(v.union([v.number(), v.string()])),
  offset: v.optional(v.union([v.number(), v.string()])),
  timezone: v.optional(v.string()),
})
export type InsightAnalyticsOptions = v.InferOutput<typeof InsightAnalyticsOptions>

/** How an insight is drawn, as it was saved. */
export const VisualizationRow = v.strictObject({
  type: v.picklist(visualizationTypes),
  settings: v.optional(VisualizationShape.entries.settings.wrapped),
})

/** A saved question. `output`: what its kept answer looks like, null until it was asked. `dataType` only where asked for. */
export const InsightRow = v.strictObject({
  id: v.string(),
  placeId: v.string(),
  name: v.string(),
  notes: v.string(),
  visibility: Visibility,
  dataTypeId: v.string(),
  sourceId: v.nullable(v.string()),
  visualization: VisualizationRow,
  query: Query,
  version: v.number(),
  createdAt: Time,
  updatedAt: Time,
  output: v.nullable(OutputRow),
  dataType: v.optional(v.nullable(RelatedDataType)),
})

/** The functions of the query language by key, as a person choosing one sees them. */
export const Functions = v.record(
  v.string(),
  v.strictObject({
    name: v.string(),
    notes: v.string(),
    category: v.string(),
    signature: v.array(
      v.strictObject({
        name: v.string(),
        types: v.array(v.string()),
        required: v.boolean(),
        options: v.optional(v.array(v.strictObject({ value: v.string(), label: v.string() }))),
      }),
    ),
    returns: v.strictObject({ static: v.optional(v.looseObject({ type: v.string() })) }),
    aggregate: v.boolean(),
  }),
)

/** Ready-made questions. `fields`: those that a question asks of, to be replaced by fields of a data type. */
export const InsightTemplates = v.array(
  v.strictObject({
    id: v.string(),
    /** Of the data types that it suits. */
    category: v.string(),
    name: v.string(),
    notes: v.string(),
    fields: v.record(v.string(), FieldRow),
    visualization: VisualizationRow,
    query: Query,
  }),
)
export type InsightTemplates = v.InferOutput<typeof InsightTemplates>
