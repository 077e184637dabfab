import { sql } from 'kysely'
import { recordActivity } from '#functions/domain/activity/activity.ts'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import { write } from '#functions/domain/outbox/outbox.ts'
import { sortBy, listRows } from '#functions/domain/noun/paging.ts'
import type { Context } from '#functions/context.ts'
import type { AlertOptions } from '#functions/shapes/alert.ts'
import { tryOptionalWrite } from '#db/unavailable.ts'

const columns = [
  'alert.id',
  'alert.observerId',
  'alert.kind',
  'alert.title',
  'alert.value',
  'alert.threshold',
  'alert.datumIds',
  'alert.createdAt',
] as const

/** The alerts of an observer, newest first; undefined when there is no such observer. */
export async function find(ctx: Context, request: NounRequest<AlertOptions>) {
  const observer = await ctx.db
    .selectFrom('observer')
    .select('id')
    .where('id', '=', param(request, 'observerId'))
    .where('placeId', '=', param(request, 'placeId'))
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (!observer) return undefined
  const query = ctx.db
    .selectFrom('alert')
    .select([...columns, isRead(ctx)])
    .where('alert.observerId', '=', observer.id)
    .where('alert.deletedAt', 'is', null)
  return listRows(
    ctx,
    query,
    { table: 'alert', order: [sortBy('createdAt', 'desc', 'date')], searchColumns: ['alert.title'] },
    request.options,
  )
}

/** One alert, and marks it as read by the actor; undefined when the observer has none with this id. */
export async function findById(ctx: Context, request: NounRequest) {
  const alert = await findAlert(ctx, request)
  const userId = ctx.actor.user?.id
  if (!alert) return undefined
  if (userId === undefined || alert.read) return alert
  const marking = ctx.db
    .insertInto('alertRead')
    .values({ alertId: alert.id, userId, readAt: ctx.now() })
    .onConflict((c) => c.doNothing())
    .execute()
  return { ...alert, read: await tryOptionalWrite(marking) }
}

/** Puts an alert away, for everyone. */
export async function deleteById(ctx: Context, request: NounRequest) {
  const alert = await findAlert(ctx, request)
  if (!alert) return undefined
  const { id, title } = alert
  await write(ctx, async (tx) => {
    await tx.updateTable('alert').set({ deletedAt: ctx.now() }).where('id', '=', id).execute()
    const placeId = param(request, 'placeId')
    await recordActivity(tx, ctx, { verb: 'deleted', type: 'alert', id, name: title, placeId })
  })
  return { id }
}

/** The number of a place's alerts that the actor has not read, in total and by observer. */
export async function countUnreadAlerts(ctx: Context, request: NounRequest) {
  const counts = await ctx.db
    .selectFrom('alert')
    .innerJoin('observer', 'observer.id', 'alert.observerId')
    .select(['alert.observerId', sql<number>`count(*)::int`.as('count')])
    .where('observer.placeId', '=', param(request, 'placeId'))
    .where('observer.deletedAt', 'is', null)
    .where('alert.deletedAt', 'is', null)
    .where((of) => of.not(readBy(ctx)))
    .groupBy('alert.observerId')
    .execute()
  return {
    total: counts.reduce((sum, { count }) => sum + count, 0),
    byObserver: Object.fromEntries(counts.map(({ observerId, count }) => [observerId, count])),
  }
}

async function findAlert(ctx: Context, request: Pick<NounRequest, 'params'>) {
  return ctx.db
    .selectFrom('alert')
    .innerJoin('observer', 'observer.id', 'alert.observerId')
    .select([...columns, isRead(ctx)])
    .where('alert.id', '=', param(request, 'alertId'))
    .where('alert.observerId', '=', param(request, 'observerId'))
    .where('observer.placeId', '=', param(request, 'placeId'))
    .where('observer.deletedAt', 'is', null)
    .where('alert.deletedAt', 'is', null)
    .executeTakeFirst()
}

const isRead = (ctx: Context) => readBy(ctx).as('read')

/** Whether the actor has read an alert. */
function readBy({ actor }: Context) {
  return sql<boolean>`exists (select from alert_read r
    where r.alert_id = alert.id and r.user_id = ${actor.user?.id ?? ''})`
}
