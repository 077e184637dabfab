import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { DeliveryOptions, ResentDeliveries } from '#functions/shapes/delivery.ts'
import type { NounRequest } from '#functions/domain/noun/requests.ts'
import { findObserver } from './observers.ts'
import { sortBy, listRows } from '#functions/domain/noun/paging.ts'

/**
 * The webhook deliveries of an observer, newest first: waiting, delivered, or given up (`dead`); without
 * those of deleted alerts. Undefined when there is no such observer.
 */
export async function find(ctx: Context, request: NounRequest<DeliveryOptions>) {
  const observer = await findObserver(ctx, request)
  if (!observer) return undefined
  const query = ctx.db
    .selectFrom('delivery')
    .innerJoin('alert', 'alert.id', 'delivery.alertId')
    .select(['delivery.id', 'delivery.alertId', 'delivery.status', 'delivery.attempts', 'delivery.dueAt'])
    .select(['delivery.answered', 'delivery.error', 'delivery.createdAt', 'delivery.endedAt'])
    .where('delivery.observerId', '=', observer.id)
    .where('alert.deletedAt', 'is', null)
  return listRows(
    ctx,
    query,
    { table: 'delivery', order: [sortBy('createdAt', 'desc', 'date')], searchColumns: ['delivery.error'] },
    request.options,
  )
}

/**
 * Retries deliveries that were given up, as if they were new: with the same id, to the observer's current
 * address, with all attempts. Others stay as they are. Returns how many there were; undefined when there is
 * no such observer. Failure `conflict` where the observer calls no webhook.
 */
export async function resend(ctx: Context, request: NounRequest<unknown, ResentDeliveries>) {
  const observer = await findObserver(ctx, request)
  if (!observer) return undefined
  const { id, channels, webhookUrl } = observer
  if (!channels.includes('webhook') || webhookUrl === null)
    throw new Failure('conflict', { message: 'The observer calls no webhook. Give it an address first.' })
  const { ids } = request.data
  const { numUpdatedRows } = await ctx.db
    .updateTable('delivery')
    .set({ status: 'waiting', attempts: 0, dueAt: sql<Date>`now()`, endedAt: null })
    .where('observerId', '=', id)
    .where('status', '=', 'dead')
    .where('alertId', 'in', (eb) =>
      eb.selectFrom('alert').select('id').where('observerId', '=', id).where('deletedAt', 'is', null),
    )
    .$if(ids !== undefined, (query) => query.where('id', 'in', ids ?? []))
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0) ctx.wake('observers')
  return { count: Number(numUpdatedRows) }
}
