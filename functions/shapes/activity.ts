import * as v from 'valibot'
import { listOptions } from './options.ts'
import { Time, buildListShape } from './returns.ts'

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
 * An entry of a place's audit log. `actorName` null: the product itself, or the holder of a source's key. `targetName` of a key is ''
 * for those who may not see the keys of the place.
 */
export const Activity = v.strictObject({
  id: v.string(),
  at: Time,
  verb: v.string(),
  targetType: v.string(),
  targetId: v.string(),
  targetName: v.string(),
  /** For writes of records; else null. */
  counts: v.nullable(RecordCounts),
  actorId: v.nullable(v.string()),
  actorName: v.nullable(v.string()),
})

export const Activities = buildListShape(Activity)

/** Someone who did something in a place. */
export const ActivityActor = v.strictObject({ id: v.string(), name: v.string() })
export const ActivityActors = buildListShape(ActivityActor)

/** Maximum number of entries in a file of the audit log, the newest ones. */
export const maxFileLines = 50_000

/** The filters of a file, the same as those of the list. */
export const ActivityFileOptions = v.strictObject({ filters: ActivityOptions.entries.filters })
export type ActivityFileOptions = v.InferOutput<typeof ActivityFileOptions>

/**
 * An entry about a person's account. `actorId` null: an unauthenticated actor, or the product. `ipPrefix`: a prefix of the IP address,
 * null if unknown. `targetName`: of a key, only for the person.
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

export const UserActivities = buildListShape(UserActivity)
