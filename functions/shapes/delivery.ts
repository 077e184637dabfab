import * as v from 'valibot'
import { listOptions } from './options.ts'
import { Time, TimeOrNull } from './returns.ts'

export const DeliveryOptions = v.omit(
  listOptions({ id: 'text', alertId: 'text', status: 'text', createdAt: 'date' }),
  ['maxVisibility', 'visibility', 'includes'],
)
export type DeliveryOptions = v.InferOutput<typeof DeliveryOptions>

/** A webhook that is, was or could not be called for an alert. */
export const DeliveryRow = v.strictObject({
  /** What the webhook says as `webhook-id`. */
  id: v.string(),
  alertId: v.string(),
  /** `dead`: given up, or no longer wanted. */
  status: v.picklist(['waiting', 'delivered', 'dead']),
  /** Tries made so far. */
  attempts: v.number(),
  /** When it is tried next, while it waits. */
  dueAt: Time,
  /** The status that the server last answered; null: it did not. */
  answered: v.nullable(v.number()),
  error: v.nullable(v.string()),
  createdAt: Time,
  endedAt: TimeOrNull,
})
