import * as v from 'valibot'
import { Id, listOptions } from './options.ts'
import { Time, TimeOrNull } from './returns.ts'

export const DeliveryOptions = v.omit(
  listOptions({ id: 'text', alertId: 'text', status: 'text', createdAt: 'date' }),
  ['maxVisibility', 'visibility', 'includes'],
)
export type DeliveryOptions = v.InferOutput<typeof DeliveryOptions>

/** A delivery of an alert to a webhook. */
export const DeliveryRow = v.strictObject({
  /** Sent as `webhook-id`. */
  id: v.string(),
  alertId: v.string(),
  /** `dead`: given up, or no longer wanted. */
  status: v.picklist(['waiting', 'delivered', 'dead']),
  /** The number of attempts so far. */
  attempts: v.number(),
  /** The next attempt, while waiting. */
  dueAt: Time,
  /** The last HTTP status; null without a response. */
  answered: v.nullable(v.number()),
  error: v.nullable(v.string()),
  createdAt: Time,
  endedAt: TimeOrNull,
})

/** The deliveries to repeat; without `ids` all of the observer that were given up. */
export const ResentDeliveries = v.strictObject({
  ids: v.optional(v.pipe(v.array(Id), v.minLength(1), v.maxLength(1000))),
})
export type ResentDeliveries = v.InferOutput<typeof ResentDeliveries>
