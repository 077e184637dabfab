import { sql } from 'kysely'
import { covers, loadGrants } from '#functions/domain/access/grants.ts'
import type { Context } from '#functions/context.ts'
import { recordActivity } from '#functions/domain/activity/activity.ts'
import { param, requirePlaceId, type NounRequest } from '#functions/domain/noun/requests.ts'
import { get, line, requireHandOut, settledFailure } from '#functions/domain/place/invites.ts'
import { write } from '#functions/domain/outbox/outbox.ts'
import { allowWritesIn } from '#functions/domain/place/place-users.ts'
import { Failure } from '#functions/errors.ts'
import type { InviteToken, NewInvite } from '#functions/shapes/invite.ts'
import type { Tx } from '#db/schema.ts'
import { limits, countAttempt } from './attempts.ts'
import { showToken, invalidateEmails } from './email-tokens.ts'
import { hashText } from './keys.ts'
import { invitationEmail } from './emails.ts'

const now = sql<Date>`now()`
const inSevenDays = sql<Date>`now() + interval '7 days'`

/**
 * Invites an address to the place and sends the email. Failure `conflict` for a member of the place or a
 * pending invitation, `forbidden` for a role that may do more than the actor.
 */
export async function create(ctx: Context, request: NounRequest<unknown, NewInvite>) {
  const placeId = requirePlaceId(request)
  const { email, role } = request.data
  const placeName = await placeNamed(ctx, placeId)
  await requireHandOut(ctx, role, placeId)
  await countAttempt(ctx, limits.invite(email, placeId))
  const id = crypto.randomUUID()
  const invitedBy = ctx.actor.user?.id ?? null
  await write(ctx, async (tx) => {
    await requireStranger(tx, email, placeId)
    await tx
      .updateTable('invite')
      .set({ status: 'expired', updatedAt: now })
      .where('placeId', '=', placeId)
      .where('email', '=', email)
      .where('status', '=', 'pending')
      .where('expiresAt', '<=', now)
      .execute()
    const insertion = await tx
      .insertInto('invite')
      .values({ id, placeId, email, role, invitedBy, expiresAt: inSevenDays })
      .onConflict((conflict) =>
        conflict
          .columns(['placeId', 'email'])
          .where(sql<boolean>`status = 'pending'`)
          .doNothing(),
      )
      .executeTakeFirst()
    if (!insertion.numInsertedOrUpdatedRows)
      throw new Failure('conflict', {
        message: 'An invitation to this address waits already. Send it again.',
      })
    await recordActivity(tx, ctx, { verb: 'invited', ...line({ id, role, placeId }) })
  })
  await ctx.sendMail(invitationEmail(email, { id, placeName }, ctx.settings))
  return get(ctx, { params: { inviteId: id }, placeId })
}

/**
 * Sends the email again with a new link, valid for seven days from now, which invalidates the link before. An
 * expired invitation becomes pending again. Failure `tooMany` (with Retry-After) more than once a minute.
 * Undefined: no such invitation.
 */
export async function resend(ctx: Context, request: NounRequest) {
  const invite = await get(ctx, request)
  if (!invite) return undefined
  const { id, email, placeId } = invite
  if (invite.status === 'accepted' || invite.status === 'revoked') throw settledFailure(invite.status)
  await requireHandOut(ctx, invite.role, placeId)
  const placeName = await placeNamed(ctx, placeId)
  await write(ctx, async (tx) => {
    const result = await tx
      .updateTable('invite')
      .set({
        sentAt: now,
        expiresAt: inSevenDays,
        updatedAt: now,
        invitedBy: ctx.actor.user?.id ?? null,
      })
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .where('sentAt', '<=', sql<Date>`now() - interval '1 minute'`)
      .executeTakeFirstOrThrow()
    if (result.numUpdatedRows) return invalidateEmails(tx, 'invite', id)
    const row = await tx
      .selectFrom('invite')
      .select([
        'status',
        sql<number>`ceil(extract(epoch from sent_at + interval '1 minute' - now()))::int`.as('wait'),
      ])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    if (row.status !== 'pending') throw settledFailure(row.status)
    throw createTooSoonError(ctx, row.wait)
  })
  await ctx.sendMail(invitationEmail(email, { id, placeName }, ctx.settings))
  return get(ctx, { params: { inviteId: id }, placeId })
}

