import * as v from 'valibot'
import { SchemaChangeOptions } from './data-type-schema.ts'
import { ReadAsEmpty } from './field-profile.ts'
import { jobKinds, jobStages, jobStatuses } from './job-status.ts'
import { amount, listOptions } from './options.ts'
import { Time, TimeOrNull, buildListShape } from './returns.ts'

export { jobKinds, jobStatuses, openStatuses } from './job-status.ts'

export const logLevels = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof logLevels)[number]

/** Maximum number of lines per response. */
export const maxLogLines = 10_000

export const JobOptions = v.omit(
  listOptions({
    id: 'text',
    status: 'text',
    kind: 'text',
    trigger: 'text',
    queuedAt: 'date',
    startedAt: 'date',
    finishedAt: 'date',
  }),
  ['maxVisibility', 'visibility', 'includes'],
)
export type JobOptions = v.InferOutput<typeof JobOptions>

/** `level`: minimum severity. `search`: lines that contain this. */
export const LogOptions = v.strictObject({
  ...v.omit(listOptions({ level: 'text', at: 'date' }), [
    'maxVisibility',
    'visibility',
    'includes',
    'orderings',
  ]).entries,
  level: v.optional(v.picklist(logLevels)),
})
export type LogOptions = v.InferOutput<typeof LogOptions>

/** Numbers of rows by outcome: read is the sum of created, updated, unchanged and rejected. */
const Counts = v.strictObject({
  read: v.number(),
  created: v.number(),
  updated: v.number(),
  unchanged: v.number(),
  removed: v.number(),
  rejected: v.number(),
})
export type JobCounts = v.InferOutput<typeof Counts>

/** One run of an importer. */
export const Job = v.strictObject({
  id: v.string(),
  importerId: v.string(),
  sourceId: v.string(),
  placeId: v.string(),
  status: v.picklist(jobStatuses),
  trigger: v.picklist(['manual', 'schedule', 'api']),
  queuedAt: Time,
  startedAt: TimeOrNull,
  finishedAt: TimeOrNull,
  heartbeatAt: TimeOrNull,
  kind: v.picklist(jobKinds),
  /** For a dry run, predictions; for a rollback, its effects on records: read is the sum of created and updated. */
  counts: Counts,
  /**
   * The current or last stage: fetching sources, reading and validating rows, importing (or comparing) them; null: not started, or a
   * rollback.
   */
  stage: v.nullable(v.picklist(jobStages)),
  /** Empty rows, without a value in any column. They do not count as read. */
  leftOut: v.number(),
  error: v.nullable(v.string()),
  /** Of a rollback: the run that it reverts. */
  undoes: v.nullable(v.string()),
  /** The rollback that reverted this run. */
  undoneBy: v.nullable(v.string()),
  /** The data version of the source that it created; null: no change (yet). */
  dataVersion: v.nullable(v.number()),
  /** Of a dry run: the data version it was compared with, and until when it can be committed. */
  comparedWith: v.nullable(v.number()),
  heldUntil: TimeOrNull,
  /** Null: the schedule. */
  createdBy: v.nullable(v.string()),
})

export const JobLogs = buildListShape(
  v.strictObject({
    at: Time,
    level: v.picklist(logLevels),
    message: v.string(),
    row: v.optional(v.number()),
    url: v.optional(v.string()),
    data: v.optional(v.looseObject({})),
  }),
)

/** `dryRun`: report what would happen, and change nothing. */
export const RunOptions = v.strictObject({ dryRun: SchemaChangeOptions.entries.dryRun })
export type RunOptions = v.InferOutput<typeof RunOptions>

const Record = v.looseObject({})
const rowEntries = { row: v.number(), externalId: v.string() }

/**
 * A mismatch between a field of the data type and all rows. new: a column without a field. gone: a field without its column. other:
 * the column seems to have another type. refused: the type matches, but values are invalid or missing.
 */
