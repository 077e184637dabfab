import * as v from 'valibot'
import { visualizationTypes } from './analytics.ts'
import { AnswerPage, OutputRow } from './answer.ts'
import { mapSettings } from './mapSettings.ts'
import { RelatedDataType } from './related.ts'
import { FieldRow } from './fieldRow.ts'
import { Id, Name, Notes, Slug, Version, Visibility, restorableOptions, wholeNumber } from './options.ts'
import { request } from './question.ts'
import { Time, TimeOrNull } from './returns.ts'
import { Tags } from './tags.ts'

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
      ...mapSettings,
    }),
  ),
})

/** The structure of a question; what its values mean is the query language's affair. */
export const Query = v.record(v.string(), v.unknown())

const settings = {
  name: Name,
  notes: v.optional(Notes),
  visibility: v.optional(Visibility),
  tags: v.optional(Tags),
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

/** A question that is tried and not kept. Without a visualization its answer is drawn as tells most. */
export const InsightTest = v.strictObject({
  dataTypeId: Slug,
  sourceId: v.optional(v.nullable(Id)),
  query: Query,
  visualization: v.optional(VisualizationShape),
})
export type InsightTest = v.InferOutput<typeof InsightTest>

export const InsightOptions = restorableOptions({
  id: 'text',
  placeId: 'text',
  dataTypeId: 'text',
  sourceId: 'text',
  name: 'text',
  visibility: 'text',
  tags: 'texts',
  createdAt: 'date',
  updatedAt: 'date',
})

/** What a reader may say about a saved question: further filters, fewer rows, another time zone. */
export const InsightAnalyticsOptions = v.strictObject({
  filters: request.filters,
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
  tags: v.array(v.string()),
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

/** The answer of an insight. `meta.summary` says it in one sentence. */
export const InsightAnswer = v.strictObject({
  ...AnswerPage.entries,
  meta: v.strictObject({ ...AnswerPage.entries.meta.entries, summary: v.string() }),
})

/** A Vega-Lite 6 spec with its data; null where there is nothing to draw. */
const Spec = v.nullable(v.record(v.string(), v.unknown()))

/** A tried question: its answer, how it is drawn (`visualization`, `why` where that is not as asked) and the chart's spec. */
export const InsightTrial = v.strictObject({
  ...InsightAnswer.entries,
  visualization: VisualizationRow,
  why: v.nullable(v.string()),
  spec: Spec,
})

const within = (least: number, most: number, message: string) =>
  v.optional(v.pipe(wholeNumber(most, message), v.minValue(least, message)))

const picture = {
  width: within(240, 1600, 'Width must be a whole number from 240 to 1600.'),
  height: within(160, 1600, 'Height must be a whole number from 160 to 1600.'),
}

/** How an insight is drawn as SVG. Without a height it is as high as it needs to be; `auto` follows the reader's system. */
export const DrawingOptions = v.strictObject({
  ...picture,
  theme: v.optional(v.picklist(['light', 'dark', 'auto'], 'Theme must be light, dark or auto.')),
})
export type DrawingOptions = v.InferOutput<typeof DrawingOptions>

/** How an insight is drawn as PNG: `scale` pixels a unit, at most 2,400 pixels a side. */
export const PixelOptions = v.strictObject({
  ...picture,
  theme: v.optional(v.picklist(['light', 'dark'], 'Theme must be light or dark.')),
  scale: within(1, 3, 'Scale must be 1, 2 or 3.'),
})
export type PixelOptions = v.InferOutput<typeof PixelOptions>

/** What an insight's answer is made of: a source at a version of its data. */
export const AnswerSource = v.strictObject({
  id: v.string(),
  name: v.string(),
  licence: v.nullable(v.string()),
  attribution: v.nullable(v.string()),
  attributionUrl: v.nullable(v.string()),
  dataVersion: v.number(),
  dataUpdatedAt: TimeOrNull,
})

/**
 * Everything about an insight but its rows. `units`: how the numbers of a column are written. `updatedAt`: its data's. `csv`: how
 * its CSV is written: numbers with all their digits, moments by the clock of `timeZone`, and in the columns of `spans` the names
 * of spans of time, such as `2012-01` of a month.
 */
export const InsightMetadata = v.strictObject({
  id: v.string(),
  placeId: v.string(),
  title: v.string(),
  notes: v.string(),
  summary: v.string(),
  visibility: Visibility,
  visualization: VisualizationRow,
  drawnAs: VisualizationRow,
  why: v.nullable(v.string()),
  dataTypeId: v.string(),
  query: Query,
  timeZone: v.string(),
  output: OutputRow,
  units: v.record(v.string(), v.string()),
  csv: v.strictObject({
    numbers: v.literal('full precision'),
    timeZone: v.string(),
    spans: v.record(v.string(), v.string()),
  }),
  rows: v.number(),
  version: v.number(),
  updatedAt: TimeOrNull,
  sources: v.array(AnswerSource),
  links: v.strictObject({
    page: v.string(),
    api: v.string(),
    analytics: v.string(),
    svg: v.string(),
    png: v.string(),
    csv: v.string(),
    json: v.string(),
  }),
  spec: Spec,
})
export type InsightMetadata = v.InferOutput<typeof InsightMetadata>

/** The room a page has for an embedded figure, in pixels; only JSON is given. */
export const OembedOptions = v.strictObject({
  maxwidth: within(1, 100_000, 'Width must be a whole number.'),
  maxheight: within(1, 100_000, 'Height must be a whole number.'),
  format: v.optional(v.literal('json', 'Format must be json.')),
  url: v.optional(v.pipe(v.string(), v.maxLength(2000))),
})
export type OembedOptions = v.InferOutput<typeof OembedOptions>

/** An insight as oEmbed 1.0 describes what can be shown elsewhere. Sizes are in pixels, `cache_age` in seconds. */
export const Oembed = v.strictObject({
  version: v.literal('1.0'),
  type: v.literal('rich'),
  title: v.string(),
  provider_name: v.string(),
  provider_url: v.string(),
  cache_age: v.number(),
  width: v.number(),
  height: v.number(),
  html: v.string(),
  thumbnail_url: v.string(),
  thumbnail_width: v.number(),
  thumbnail_height: v.number(),
})
