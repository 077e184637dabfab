import { sql } from 'kysely'
import { ipPrefix } from '#functions/platform/rate-limit-key.ts'
import { recordActivity, type AccountVerb, type Verb } from '#functions/domain/activity/activity.ts'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import { sortBy, listRows } from '#functions/domain/noun/paging.ts'
import type { Context } from '#functions/context.ts'
import type { ListOptions } from '#functions/shapes/options.ts'
import type { Tx } from '#db/schema.ts'

/** Events of an account in its person's audit log. */
type OwnVerb =
  | AccountVerb
  | Extract<Verb, 'factorRemoved' | 'created' | 'deleted' | 'expired' | 'accessOpened' | 'accessEnded'>

/** The subject of a line other than the account: a key, or a place that was opened with a reason. */
interface OwnLineTarget {
  id: string
  name: string
}

/**
 * Adds a line about a person, visible to them and to super admins, to the audit log, in the transaction of
 * the event. From then on the transaction acts as that person: row-level security accepts no line about
 * anyone else. `actorId`: who did it; null for an unidentified person and for the system.
 */
export async function recordOwn(
  tx: Tx,
  ctx: Context,
  userId: string,
  verb: OwnVerb,
  {
    key,
    place,
    actorId = userId,
  }: { key?: OwnLineTarget; place?: OwnLineTarget; actorId?: string | null } = {},
): Promise<void> {
  await sql`select set_config('app.user', ${userId}, true)`.execute(tx)
  const about = key
    ? { type: 'key', ...key }
    : place
      ? { type: 'place', ...place }
      : { type: 'user', id: userId, name: '' }
  const person = { id: userId, ipPrefix: ipPrefix(ctx.request.ip) }
  await recordActivity(tx, ctx, { verb, ...about, placeId: null, person }, actorId)
}

/**
 * Adds a line about a failed sign-in, if the account exists. At most one per hour and network, within the
 * sign-in limits, so that guessing cannot fill the table.
 */
export async function recordFailure(
  ctx: Context,
  account: { id: string } | { email: string },
): Promise<void> {
  await ctx.transaction(async (tx) => {
    const [column, value] =
      'id' in account ? (['id', account.id] as const) : (['email', account.email] as const)
    const user = await tx.selectFrom('user').select('id').where(column, '=', value).executeTakeFirst()
    if (!user) return
    await sql`select set_config('app.user', ${user.id}, true)`.execute(tx)
    const recentFailure = await tx
      .selectFrom('activity')
      .select('id')
      .where('personId', '=', user.id)
      .where('verb', '=', 'signInFailed')
      .where('at', '>', new Date(ctx.now().getTime() - 3_600_000))
      .where(sql<boolean>`ip_prefix is not distinct from ${ipPrefix(ctx.request.ip)}`)
      .executeTakeFirst()
    if (!recentFailure) await recordOwn(tx, ctx, user.id, 'signInFailed', { actorId: null })
  })
}

/** Hides the names of keys, which reveal what they are for. */
const nameUnlessOfKey = sql<string>`case when ${sql.ref('targetType')} = 'key' then '' else ${sql.ref('targetName')} end`

/**
 * The audit log of a person's account, newest first. Names of keys are shown to the person only, not to super
 * admins.
 */
export async function find(ctx: Context, request: NounRequest<ListOptions>) {
  const userId = param(request, 'userId')
  const isOwn = ctx.actor.user?.id === userId
  const query = ctx.db
    .selectFrom('activity')
    .select(['id', 'at', 'verb', 'targetType', 'targetId', 'actorId', 'ipPrefix'])
    .select(isOwn ? 'targetName' : nameUnlessOfKey.as('targetName'))
    .where('personId', '=', userId)
  return listRows(ctx, query, { table: 'activity', order: [sortBy('at', 'desc', 'date')] }, request.options)
}
