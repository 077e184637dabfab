import * as v from 'valibot'
import { listOptions } from './options.ts'
import { Time, listOf } from './returns.ts'

export const ActivityOptions = listOptions({
  id: 'text',
  at: 'date',
  verb: 'text',
  targetType: 'text',
  targetId: 'text',
  actorId: 'text',
})

/** How many records a write has created, changed and removed. */
const RecordCounts = v.strictObject({ created: v.number(), updated: v.number(), removed: v.number() })
export type RecordCounts = v.InferOutput<typeof RecordCounts>

/**
 * A line of a place's trail. `actorName` null: the product itself, or the holder of a source's key. `targetName` of a key is '' to those
 * who may not see the keys of the place.
 */
export const Activity = v.strictObject({
  id: v.string(),
  at: Time,
  verb: v.string(),
  targetType: v.string(),
  targetId: v.string(),
  targetName: v.string(),
  /** Of a write of records; null for anything else. */
  counts: v.nullable(RecordCounts),
  actorId: v.nullable(v.string()),
  actorName: v.nullable(v.string()),
})

export const Activities = listOf(Activity)

/** So many lines a file of the audit log has at most, the newest. */
export const mostFileLines = 50_000

/** Which lines a file is to have: those that meet the same filters as a list. */
export const ActivityFileOptions = v.strictObject({ filters: ActivityOptions.entries.filters })
export type ActivityFileOptions = v.InferOutput<typeof ActivityFileOptions>

/**
 * A line about a person's account. `actorId` null: someone who did not show who they are, or the product. `ipPrefix`: a part of
 * the address it came from, null where that is not known. `targetName`: of a key, for the person alone.
 */
export const UserActivity = v.strictObject({
  id: v.string(),
  at: Time,
  verb: v.string(),
  targetType: v.string(),
  targetId: v.string(),
  targetName: v.string(),
  actorId: v.nullable(v.string()),
  ipPrefix: v.nullable(v.string()),
})

export const UserActivities = listOf(UserActivity)
