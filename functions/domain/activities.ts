import { sql } from 'kysely'
import { param, type Asked } from './asked.ts'
import { filtered, ordered, page, total } from './paging.ts'
import type { Context } from '../context.ts'
import type { ListOptions } from '../shapes/options.ts'

/** What has happened in a place, newest first, with the name of who did it (null: the product itself). */
export async function find(ctx: Context, asked: Asked<ListOptions>) {
  const { filters, orderings, ...cut } = asked.options
  const query = ctx.db
    .selectFrom('activity')
    .leftJoin('user', 'user.id', 'activity.actorId')
    .select([
      'activity.id',
      'activity.at',
      'activity.verb',
      'activity.targetType',
      'activity.targetId',
      'activity.targetName',
      'activity.actorId',
      'user.name as actorName',
      total,
    ])
    .where('activity.placeId', '=', param(asked, 'placeId'))
    .where(filtered(filters, 'activity'))
    .orderBy(ordered(orderings, 'activity', sql`${sql.ref('activity.at')} desc`))
  return page(query, cut)
}
