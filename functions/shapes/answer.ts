import * as v from 'valibot'
import { aggregateFunctions } from './analytics.ts'
import { FieldProfile, ProfileState, ReadAsEmpty } from './fieldProfile.ts'
import { FieldRow, fieldTypeNames, knowledgeEntries, MeasurementRow } from './fieldRow.ts'
import { precisions } from './field.ts'
import { GeoJson, listOf, Time } from './returns.ts'

const type = v.picklist([...fieldTypeNames, 'geometry'])

/** What one column of an answer is. Without `type` nothing could be inferred. */
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
 * The days that the data behind a column of dates reach over, both included, in the time zone of the answer: a span that they do not
 * cover is partial. With a `precision` of `month` or `year` the dates are first days that stand for all of it. `moments` says the same to the
 * instant where the dates are instants; where they come by a clock, `step` is how many milliseconds lie between two at least, and a span is
 * covered if neither the moment before the first nor the one after the last lies in it.
 */
export const CoverageRow = v.strictObject({
  alias: v.string(),
  from: v.string(),
  to: v.string(),
  precision: v.picklist(['day', 'month', 'year']),
  moments: v.optional(v.strictObject({ from: v.string(), to: v.string(), step: v.optional(v.number()) })),
})

/** What an answer looks like: its columns by alias, which of them group, how its rows are ordered. */
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
 * The answer to a question: rows by alias. `meta.total` counts the rows there would be without a limit, and `output.total` is there only where that
 * left some out. `meta.schema` says what its columns are, `meta.timeZone` by whose clocks dates were cut into days, months and the like.
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

/** A record. `id` is its number as text, `externalId` what its source knows it by; fields without a value are left out. */
export const DatumRow = v.strictObject(datum)

/** A record of a list, without what `exclusions` named. `_alias` only with joins: the join it is of, null for none. */
export const ListedDatum = v.strictObject({
  ...v.partial(v.object(datum)).entries,
  _alias: v.optional(v.nullable(v.string())),
})

/** A page of records. `total` is left out where `count` is `none`; with `estimated` it is not exact. `limit`: more were asked for than a page has. */
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

/** What became of a list of records; `errors` says by index which were refused and why. */
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

/** How many records went, and which of those that were named there were not. */
export const Removed = v.strictObject({ count: v.number(), missing: v.array(v.string()) })

/** One record, or what became of several. */
export const CreatedDatum = v.union([DatumRow, BatchRow])

const ValueCount = v.strictObject({
  value: v.nullable(v.union([v.string(), v.number(), v.boolean()])),
  count: v.number(),
})

/** The values of a field with their counts; of several fields such a list for each, by field. */
export const ValuesRow = v.union([listOf(ValueCount), v.record(v.string(), v.array(ValueCount))])

/** A field that questions may use. `primary`: records are ordered by it. */
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
  /** Where it was asked for: of the values in all records; null while it is not ready. Of a field of the schema only. */
  profile: v.optional(v.nullable(FieldProfile)),
  /** What the last import that changed the records read as no value; null: nothing is known of any. */
  readAsEmpty: v.optional(v.nullable(ReadAsEmpty)),
})

/** The fields of records; `meta.profile`, where it was asked for, says whether what is said of their values is of now. */
export const FieldEntryList = v.strictObject({
  results: v.array(FieldEntryRow),
  meta: v.strictObject({ results: v.number(), total: v.number(), profile: v.optional(ProfileState) }),
})

/** Records on a map as GeoJSON. `zoom` is the one answered for; `isCut`: there were more than 5,000 to show singly. */
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
