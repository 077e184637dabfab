import { sql } from 'kysely'
import { param, type Asked } from './asked.ts'
import { by, filtered, listed, sorted, total } from './paging.ts'
import type { Context } from '../context.ts'
import type { ListOptions } from '../shapes/options.ts'

/** A line that the place still wants to see. */
const isShown = sql<boolean>`not exists (
  select from activity_hidden h where h.activity_id = ${sql.ref('activity.id')})`

/**
 * What has happened in a place, newest first, with the name of who did it (null: the product itself, or the holder of
 * a source's key). Lines that were put away are left out.
 */
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
      'activity.counts',
      'activity.actorId',
      'user.name as actorName',
      total,
    ])
    .where('activity.placeId', '=', param(asked, 'placeId'))
    .where(isShown)
    .where(filtered(filters, 'activity'))
  return listed(ctx, query, sorted(orderings, 'activity', [by('at', 'desc', 'date')]), cut)
}

/**
 * Puts a line of a place's trail away: no list of it shows the line any more. The line itself stays, for the trail is
 * only ever added to. Undefined: the place has no such line, or has put it away already.
 */
export async function deleteById(ctx: Context, asked: Asked) {
  const id = param(asked, 'activityId')
  const { numInsertedOrUpdatedRows } = await ctx.db
    .insertInto('activityHidden')
    .columns(['activityId', 'placeId', 'hiddenBy', 'hiddenAt'])
    .expression((eb) =>
      eb
        .selectFrom('activity')
        .select(['id', 'placeId'])
        .select([
          sql<string | null>`${ctx.actor.user?.id ?? null}::text`.as('hiddenBy'),
          sql<Date>`${ctx.now()}::timestamptz`.as('hiddenAt'),
        ])
        .where('id', '=', id)
        .where('placeId', '=', param(asked, 'placeId')),
    )
    .onConflict((conflict) => conflict.column('activityId').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows ? { id } : undefined
}

/** Removes lines older than one year, 50,000 at most, and gives how many. Needs the product's own identity. */
export async function sweepActivities({ db }: Context): Promise<number> {
  const { rows } = await sql<{ gone: string }>`select sweep_activity() as gone`.execute(db)
  return Number(rows[0]?.gone ?? 0)
}