export const TypeChange = v.strictObject({
  change: v.picklist(['new', 'gone', 'other', 'refused']),
  /** As in mappings; for a new one the proposed key. */
  field: v.string(),
  /** The columns it is made of. */
  paths: v.array(v.string()),
  /** The type in the data type; null without the field. */
  type: v.nullable(v.string()),
  /** The type by all rows; null if empty. */
  proposed: v.nullable(v.string()),
  /** Rows with a value, those of them that are invalid, and rows without a required value; null: unknown. */
  values: v.nullable(v.number()),
  refused: v.nullable(v.number()),
  missing: v.nullable(v.number()),
  reason: v.string(),
  notes: v.array(v.string()),
  /** Some rows that would be rejected. */
  failing: v.array(v.strictObject({ row: v.number(), value: v.string() })),
})
export type TypeChange = v.InferOutput<typeof TypeChange>

/** The result of a dry run: the effects of a commit, with the first rows of each kind; long values are truncated. */
export const Preview = v.strictObject({
  counts: Counts,
  comparedWith: v.strictObject({ version: v.number(), records: v.number() }),
  /** Until when it can be committed; null: it cannot. */
  heldUntil: TimeOrNull,
  samples: v.strictObject({
    created: v.array(v.strictObject({ ...rowEntries, data: Record })),
    updated: v.array(
      v.strictObject({
        ...rowEntries,
        changes: v.array(v.strictObject({ field: v.string(), before: v.unknown(), after: v.unknown() })),
      }),
    ),
    unchanged: v.array(v.strictObject(rowEntries)),
    removed: v.array(v.strictObject({ externalId: v.string(), data: Record })),
    rejected: v.array(
      v.strictObject({
        row: v.number(),
        field: v.nullable(v.string()),
        message: v.string(),
        value: v.nullable(v.string()),
        url: v.nullable(v.string()),
      }),
    ),
  }),
  /** The data type, its version, and its mismatches with all rows. `isCut`: the list is incomplete. */
  type: v.strictObject({
    version: v.number(),
    rows: v.number(),
    fields: v.array(TypeChange),
    isCut: v.boolean(),
    /** Words of all rows that may stand for missing values and are not read so, by field; absent in older dry runs. */
    mayBeMissing: v.optional(
      v.array(
        v.strictObject({
          field: v.string(),
          path: v.string(),
          words: v.array(v.strictObject({ word: v.string(), count: v.number() })),
        }),
      ),
    ),
  }),
  /** What was read as missing values, by field; absent in older dry runs. */
  readAsEmpty: v.optional(v.array(v.strictObject({ field: v.string(), ...ReadAsEmpty.entries }))),
})
/** The part that is stored with the run. */
export type JobPreview = Omit<v.InferOutput<typeof Preview>, 'counts' | 'heldUntil'>

/** Maximum number of rejected rows per response. */
export const maxRejects = 10_000

export const RejectOptions = v.strictObject({
  /** Capped at the maximum, which the response reports. */
  limit: v.optional(amount('Invalid limit.')),
  next: v.optional(v.pipe(v.string(), v.regex(/^[a-z0-9]{1,20}\.\d{1,9}$/, 'Not a page of this list.'))),
  format: v.optional(v.picklist(['json', 'csv'])),
})
export type RejectOptions = v.InferOutput<typeof RejectOptions>

/** An error of a row, with its position; a row may have several. */
export const JobReject = v.strictObject({
  /** From 1, over all rows of the run. */
  row: v.number(),
  line: v.nullable(v.number()),
  /** The file of an archive, or the sheet of a workbook. */
  entry: v.nullable(v.string()),
  sheet: v.nullable(v.string()),
  /** Of the page; null if it was found only by comparison with existing records. */
  url: v.nullable(v.string()),
  /** The field of the record, or the column without one; null: the row as a whole. */
  field: v.nullable(v.string()),
  message: v.string(),
  /** The value, at most 200 characters; null: missing, or not reported. */
  value: v.nullable(v.string()),
  /** The row was imported nevertheless, without this value. */
  isTaken: v.boolean(),
})
export type JobReject = v.InferOutput<typeof JobReject>
export const JobRejects = buildListShape(JobReject)
