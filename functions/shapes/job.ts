import * as v from 'valibot'
import { listOptions, wholeNumber } from './options.ts'
import { Time, TimeOrNull, listOf } from './returns.ts'

export const jobStatuses = [
  'queued',
  'running',
  'stopping',
  'waiting',
  'succeeded',
  'failed',
  'stopped',
  'timedOut',
] as const
/** The ones of a run that has not ended. */
export const openStatuses = ['queued', 'running', 'stopping', 'waiting'] as const

export const logLevels = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof logLevels)[number]

/** The most lines of one answer. */
export const maxLogLines = 10_000

export const JobOptions = v.omit(
  listOptions({
    id: 'text',
    status: 'text',
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
    'limit',
  ]).entries,
  level: v.optional(v.picklist(logLevels)),
  limit: v.optional(wholeNumber(maxLogLines, 'Invalid limit.')),
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
  counts: Counts,
  error: v.nullable(v.string()),
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
