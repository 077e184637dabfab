import type { Context } from '#functions/context.ts'
import type { DeliveryOptions } from '#functions/shapes/delivery.ts'
import type { Asked } from '../asked.ts'
import { observerOf } from '../observers.ts'
import { by, filtered, listed, searched, sorted, total } from '../paging.ts'

/**
 * The webhooks of an observer, the newest first: those that wait, were taken, or were given up (`dead`); undefined when
 * there is no such observer.
 */
export async function find(ctx: Context, asked: Asked<DeliveryOptions>) {
  const { search, filters, orderings, ...cut } = asked.options
  const observer = await observerOf(ctx, asked)
  if (!observer) return undefined
  const query = ctx.db
    .selectFrom('delivery')
    .select(['delivery.id', 'delivery.alertId', 'delivery.status', 'delivery.attempts', 'delivery.dueAt'])
    .select(['delivery.answered', 'delivery.error', 'delivery.createdAt', 'delivery.endedAt', total])
    .where('delivery.observerId', '=', observer.id)
    .where(searched(search, ['delivery.error']))
    .where(filtered(filters, 'delivery'))
  return listed(ctx, query, sorted(orderings, 'delivery', [by('createdAt', 'desc', 'date')]), cut)
}
