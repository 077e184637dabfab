import * as v from 'valibot'
import { visualizationTypes } from './analytics.ts'
import { AnswerPage, OutputRow } from './answer.ts'
import { mapSettings } from './map-settings.ts'
import { RelatedDataType } from './related.ts'
import { FieldRow } from './field-row.ts'
import {
  Id,
  Name,
  Notes,
  Slug,
  Version,
  Visibility,
  restorableOptions,
  buildWholeNumberShape,
} from './options.ts'
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

/** The structure of a query; its values are validated by the query language. */
export const Query = v.record(v.string(), v.unknown())

const settings = {
  name: Name,
  notes: v.optional(Notes),
  visibility: v.optional(Visibility),
  tags: v.optional(Tags),
  visualization: VisualizationShape,
  query: Query,
}

/** A new insight: a query on a data type (or one source of it) and its visualization. */
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

/** A query to run without saving. Without a visualization one is chosen automatically. */
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

/** A reader's options for a saved query: further filters, a lower limit, another time zone. */
export const InsightAnalyticsOptions = v.strictObject({
  filters: request.filters,
  limit: v.optional(v.union([v.number(), v.string()])),
  offset: v.optional(v.union([v.number(), v.string()])),
  timezone: v.optional(v.string()),
})
export type InsightAnalyticsOptions = v.InferOutput<typeof InsightAnalyticsOptions>

/** The saved visualization of an insight. */
export const VisualizationRow = v.strictObject({
  type: v.picklist(visualizationTypes),
  settings: v.optional(VisualizationShape.entries.settings.wrapped),
})

/** A saved query. `output`: the structure of its cached result, null before the first run. `dataType` only with `includes`. */
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

/** The functions of the query language by key, described for people. */
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

/** Templates. `fields`: those used by the query, to be replaced by fields of a data type. */
export const InsightTemplates = v.array(
  v.strictObject({
    id: v.string(),
    /** The category of suitable data types. */
    category: v.string(),
    name: v.string(),
    notes: v.string(),
    fields: v.record(v.string(), FieldRow),
    visualization: VisualizationRow,
    query: Query,
  }),
)
export type InsightTemplates = v.InferOutput<typeof InsightTemplates>

/** The result of an insight. `meta.summary` describes it in one sentence. */
export const InsightAnswer = v.strictObject({
  ...AnswerPage.entries,
  meta: v.strictObject({ ...AnswerPage.entries.meta.entries, summary: v.string() }),
})

/** A Vega-Lite 6 specification with its data; null if there is nothing to draw. */
const Spec = v.nullable(v.record(v.string(), v.unknown()))

/** A trial: the result, the effective visualization (`why` if it differs from the requested one) and the chart's specification. */
export const InsightTrial = v.strictObject({
  ...InsightAnswer.entries,
  visualization: VisualizationRow,
  why: v.nullable(v.string()),
  spec: Spec,
})

const buildRangeShape = (least: number, most: number, message: string) =>
  v.optional(v.pipe(buildWholeNumberShape(most, message), v.minValue(least, message)))

const picture = {
  width: buildRangeShape(240, 1600, 'Width must be a whole number from 240 to 1600.'),
  height: buildRangeShape(160, 1600, 'Height must be a whole number from 160 to 1600.'),
}

/** Options of the SVG. Without a height it is chosen by content; `auto` follows the reader's system theme. */
export const DrawingOptions = v.strictObject({
  ...picture,
  theme: v.optional(v.picklist(['light', 'dark', 'auto'], 'Theme must be light, dark or auto.')),
})
export type DrawingOptions = v.InferOutput<typeof DrawingOptions>

/** Options of the PNG: `scale` pixels per unit, at most 2,400 pixels per side. */
export const PixelOptions = v.strictObject({
  ...picture,
  theme: v.optional(v.picklist(['light', 'dark'], 'Theme must be light or dark.')),
  scale: buildRangeShape(1, 3, 'Scale must be 1, 2 or 3.'),
})
export type PixelOptions = v.InferOutput<typeof PixelOptions>

/** A source of an insight's result, with its data version. */
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
 * Everything about an insight except its rows. `units`: how numbers of a column are formatted. `updatedAt`: of its data. `csv`: the
 * format of its CSV: numbers with all digits, instants in `timeZone`, and in the columns of `spans` names of periods, such as
 * `2012-01` for a month.
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

/** The available space for an embed, in pixels; only JSON is supported. */
export const OembedOptions = v.strictObject({
  maxwidth: buildRangeShape(1, 100_000, 'Width must be a whole number.'),
  maxheight: buildRangeShape(1, 100_000, 'Height must be a whole number.'),
  format: v.optional(v.literal('json', 'Format must be json.')),
  url: v.optional(v.pipe(v.string(), v.maxLength(2000))),
})
export type OembedOptions = v.InferOutput<typeof OembedOptions>

/** An insight as oEmbed 1.0. Sizes in pixels, `cache_age` in seconds. */
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
