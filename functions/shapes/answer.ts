import * as v from 'valibot'
import { aggregateFunctions } from './analytics.ts'
import { FieldProfile, ProfileState, ReadAsEmpty } from './field-profile.ts'
import { FieldRow, fieldTypeNames, knowledgeEntries, MeasurementRow } from './field-row.ts'
import { precisions } from './field.ts'
import { GeoJson, buildListShape, Time } from './returns.ts'

const type = v.picklist([...fieldTypeNames, 'geometry'])

/** A column of a result. `type` is absent if it could not be inferred. */
export const OutputFieldRow = v.strictObject({
  name: v.string(),
  type: v.optional(type),
  notes: v.optional(v.string()),
  items: v.optional(FieldRow),
  measurement: v.optional(MeasurementRow),
  precision: v.optional(v.picklist(precisions)),
  validation: v.optional(v.record(v.string(), v.unknown())),
  ...knowledgeEntries,
})

const columns = v.record(v.string(), OutputFieldRow)

/**
 * The days covered by the data of a date column, inclusive, in the time zone of the result: a span that is not covered is partial.
 * With `precision` `month` or `year` the dates are first days that stand for the whole. `moments` gives the instants for instants;
 * with regular instants, `step` is their distance in milliseconds, and a span is covered if neither the instant before the first nor
 * the one after the last is in it.
 */
export const CoverageRow = v.strictObject({
  alias: v.string(),
  from: v.string(),
  to: v.string(),
  precision: v.picklist(['day', 'month', 'year']),
  moments: v.optional(v.strictObject({ from: v.string(), to: v.string(), step: v.optional(v.number()) })),
})

/** The structure of a result: its columns by alias, the grouped ones, and the order of rows. */
export const OutputRow = v.strictObject({
  schema: columns,
  aggregations: v.array(
    v.strictObject({
      alias: v.string(),
      name: v.string(),
      function: v.optional(v.picklist(aggregateFunctions)),
    }),
  ),
  groupings: v.array(v.strictObject({ alias: v.string() })),
  orderings: v.array(v.strictObject({ alias: v.string(), direction: v.picklist(['asc', 'desc']) })),
  timeZone: v.optional(v.string()),
  total: v.optional(v.number()),
  estimated: v.optional(v.literal(true)),
  skipped: v.optional(v.number()),
  coverage: v.optional(CoverageRow),
})

/**
 * The result of a query: rows by alias. `meta.total` is the number of rows without a limit; `output.total` is present only if the
 * limit cut some. `meta.schema` describes the columns, `meta.timeZone` is the zone in which dates were truncated.
 */
export const AnswerPage = v.strictObject({
  results: v.array(v.record(v.string(), v.unknown())),
  meta: v.strictObject({
    results: v.number(),
    total: v.number(),
    estimated: v.optional(v.literal(true)),
    next: v.optional(v.string()),
    limit: v.optional(v.number()),
    schema: columns,
    timeZone: v.optional(v.string()),
  }),
  output: OutputRow,
})

const datum = {
  id: v.string(),
  sourceId: v.string(),
  externalId: v.string(),
  createdAt: Time,
  updatedAt: Time,
  data: v.record(v.string(), v.unknown()),
  geometry: v.nullable(GeoJson),
}

/** A record. `id` is its number as text, `externalId` its id in the source's data; fields without a value are omitted. */
export const DatumRow = v.strictObject(datum)

/** A record of a list, without what `exclusions` names. `_alias` only with joins: the record's join, null for none. */
export const ListedDatum = v.strictObject({
  ...v.partial(v.object(datum)).entries,
  _alias: v.optional(v.nullable(v.string())),
})

/**
 * A page of records. `total` is absent if `count` is `none`; with `estimated` it is not exact. `limit`: present if more were requested
 * than a page can have.
 */
export const DatumList = v.strictObject({
  results: v.array(ListedDatum),
  meta: v.strictObject({
    results: v.number(),
    total: v.optional(v.number()),
    estimated: v.optional(v.literal(true)),
    next: v.optional(v.string()),
    limit: v.optional(v.number()),
  }),
})

/** The outcome of a batch of records; `errors` has the rejected ones with reasons, by index. */
export const BatchRow = v.strictObject({
  created: v.number(),
  updated: v.number(),
  unchanged: v.number(),
  errors: v.array(
    v.strictObject({
      index: v.number(),
      fields: v.array(
        v.strictObject({
          path: v.array(v.union([v.string(), v.number()])),
          value: v.optional(v.unknown()),
          message: v.string(),
          validator: v.optional(v.string()),
        }),
      ),
    }),
  ),
})

/** The number of deleted records, and the requested ids that did not exist. */
export const Removed = v.strictObject({ count: v.number(), missing: v.array(v.string()) })

/** A record, or the outcome of a batch. */
export const CreatedDatum = v.union([DatumRow, BatchRow])

const ValueCount = v.strictObject({
  value: v.nullable(v.union([v.string(), v.number(), v.boolean()])),
  count: v.number(),
})

/** The values of a field with their counts; for several fields such a list per field. */
export const ValuesRow = v.union([buildListShape(ValueCount), v.record(v.string(), v.array(ValueCount))])

/** A field that queries may use. `primary`: records are ordered by it. */
export const FieldEntryRow = v.strictObject({
  field: v.string(),
  name: v.string(),
  type,
  items: v.optional(FieldRow),
  measurement: v.optional(MeasurementRow),
  precision: v.optional(v.picklist(precisions)),
  notes: v.optional(v.string()),
  validation: v.optional(v.record(v.string(), v.unknown())),
  ...knowledgeEntries,
  primary: v.optional(v.literal(true)),
  /** On request: statistics of the values in all records; null while not ready. Only for fields of the schema. */
  profile: v.optional(v.nullable(FieldProfile)),
  /** What the last import that changed the records read as missing values; null if unknown. */
  readAsEmpty: v.optional(v.nullable(ReadAsEmpty)),
})

/** The fields of records; `meta.profile`, on request, says whether the statistics are current. */
export const FieldEntryList = v.strictObject({
  results: v.array(FieldEntryRow),
  meta: v.strictObject({ results: v.number(), total: v.number(), profile: v.optional(ProfileState) }),
})

/** Records on a map as GeoJSON. `zoom`: the effective one; `isCut`: there were more than 5,000 to show individually. */
export const ClusterRow = v.strictObject({
  type: v.literal('FeatureCollection'),
  features: v.array(
    v.strictObject({
      type: v.literal('Feature'),
      id: v.optional(v.string()),
      geometry: v.nullable(GeoJson),
      properties: v.record(v.string(), v.unknown()),
    }),
  ),
  meta: v.strictObject({ zoom: v.number(), total: v.number(), isCut: v.boolean() }),
})
