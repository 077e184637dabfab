import { sql } from 'kysely'
import { mustGiveReasons, openMinutes } from '#functions/domain/access/opened.ts'
import type { Context, OpenPlace } from '#functions/context.ts'
import { recordActivity } from '#functions/domain/activity/activity.ts'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import { Failure } from '#functions/errors.ts'
import type { NewPlaceAccess } from '#functions/shapes/place-access.ts'
import type { Tx } from '#db/schema.ts'
import { recordOwn } from './own-activity.ts'

/** SQL for the places opened in the session `s` of a statement, as JSON for `placesOpenIn`. Null: none. */
export const openPlaces = sql<OpenRow[] | null>`(
  select jsonb_agg(jsonb_build_object('placeId', a.place_id, 'until', a.ends_at) order by a.place_id)
  from place_access a where a.session_id = s.id and a.ends_at > now())`

export interface OpenRow {
  placeId: string
  until: string
}

/** The result of `openPlaces` for an actor. */
export function placesOpenIn(rows: OpenRow[] | null): OpenPlace[] {
  return (rows ?? []).map(({ placeId, until }) => ({ placeId, until: new Date(until) }))
}

/**
 * Opens a place to the session of support staff or a super admin for an hour, with the reason in the audit
 * logs of the place and of the person. Giving a reason again starts a new hour. Failure `forbidden` for API
 * keys, and for everyone who needs no reason.
 */
export async function create(ctx: Context, request: NounRequest<unknown, NewPlaceAccess>) {
  const { session, userId, role } = requireStaff(ctx)
  const placeId = param(request, 'placeId')
  const { reason } = request.data
  const openedAt = ctx.now()
  const endsAt = new Date(openedAt.getTime() + openMinutes * 60_000)
  const row = { id: crypto.randomUUID(), placeId, reason, openedAt, endsAt }
  return ctx.transaction(async (tx) => {
    await end(tx, ctx, session.id, placeId)
    await tx
      .insertInto('placeAccess')
      .values({ ...row, userId, sessionId: session.id })
      .execute()
    const until = `${endsAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
    await recordBoth(tx, ctx, 'accessOpened', placeId, `${reason} (${role}, until ${until})`)
    return { ...row, openedAt: openedAt.toISOString(), endsAt: endsAt.toISOString() }
  })
}

/**
 * Ends the session's access to a place, with a line in both audit logs. Returns how many were open: one, or
 * none.
 */
export async function endAccess(ctx: Context, request: NounRequest): Promise<{ count: number }> {
  const { session } = requireStaff(ctx)
  const placeId = param(request, 'placeId')
  return ctx.transaction(async (tx) => {
    const count = await end(tx, ctx, session.id, placeId)
    if (count > 0) await recordBoth(tx, ctx, 'accessEnded', placeId, '')
    return { count }
  })
}

async function end(tx: Tx, ctx: Context, sessionId: string, placeId: string): Promise<number> {
  const now = ctx.now()
  const { numUpdatedRows } = await tx
    .updateTable('placeAccess')
    .set({ endsAt: now })
    .where('sessionId', '=', sessionId)
    .where('placeId', '=', placeId)
    .where('endsAt', '>', now)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Writes the same line to the audit logs of the place and of the person. */
async function recordBoth(
  tx: Tx,
  ctx: Context,
  verb: 'accessOpened' | 'accessEnded',
  placeId: string,
  name: string,
): Promise<void> {
  await recordActivity(tx, ctx, { verb, type: 'place', id: placeId, name, placeId })
  await recordOwn(tx, ctx, ctx.actor.user?.id ?? '', verb, { place: { id: placeId, name } })
}

function requireStaff({ actor }: Context) {
  if (!actor.session || !actor.user)
    throw new Failure('forbidden', { message: 'This takes signing in: a key opens no organization.' })
  if (!mustGiveReasons(actor)) throw new Failure('forbidden', { message: 'You need no reason to be here.' })
  const role = actor.user.role === 'support' ? 'support' : 'super admin'
  return { session: actor.session, userId: actor.user.id, role }
}
