import * as v from 'valibot'
import { listOptions } from './options.ts'
import { Time } from './returns.ts'

export const AlertOptions = v.omit(
  listOptions({ id: 'text', kind: 'text', title: 'text', createdAt: 'date' }),
  ['maxVisibility', 'visibility', 'includes'],
)
export type AlertOptions = v.InferOutput<typeof AlertOptions>

/** What an observer had to say: that its condition holds, or (`recovery`) holds no more. */
export const AlertRow = v.strictObject({
  id: v.string(),
  observerId: v.string(),
  kind: v.picklist(['alert', 'recovery']),
  title: v.string(),
  value: v.nullable(v.number()),
  threshold: v.nullable(v.number()),
  /** At most 100 of the records it is about. */
  datumIds: v.array(v.string()),
  createdAt: Time,
  /** By the asker. */
  read: v.boolean(),
})
