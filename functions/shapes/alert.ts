import * as v from 'valibot'
import { listOptions } from './options.ts'
import { Time } from './returns.ts'

export const AlertOptions = v.omit(
  listOptions({ id: 'text', kind: 'text', title: 'text', createdAt: 'date' }),
  ['maxVisibility', 'visibility', 'includes'],
)
export type AlertOptions = v.InferOutput<typeof AlertOptions>

/** An alert of an observer: its condition became true, or (`recovery`) false again. */
export const AlertRow = v.strictObject({
  id: v.string(),
  observerId: v.string(),
  kind: v.picklist(['alert', 'recovery']),
  title: v.string(),
  value: v.nullable(v.number()),
  threshold: v.nullable(v.number()),
  /** The ids of at most 100 of the records that caused it. */
  datumIds: v.array(v.string()),
  createdAt: Time,
  /** Whether the actor has read it. */
  read: v.boolean(),
})