/**
 * A pending invitation for the actor's confirmed address, and its place. Undefined: there is none with this
 * id.
 */
export async function findPendingInvitation(ctx: Context, request: NounRequest) {
  const invite = await findInviteRow(ctx, param(request, 'inviteId'))
  if (!invite) return undefined
  const { id, email, expiresAt, placeId, placeName: name, placeDisplayName: displayName } = invite
  return { id, email, expiresAt, place: { id: placeId, name, displayName } }
}

/**
 * Sends the email of a pending invitation for the actor's confirmed address again, with a new link, which
 * invalidates the one before. Role, inviter and expiry stay. Failure `tooMany` more than once a minute.
 */
export async function resendToMe(ctx: Context, request: NounRequest) {
  const invite = await findInviteRow(ctx, param(request, 'inviteId'))
  if (!invite) return undefined
  const { id, email, placeId, placeDisplayName: placeName, expiresAt: until } = invite
  await countAttempt(ctx, limits.invite(email, placeId))
  const { rows } = await sql<{ wait: number | null }>`
    select renew_waiting_invite(${id}) as wait`.execute(ctx.db)
  const wait = rows[0]?.wait ?? null
  if (wait === null) return undefined
  if (wait > 0) throw createTooSoonError(ctx, wait)
  await ctx.sendMail(invitationEmail(email, { id, placeName, until }, ctx.settings))
  return { ok: true as const }
}

/** The invitation with this id, if it is pending for the actor's confirmed address. */
async function findInviteRow(ctx: Context, id: string) {
  const { rows } = await sql<WaitingInvite>`select * from waiting_invites() where id = ${id}`.execute(ctx.db)
  return rows[0]
}

interface WaitingInvite {
  id: string
  email: string
  expiresAt: Date
  placeId: string
  placeName: string
  placeDisplayName: string
}

function createTooSoonError(ctx: Context, wait: number): Failure {
  ctx.responseHeaders.set('retry-after', String(Math.max(wait, 1)))
  return new Failure('tooMany', { message: 'This invitation was sent just now. Please wait a minute.' })
}

/**
 * What an invitation offers, for the holder of its email's token; undefined for everyone else. Failure
 * `conflict` with the reason when it can no longer be accepted. Changes nothing.
 */
export async function confirm(ctx: Context, request: NounRequest<unknown, InviteToken>) {
  const hash = await hashText(request.data.token)
  return ctx.transaction(async (tx) => {
    const invite = await lockInvitation(tx, param(request, 'inviteId'), hash)
    if (!invite) return undefined
    if (invite.isSettled) throw settledFailure(invite.isSettled)
    const { id, email, role, expiresAt } = invite
    const place = await tx
      .selectFrom('place')
      .select(['id', 'name', 'displayName'])
      .where('id', '=', invite.placeId)
      .where('deletedAt', 'is', null)
      .executeTakeFirst()
    if (!place) return undefined
    const inviter = await tx
      .selectFrom('user')
      .select('name')
      .where('id', '=', invite.invitedBy ?? '')
      .executeTakeFirst()
    const roleRow = await tx.selectFrom('role').select('name').where('id', '=', role).executeTakeFirst()
    return { id, email, role, roleName: roleRow?.name ?? role, expiresAt, place, inviter: inviter ?? null }
  })
}

/**
 * Accepts an invitation: makes the person a member of the place. Needs the email's token, the confirmed
 * address it was sent to (otherwise Failure `forbidden`), and that the inviter may still assign the role:
 * Failure `conflict` when they may not, when it is settled, or the person is a member already.
 */
