import * as v from 'valibot'
import { inside, NewDataType, noDocument } from './data-type.ts'
import { Version } from './options.ts'
import { TimeZone } from './place.ts'

const { schema, temporal, mappingLabelSchema } = NewDataType.entries

/**
 * A new schema of a data type whose records are migrated. `renames`: new keys by old ones; fields that are not renamed keep their key.
 * `temporal` and `mappingLabelSchema` absent: unchanged, under the new keys. `otherwise`: what happens to values that cannot be
 * converted or have no field: 'refuse' rejects the change, 'null' drops them; of dates that become less precise, only the finer part, and
 * of texts that are calculated from now on, all.
 * Between instants and calendar dates the day depends on `timeZones` by source, else `timeZone`, else UTC.
 */
export const SchemaChange = v.strictObject(
  {
    schema,
    renames: v.optional(v.record(v.pipe(v.string(), v.maxLength(128)), v.pipe(v.string(), v.maxLength(128)))),
    temporal,
    mappingLabelSchema,
    timeZone: v.optional(TimeZone),
    timeZones: v.optional(v.record(v.pipe(v.string(), v.maxLength(128)), TimeZone)),
    otherwise: v.optional(v.picklist(['refuse', 'null']), 'refuse'),
    version: v.optional(Version),
  },
  inside(noDocument),
)
export type SchemaChange = v.InferOutput<typeof SchemaChange>

/** `dryRun`: report what would happen, and change nothing. */
export const SchemaChangeOptions = v.strictObject({
  dryRun: v.optional(
    v.pipe(
      v.union([v.boolean(), v.picklist(['true', 'false'])]),
      v.transform((value) => value === true || value === 'true'),
    ),
  ),
})
export type SchemaChangeOptions = v.InferOutput<typeof SchemaChangeOptions>

/** The number of records in which a date is midnight, or the first of a month or year, in a time zone: those convert without loss. */
const ZoneCount = v.strictObject({ timeZone: v.string(), converts: v.number() })

/** Things that use a field: their total over all places, and those visible to the actor. `rewritten` of them get its new name. */
const Dependents = v.strictObject({
  count: v.number(),
  rewritten: v.number(),
  visible: v.array(v.strictObject({ id: v.string(), name: v.string(), placeId: v.string() })),
})

/** What happens, or would happen, to one field. `was` null: it is new. `to` null: it is removed. */
export const SchemaChangeField = v.strictObject({
  key: v.string(),
  was: v.nullable(v.string()),
  kinds: v.array(v.picklist(['added', 'renamed', 'retyped', 'dropped', 'validation'])),
  from: v.nullable(v.string()),
  to: v.nullable(v.string()),
  /** Records with a value. */
  values: v.number(),
  /** Those whose value is kept completely, unchanged or converted. */
  converts: v.number(),
  /** Those that lose it, or a part of it. */
  lost: v.number(),
  /** Records that violate the field's new rules; null: not counted. */
  invalid: v.nullable(v.number()),
  /** Some values that cannot be converted, of records visible to the actor. */
  examples: v.array(v.strictObject({ sourceId: v.string(), id: v.string(), value: v.unknown() })),
  /** Only for instants that become calendar dates: the time zones of the sources' places, and UTC; the best first. */
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
 * The effects of a schema change. `version`: the data type's current one. `records`: those of all places, or only the owner's if other
 * places do not follow.
 */
export const SchemaChangeReport = v.strictObject({
  dryRun: v.boolean(),
  /** The change is stored, and applied as soon as sources of other organizations have moved to copies. */
  pending: v.boolean(),
  /** Other organizations would not follow: their sources move to copies. */
  movesOthers: v.boolean(),
  version: v.number(),
  records: v.number(),
  /** Lost values, over all fields. */
  lost: v.number(),
  /** Records whose new id would be taken or too long: with any of these the change is rejected. */
  idConflicts: v.number(),
  /** Only fields that change. */
  fields: v.array(SchemaChangeField),
})
export type SchemaChangeReport = v.InferOutput<typeof SchemaChangeReport>
