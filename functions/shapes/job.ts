import * as v from 'valibot'
import { SchemaChangeOptions } from './dataTypeSchema.ts'
import { ReadAsEmpty } from './fieldProfile.ts'
import { jobKinds, jobStages, jobStatuses } from './jobStatus.ts'
import { listOptions, wholeNumber } from './options.ts'
import { Time, TimeOrNull, listOf } from './returns.ts'

export { jobKinds, jobStatuses, openStatuses } from './jobStatus.ts'

export const logLevels = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof logLevels)[number]

/** The most lines of one answer. */
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

/** `level`: lines of that level and worse ones. `search`: lines that say this. */
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

/** How many rows came and what became of them: read is the sum of created, updated, unchanged and rejected. */
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
  /** Of a dry run what it would do; of a roll back what it did to records, whose read are those created and updated. */
  counts: Counts,
  /** What it does, or did last: gets its sources, reads and checks rows, brings them in (or compares them); null: it has not begun, or is a roll back. */
  stage: v.nullable(v.picklist(jobStages)),
  /** Rows that say nothing: no column gives a value. They do not count as read. */
  leftOut: v.number(),
  error: v.nullable(v.string()),
  /** Of a roll back: the run that it takes back. */
  undoes: v.nullable(v.string()),
  /** The roll back that took this run back. */
  undoneBy: v.nullable(v.string()),
  /** The version of the source's data that it made; null: it changed nothing (yet). */
  dataVersion: v.nullable(v.number()),
  /** Of a dry run: the version of the source's data that it was compared with, and until when it can be committed. */
  comparedWith: v.nullable(v.number()),
  heldUntil: TimeOrNull,
  /** Null: the schedule. */
  createdBy: v.nullable(v.string()),
})

export const JobLogs = listOf(
  v.strictObject({
    at: Time,
    level: v.picklist(logLevels),
    message: v.string(),
    row: v.optional(v.number()),
    url: v.optional(v.string()),
    data: v.optional(v.looseObject({})),
  }),
)

/** `dryRun`: say what would happen, and change nothing. */
export const RunOptions = v.strictObject({ dryRun: SchemaChangeOptions.entries.dryRun })
export type RunOptions = v.InferOutput<typeof RunOptions>

const Record = v.looseObject({})
const RowOf = { row: v.number(), externalId: v.string() }

/**
 * A field of the data type that is not as all rows say. new: a column that no field is made of. gone: a field whose column
 * no row has. other: its column looks like another type. refused: the type is right, but values do not fit, or are missing.
 */
export const TypeChange = v.strictObject({
  change: v.picklist(['new', 'gone', 'other', 'refused']),
  /** As mappings write it; of a new one the key that is proposed. */
  field: v.string(),
  /** The columns that it is made of. */
  paths: v.array(v.string()),
  /** What the data type has; null: no such field. */
  type: v.nullable(v.string()),
  /** What all rows say; null: nothing. */
  proposed: v.nullable(v.string()),
  /** Rows with a value, those of them that the field would refuse, and rows without one where it must have one; null: unknown. */
  values: v.nullable(v.number()),
  refused: v.nullable(v.number()),
  missing: v.nullable(v.number()),
  reason: v.string(),
  notes: v.array(v.string()),
  /** Some rows that would be refused. */
  failing: v.array(v.strictObject({ row: v.number(), value: v.string() })),
})
export type TypeChange = v.InferOutput<typeof TypeChange>

/** What a dry run found: what a commit of it would do, with the first rows of each kind; long values are cut. */
export const Preview = v.strictObject({
  counts: Counts,
  comparedWith: v.strictObject({ version: v.number(), records: v.number() }),
  /** Until when it can be committed; null: it cannot. */
  heldUntil: TimeOrNull,
  samples: v.strictObject({
    created: v.array(v.strictObject({ ...RowOf, data: Record })),
    updated: v.array(
      v.strictObject({
        ...RowOf,
        changes: v.array(v.strictObject({ field: v.string(), before: v.unknown(), after: v.unknown() })),
      }),
    ),
    unchanged: v.array(v.strictObject(RowOf)),
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
  /** The data type, of which version, and what of it all rows contradict. `isCut`: there is more than is told. */
  type: v.strictObject({
    version: v.number(),
    rows: v.number(),
    fields: v.array(TypeChange),
    isCut: v.boolean(),
  }),
  /** What was read as no value, by field; absent of a dry run before this was told. */
  readAsEmpty: v.optional(v.array(v.strictObject({ field: v.string(), ...ReadAsEmpty.entries }))),
})
/** What of it is kept with the run. */
export type JobPreview = Omit<v.InferOutput<typeof Preview>, 'counts' | 'heldUntil'>

/** The most refused rows of one answer. */
export const maxRejects = 10_000

export const RejectOptions = v.strictObject({
  limit: v.optional(wholeNumber(maxRejects, 'Invalid limit.')),
  next: v.optional(v.pipe(v.string(), v.regex(/^[a-z0-9]{1,20}\.\d{1,9}$/, 'Not a page of this list.'))),
  format: v.optional(v.picklist(['json', 'csv'])),
})
export type RejectOptions = v.InferOutput<typeof RejectOptions>

/** Something wrong with a row, and where it stands: a row may come several times. */
export const JobReject = v.strictObject({
  /** From 1, over all that the run reads. */
  row: v.number(),
  line: v.nullable(v.number()),
  /** The file of an archive, the sheet of a workbook. */
  entry: v.nullable(v.string()),
  sheet: v.nullable(v.string()),
  /** Of the page; null: it showed only beside the records of the source. */
  url: v.nullable(v.string()),
  /** The field of the record, or the column where there is none yet; null: the row as a whole. */
  field: v.nullable(v.string()),
  message: v.string(),
  /** What stood there, at most 200 characters of it; null: nothing, or not told. */
  value: v.nullable(v.string()),
  /** The row came in all the same, without this value. */
  isTaken: v.boolean(),
})
export type JobReject = v.InferOutput<typeof JobReject>
export const JobRejects = listOf(JobReject)
