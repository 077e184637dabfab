import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { DeliveryOptions, ResentDeliveries } from '#functions/shapes/delivery.ts'
import type { NounRequest } from '#functions/domain/noun/requests.ts'
import { observerOf } from './observers.ts'
import { by, listRows } from '#functions/domain/noun/paging.ts'

/**
 * The webhooks of an observer, the newest first: those that wait, were taken, or were given up (`dead`); none of an alert
 * that was deleted. Undefined when there is no such observer.
 */
export async function find(ctx: Context, request: NounRequest<DeliveryOptions>) {
  const observer = await observerOf(ctx, request)
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
    { table: 'delivery', order: [by('createdAt', 'desc', 'date')], searched: ['delivery.error'] },
    request.options,
  )
}

/**
 * Has webhooks that were given up called again, as if they were new: under the same id, to where the observer's address
 * leads now, with all tries before them. Those that wait or were taken stay as they are. Gives how many there were;
 * undefined when there is no such observer.
 */
export async function resend(ctx: Context, request: NounRequest<unknown, ResentDeliveries>) {
  const observer = await observerOf(ctx, request)
  if (!observer) return undefined
  const { id, channels, webhookUrl } = observer
  if (!channels.includes('webhook') || webhookUrl === null)
    throw new Failure('conflict', { say: 'The observer calls no webhook. Give it an address first.' })
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
