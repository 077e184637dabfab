import * as v from 'valibot'
import { NewDataType } from './dataType.ts'
import { Version } from './options.ts'
import { TimeZone } from './place.ts'

const { schema, temporal, mappingLabelSchema } = NewDataType.entries

/**
 * A new schema of a data type whose records are to come along. `renames`: new keys by old ones; what is not said to be
 * renamed is the field of its own key. `temporal` and `mappingLabelSchema` absent: as before, under the new keys.
 * `otherwise`: what becomes of values that do not convert or have no field any more: with 'refuse' nothing is changed
 * while there are any, with 'null' they are given up; of dates that become less exact, only what is finer. From instants to calendar dates and
 * back it is the clocks of `timeZones` by source that say which day it is, else those of `timeZone`, else UTC.
 */
export const SchemaChange = v.strictObject({
  schema,
  renames: v.optional(v.record(v.pipe(v.string(), v.maxLength(128)), v.pipe(v.string(), v.maxLength(128)))),
  temporal,
  mappingLabelSchema,
  timeZone: v.optional(TimeZone),
  timeZones: v.optional(v.record(v.pipe(v.string(), v.maxLength(128)), TimeZone)),
  otherwise: v.optional(v.picklist(['refuse', 'null']), 'refuse'),
  version: v.optional(Version),
})
export type SchemaChange = v.InferOutput<typeof SchemaChange>

/** `dryRun`: say what would happen, and change nothing. */
export const SchemaChangeOptions = v.strictObject({
  dryRun: v.optional(
    v.pipe(
      v.union([v.boolean(), v.picklist(['true', 'false'])]),
      v.transform((value) => value === true || value === 'true'),
    ),
  ),
})
export type SchemaChangeOptions = v.InferOutput<typeof SchemaChangeOptions>

/** In how many records a date is midnight, the first of a month or of a year by the clocks of a zone: those that convert whole. */
const ZoneCount = v.strictObject({ timeZone: v.string(), converts: v.number() })

/** Things that name a field: how many in all places, and those that the asker may see. `rewritten` of them get its new name. */
const Dependents = v.strictObject({
  count: v.number(),
  rewritten: v.number(),
  visible: v.array(v.strictObject({ id: v.string(), name: v.string(), placeId: v.string() })),
})

/** What becomes, or would become, of one field. `was` null: it is new. `to` null: it goes. */
export const SchemaChangeField = v.strictObject({
  key: v.string(),
  was: v.nullable(v.string()),
  kinds: v.array(v.picklist(['added', 'renamed', 'retyped', 'dropped', 'validation'])),
  from: v.nullable(v.string()),
  to: v.nullable(v.string()),
  /** Records that have a value. */
  values: v.number(),
  /** Of them those whose value is kept whole, as it is or converted. */
  converts: v.number(),
  /** Of them those that lose it, or a part of it. */
  lost: v.number(),
  /** Records that the field's new rules would refuse, were they sent today; null: not counted. */
  invalid: v.nullable(v.number()),
  /** Some values that do not convert, of records that the asker may see. */
  examples: v.array(v.strictObject({ sourceId: v.string(), id: v.string(), value: v.unknown() })),
  /** Only of instants that become calendar dates: the zones that the sources' places are in, and UTC; the best first. */
  zones: v.optional(v.array(ZoneCount)),
  insights: Dependents,
  observers: Dependents,
  importers: Dependents,
  /** Whether records were ordered by it. */
  isPrimaryDate: v.boolean(),
  /** Whether maps had a label for it. */
  isLabelled: v.boolean(),
})
export type SchemaChangeField = v.InferOutput<typeof SchemaChangeField>

/**
 * What a change of schema does. `version` is the data type's now. `records` are those of all places, or where other places
 * do not follow, those of the owner's.
 */
export const SchemaChangeReport = v.strictObject({
  dryRun: v.boolean(),
  /** It is written down and made as soon as sources of other organizations have moved to data types of their own. */
  pending: v.boolean(),
  /** What other organizations have of the data type would not follow: it goes on with data types of their own. */
  movesOthers: v.boolean(),
  version: v.number(),
  records: v.number(),
  /** Values that are lost, over all fields. */
  lost: v.number(),
  /** Records that would have the id of another one, or one too long: with any of them the change is refused. */
  idConflicts: v.number(),
  /** Only fields that change. */
  fields: v.array(SchemaChangeField),
})
export type SchemaChangeReport = v.InferOutput<typeof SchemaChangeReport>
