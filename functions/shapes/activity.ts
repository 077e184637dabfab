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
  counts: v.nullable(v.strictObject({ created: v.number(), updated: v.number(), removed: v.number() })),
  actorId: v.nullable(v.string()),
  actorName: v.nullable(v.string()),
})

export const Activities = listOf(Activity)
