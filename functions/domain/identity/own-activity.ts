import { sql } from 'kysely'
import { ipPrefix } from '#functions/platform/limitedAs.ts'
import { record, type AccountVerb, type Verb } from '#functions/domain/activity/activity.ts'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import { by, listRows } from '#functions/domain/noun/paging.ts'
import type { Context } from '#functions/context.ts'
import type { ListOptions } from '#functions/shapes/options.ts'
import type { Tx } from '#db/schema.ts'

/** What happens to an account and is written into the audit log of its person. */
type OwnVerb =
  | AccountVerb
  | Extract<Verb, 'factorRemoved' | 'created' | 'deleted' | 'expired' | 'accessOpened' | 'accessEnded'>

/** What a line of a person is about besides the account: one of their keys, or a place they opened with a reason. */
interface OwnLineTarget {
  id: string
  name: string
}

/**
 * Adds a line about a person to the audit log, which they and super admins read, in the transaction that did what it says. From
 * then on the transaction is that person's: the database takes a line about nobody else. `actorId`: who did it; null for
 * who did not show who they are, and for the product.
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
  await record(tx, ctx, { verb, ...about, placeId: null, person }, actorId)
}

/**
 * Adds a line about a sign-in that failed, where there is an account it was tried with; an unknown address leaves no line. At most one
 * an hour from one network, and before that the limits of signing in hold: whoever guesses fills no table.
 */
export async function recordFailure(ctx: Context, tried: { id: string } | { email: string }): Promise<void> {
  await ctx.transaction(async (tx) => {
    const [column, value] = 'id' in tried ? (['id', tried.id] as const) : (['email', tried.email] as const)
    const user = await tx.selectFrom('user').select('id').where(column, '=', value).executeTakeFirst()
    if (!user) return
    await sql`select set_config('app.user', ${user.id}, true)`.execute(tx)
    const known = await tx
      .selectFrom('activity')
      .select('id')
      .where('personId', '=', user.id)
      .where('verb', '=', 'signInFailed')
      .where('at', '>', new Date(ctx.now().getTime() - 3_600_000))
      .where(sql<boolean>`ip_prefix is not distinct from ${ipPrefix(ctx.request.ip)}`)
      .executeTakeFirst()
    if (!known) await recordOwn(tx, ctx, user.id, 'signInFailed', { actorId: null })
  })
}

/** Its name says what a key is for. */
const nameUnlessOfKey = sql<string>`case when ${sql.ref('targetType')} = 'key' then '' else ${sql.ref('targetName')} end`

/**
 * What has happened to a person's account, newest first. A key has its name for the person alone: to super admins it says
 * nothing.
 */
export async function find(ctx: Context, request: NounRequest<ListOptions>) {
  const userId = param(request, 'userId')
  const isOwn = ctx.actor.user?.id === userId
  const query = ctx.db
    .selectFrom('activity')
    .select(['id', 'at', 'verb', 'targetType', 'targetId', 'actorId', 'ipPrefix'])
    .select(isOwn ? 'targetName' : nameUnlessOfKey.as('targetName'))
    .where('personId', '=', userId)
  return listRows(ctx, query, { table: 'activity', order: [by('at', 'desc', 'date')] }, request.options)
}
