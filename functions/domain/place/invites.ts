import { sql } from 'kysely'
import { recordActivity } from '#functions/domain/activity/activity.ts'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import { write } from '#functions/domain/outbox/outbox.ts'
import { sortBy, listRows } from '#functions/domain/noun/paging.ts'
import { isAllowed, noSubject, placesWhere } from '#functions/domain/access/allowed.ts'
import { loadGrants, mayHandOut } from '#functions/domain/access/grants.ts'
import { readsAll } from '#functions/domain/access/identity.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { InviteChanges } from '#functions/shapes/invite.ts'
import type { ListOptions } from '#functions/shapes/options.ts'
import type { Db } from '#db/schema.ts'

const columns = [
  'invite.id',
  'invite.placeId',
  'invite.email',
  'invite.role',
  'invite.status',
  'invite.invitedBy',
  'invite.inviterName',
  'invite.sentAt',
  'invite.expiresAt',
  'invite.acceptedAt',
  'invite.createdAt',
  'invite.updatedAt',
] as const

/** Invitations with the name of who invited, and the status as the clock of the database has it. */
const selectInvites = (db: Db) =>
  db
    .selectFrom((from) =>
      from
        .selectFrom('invite')
        .leftJoin('user', 'user.id', 'invite.invitedBy')
        .select([
          'invite.id',
          'invite.placeId',
          'invite.email',
          'invite.role',
          'invite.invitedBy',
          'user.name as inviterName',
          'invite.sentAt',
          'invite.expiresAt',
          'invite.acceptedAt',
          'invite.createdAt',
          'invite.updatedAt',
          sql<
            'pending' | 'accepted' | 'expired' | 'revoked'
          >`case when ${sql.ref('invite.status')} = 'pending'
            and ${sql.ref('invite.expiresAt')} <= now() then 'expired' else ${sql.ref('invite.status')} end`.as(
            'status',
          ),
        ])
        .as('invite'),
    )
    .select(columns)

/**
 * Invitations, newest first: of the place in the path, or else of every place where the actor may see them. Super admins
 * see those of all places.
 */
export async function find(ctx: Context, request: NounRequest<ListOptions>) {
  const places = await listPlaceIds(ctx, request.placeId)
  const query = selectInvites(ctx.db).$if(places !== null, (q) =>
    q.where('invite.placeId', 'in', places?.length ? places : ['']),
  )
  return listRows(
    ctx,
    query,
    { table: 'invite', order: [sortBy('createdAt', 'desc', 'date')], searchColumns: ['invite.email'] },
    request.options,
  )
}

/** Null: all places. */
async function listPlaceIds(ctx: Context, placeId: string | null): Promise<string[] | null> {
  const { actor } = ctx
  if (placeId !== null) return [placeId]
  if (actor.kind === 'system') return null
  const grants = await loadGrants(ctx)
  if (readsAll(actor) && isAllowed(actor, 'invite.read', noSubject, grants)) return null
  return placesWhere(actor, 'invite.read', grants)
}

/** One invitation of the place that permission was checked for; undefined when there is none. */
export async function get(ctx: Context, request: Pick<NounRequest, 'params' | 'placeId'>) {
  return selectInvites(ctx.db)
    .where('invite.id', '=', param(request, 'inviteId'))
    .where('invite.placeId', '=', request.placeId ?? '')
    .executeTakeFirst()
}

/** Changes the role of an invitation; who changes it becomes its inviter. `conflict` unless it is pending. */
export async function updateById(ctx: Context, request: NounRequest<unknown, InviteChanges>) {
  const invite = await get(ctx, request)
  if (!invite) return undefined
  const { role } = request.data
  await requireHandOut(ctx, role, invite.placeId)
  await requireHandOut(ctx, invite.role, invite.placeId)
  await write(ctx, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('invite')
      .set({ role, invitedBy: ctx.actor.user?.id ?? null, updatedAt: sql<Date>`now()` })
      .where('id', '=', invite.id)
      .where('status', '=', 'pending')
      .where('expiresAt', '>', sql<Date>`now()`)
      .executeTakeFirstOrThrow()
    if (!numUpdatedRows) throw settledFailure(invite.status)
    await recordActivity(tx, ctx, { verb: 'updated', ...line(invite), name: role })
  })
  return get(ctx, request)
}

/** Revokes an invitation: its link stops working. `conflict` when it has been accepted. */
export async function deleteById(ctx: Context, request: NounRequest) {
  const invite = await get(ctx, request)
  if (!invite) return undefined
  await write(ctx, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('invite')
      .set({ status: 'revoked', updatedAt: sql<Date>`now()` })
      .where('id', '=', invite.id)
      .where('status', 'in', ['pending', 'expired'])
      .executeTakeFirstOrThrow()
    if (numUpdatedRows) return recordActivity(tx, ctx, { verb: 'deleted', ...line(invite) })
    if (invite.status !== 'revoked') throw settledFailure('accepted')
  })
  return { id: invite.id }
}

/** The Failure for an invitation that is no longer pending. `pending`: it was settled concurrently. */
export function settledFailure(status: 'pending' | 'accepted' | 'expired' | 'revoked'): Failure {
  const messages = {
    pending: 'This invitation was settled in the meantime.',
    accepted: 'This invitation has been accepted already: whoever did so works there by signing in.',
    expired: 'This invitation is too old. Ask for a new one.',
    revoked: 'This invitation has been taken back. Ask who invited you for a new one.',
  }
  return new Failure('conflict', { message: messages[status] })
}

/** A line of the trail about an invitation. Everyone in the place reads the trail, so it names the role and no address. */
export function line(invite: { id: string; role: string; placeId: string }) {
  return { type: 'invite', id: invite.id, name: invite.role, placeId: invite.placeId }
}

/** Throws `invalid` unless it is a role of places, `forbidden` when it may do more than the actor may in this place. */
export async function requireHandOut(ctx: Context, role: string, placeId: string): Promise<void> {
  const about = { path: ['role'], value: role }
  const row = await ctx.db
    .selectFrom('role')
    .select('id')
    .where('id', '=', role)
    .where('scope', '=', 'place')
    .executeTakeFirst()
  if (!row) throw new Failure('invalid', { issues: [{ ...about, message: 'There is no such role.' }] })
  if (await mayHandOut(ctx, role, placeId)) return
  throw new Failure('forbidden', { issues: [{ ...about, message: 'This role may do more than yours.' }] })
}
