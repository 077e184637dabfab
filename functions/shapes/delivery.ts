import * as v from 'valibot'
import { Id, listOptions } from './options.ts'
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

/** Which webhooks are sent again; without `ids` all of the observer that were given up. */
export const ResentDeliveries = v.strictObject({
  ids: v.optional(v.pipe(v.array(Id), v.minLength(1), v.maxLength(1000))),
})
export type ResentDeliveries = v.InferOutput<typeof ResentDeliveries>