export async function accept(ctx: Context, request: NounRequest<unknown, InviteToken>) {
  const { user } = ctx.actor
  if (!user) throw new Failure('unauthenticated')
  const [grants, hash] = [await loadGrants(ctx), await hashText(request.data.token)]
  return write(ctx, async (tx) => {
    const invite = await lockInvitation(tx, param(request, 'inviteId'), hash)
    if (!invite) return undefined
    if (!user.verified)
      throw new Failure('forbidden', { message: 'Please confirm your e-mail address first.' })
    if (invite.email !== user.email)
      throw new Failure('forbidden', {
        message: 'This invitation is for another address. Sign in with that one.',
      })
    if (invite.isSettled) throw settledFailure(invite.isSettled)
    const { id, placeId, role } = invite
    // The token is verified; the inviter has to be looked up among the members of the place.
    await allowWritesIn(tx, placeId)
    const inviterRoles = await rolesOfInviter(tx, invite)
    const mayInvite = inviterRoles.some((own) => grants.get(own)?.has('invite.create'))
    if (!mayInvite || !covers(grants, inviterRoles, role) || !(await isPlaceRole(tx, role)))
      throw new Failure('conflict', {
        message: 'Who invited you may no longer do so. Ask for a new invitation.',
      })
    const { numUpdatedRows } = await tx
      .updateTable('invite')
      .set({ status: 'accepted', acceptedAt: now, acceptedBy: user.id, updatedAt: now })
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .where('expiresAt', '>', now)
      .executeTakeFirstOrThrow()
    if (!numUpdatedRows) throw settledFailure('pending')
    const insertion = await tx
      .insertInto('placeUser')
      .values({ placeId, userId: user.id, role })
      .onConflict((conflict) => conflict.columns(['placeId', 'userId']).doNothing())
      .executeTakeFirst()
    if (!insertion.numInsertedOrUpdatedRows)
      throw new Failure('conflict', { message: 'You are in this place already.' })
    await recordActivity(tx, ctx, { verb: 'joined', type: 'user', id: user.id, name: user.name, placeId })
    return { id, placeId, role, status: 'accepted' as const }
  })
}

/**
 * The invitation with this token, locked until the transaction ends. Row-level security shows it only because
 * the token was presented.
 */
async function lockInvitation(tx: Tx, id: string, hash: string) {
  await showToken(tx, hash)
  const row = await tx
    .selectFrom('invite')
    .select(['id', 'placeId', 'email', 'role', 'status', 'invitedBy', 'expiresAt'])
    .select(sql<boolean>`expires_at <= now()`.as('isOver'))
    .where('id', '=', id)
    .where('id', '=', (query) =>
      query
        .selectFrom('emailToken')
        .select('subjectId')
        .where('kind', '=', 'invite')
        .where('tokenHash', '=', hash),
    )
    .forUpdate()
    .executeTakeFirst()
  if (!row) return undefined
  const { isOver, ...invite } = row
  const status = invite.status === 'pending' && isOver ? 'expired' : invite.status
  return { ...invite, isSettled: status === 'pending' ? null : status }
}

/** The inviter's current global role and role in the place. Empty when they are gone. */
async function rolesOfInviter(tx: Tx, { invitedBy, placeId }: { invitedBy: string | null; placeId: string }) {
  const inviter = await tx
    .selectFrom('user')
    .leftJoin('placeUser', (join) =>
      join.onRef('placeUser.userId', '=', 'user.id').on('placeUser.placeId', '=', placeId),
    )
    .select(['user.role as global', 'placeUser.role as local'])
    .where('user.id', '=', invitedBy ?? '')
    .executeTakeFirst()
  return [inviter?.global, inviter?.local].filter((role): role is string => !!role)
}

async function isPlaceRole(tx: Tx, role: string): Promise<boolean> {
  const row = await tx.selectFrom('role').select('scope').where('id', '=', role).executeTakeFirst()
  return row?.scope === 'place'
}

/** The display name of a place. Failure `invalid` where there is none. */
async function placeNamed(ctx: Context, placeId: string): Promise<string> {
  const place = await ctx.db
    .selectFrom('place')
    .select('displayName')
    .where('id', '=', placeId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (place) return place.displayName
  throw new Failure('invalid', {
    issues: [{ path: ['placeId'], value: placeId, message: 'There is no such place.' }],
  })
}

async function requireStranger(tx: Tx, email: string, placeId: string) {
  const member = await tx
    .selectFrom('placeUser')
    .innerJoin('user', 'user.id', 'placeUser.userId')
    .select('user.id')
    .where('placeUser.placeId', '=', placeId)
    .where('user.email', '=', email)
    .executeTakeFirst()
  if (member) throw new Failure('conflict', { message: 'Who has this address is in the place already.' })
}
