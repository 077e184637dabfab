import type { Context } from '#functions/context.ts'
import { recordActivity } from '#functions/domain/activity/activity.ts'
import { limits, countAttempt } from '#functions/domain/identity/attempts.ts'
import { sortBy, listRows } from '#functions/domain/noun/paging.ts'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import { write } from '#functions/domain/outbox/outbox.ts'
import { allowWritesIn } from '#functions/domain/place/place-users.ts'
import { requireHandOut } from '#functions/domain/place/invites.ts'
import { Failure } from '#functions/errors.ts'
import type {
  JoinAcceptance,
  JoinRequestOptions,
  NewJoinRequest,
  Reply,
} from '#functions/shapes/place-request.ts'
import type { Tx } from '#db/schema.ts'
import { answer, requestColumns, lockPending, requestRow } from './answer.ts'
import { placesOpenTo, roleByAddress } from './join-by-domain.ts'
import { composeAcceptedEmail, composeDeclinedEmail } from './emails.ts'
import { findOwnRequest } from './place-requests.ts'
import { requirePerson } from './start.ts'

/** For how many days after a refusal a person may not request again. */
const quietDays = 7

/** Requests to join a place, newest first, in any state. */
export async function find(ctx: Context, request: NounRequest<JoinRequestOptions>) {
  const query = joinRequests(ctx).where('placeRequest.placeId', '=', param(request, 'placeId'))
  const order = [sortBy('createdAt', 'desc', 'date')]
  return listRows(
    ctx,
    query,
    { table: 'placeRequest', order, searchColumns: ['user.name', 'user.email'] },
    request.options,
  )
}

/**
 * Requests to join a place; the actor joins immediately where people with the domain of their address may. Reveals
 * nothing about members. Failure `forbidden` without a confirmed address, `conflict` for members, for a pending request
 * and within a week after a refusal, `tooMany`.
 */
export async function create(ctx: Context, request: NounRequest<unknown, NewJoinRequest>) {
  const user = requirePerson(ctx)
  const placeId = param(request, 'placeId')
  const { note = '' } = request.data
  if (!user.verified) throw new Failure('forbidden', { message: 'Please confirm your e-mail address first.' })
  if (ctx.actor.memberships.some((membership) => membership.placeId === placeId))
    throw new Failure('conflict', { message: 'You belong to this organization already.' })
  await countAttempt(ctx, limits.joinRequest(user.id, placeId))
  const id = crypto.randomUUID()
  await write(ctx, async (tx) => {
    const open = await placesOpenTo(tx, ctx)
    if (open.some((place) => place.id === placeId)) return joinByAddress(tx, ctx, { id, placeId, note })
    const since = new Date(ctx.now().getTime() - quietDays * 86_400_000)
    const refusal = await tx
      .selectFrom('placeRequest')
      .select('id')
      .where('userId', '=', user.id)
      .where('placeId', '=', placeId)
      .where('status', '=', 'refused')
      .where('answeredAt', '>', since)
      .executeTakeFirst()
    if (refusal)
      throw new Failure('conflict', {
        message: `This organization has refused your request. You can ask again after ${quietDays} days.`,
      })
    const insertion = await tx
      .insertInto('placeRequest')
      .values({
        ...requestRow(ctx, id, user.id),
        ...{
          kind: 'join',
          placeId,
          wantedId: null,
          name: null,
          timeZone: null,
          note,
        },
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (!insertion.numInsertedOrUpdatedRows)
      throw new Failure('conflict', {
        message: 'You have asked this organization already. It has not answered yet.',
      })
  })
  return findOwnRequest(ctx, id)
}

/** Makes the actor a member of a place that is open to their address. Settles their pending request. */
async function joinByAddress(
  tx: Tx,
  ctx: Context,
  { id, placeId, note }: Record<'id' | 'placeId' | 'note', string>,
) {
  const { id: userId, name } = requirePerson(ctx)
  await allowWritesIn(tx, placeId)
  const insertion = await tx
    .insertInto('placeUser')
    .values({ placeId, userId, role: roleByAddress })
    .onConflict((conflict) => conflict.columns(['placeId', 'userId']).doNothing())
    .executeTakeFirst()
  if (!insertion.numInsertedOrUpdatedRows)
    throw new Failure('conflict', { message: 'You belong to this organization already.' })
  await tx
    .deleteFrom('placeRequest')
    .where('userId', '=', userId)
    .where('placeId', '=', placeId)
    .where('status', '=', 'pending')
    .execute()
  await tx
    .insertInto('placeRequest')
    .values({
      ...{
        ...requestRow(ctx, id, userId),
        kind: 'join',
        placeId,
        wantedId: null,
        name: null,
        timeZone: null,
      },
      ...{ note, status: 'accepted', answeredAt: ctx.now() },
    })
    .execute()
  await recordActivity(tx, ctx, { verb: 'joined', type: 'user', id: userId, name, placeId })
}

/**
 * Accepts a request to join the place, with a role, and notifies the person. Failure `forbidden` for a role with
 * permissions that the actor lacks, `conflict` once it was answered or withdrawn, or for a member. Undefined: there is
 * none.
 */
export async function accept(ctx: Context, request: NounRequest<unknown, JoinAcceptance>) {
  const placeId = param(request, 'placeId')
  const { role } = request.data
  await requireHandOut(ctx, role, placeId)
  return settle(ctx, request, async (tx, row) => {
    const insertion = await tx
      .insertInto('placeUser')
      .values({ placeId, userId: row.userId, role })
      .onConflict((conflict) => conflict.columns(['placeId', 'userId']).doNothing())
      .executeTakeFirst()
    await answer(tx, ctx, row.id, 'accepted')
    // A person who accepted an invitation meanwhile keeps its role.
    if (insertion.numInsertedOrUpdatedRows)
      await recordActivity(tx, ctx, { verb: 'joined', ...line(row.id, placeId), name: row.userName })
    return composeAcceptedEmail
  })
}

/**
 * Declines a request to join the place, and notifies the person. Failure `conflict` as for `accept`; undefined: there is
 * none.
 */
export async function refuse(ctx: Context, request: NounRequest<unknown, Reply>) {
  return settle(ctx, request, async (tx, row) => {
    await answer(tx, ctx, row.id, 'refused', request.data.reply)
    await recordActivity(tx, ctx, { verb: 'deleted', ...line(row.id, param(request, 'placeId')) })
    return composeDeclinedEmail
  })
}

type PendingRequest = NonNullable<Awaited<ReturnType<typeof lockPending>>>

/** Settles a request by `run`, which returns the email to send. */
async function settle(
  ctx: Context,
  request: NounRequest,
  run: (tx: Tx, row: PendingRequest) => Promise<typeof composeAcceptedEmail>,
) {
  const placeId = param(request, 'placeId')
  const id = param(request, 'joinRequestId')
  const email = await write(ctx, async (tx) => {
    const row = await lockPending(tx, { id, placeId })
    if (!row) return undefined
    const email = await run(tx, row)
    const { displayName } = await tx
      .selectFrom('place')
      .select('displayName')
      .where('id', '=', placeId)
      .executeTakeFirstOrThrow()
    return email(row.email, displayName, ctx.settings)
  })
  if (!email) return undefined
  await ctx.sendMail(email)
  return joinRequests(ctx).where('placeRequest.id', '=', id).executeTakeFirst()
}

/** Everyone in the place reads the audit log, so a refusal names nobody. */
const line = (id: string, placeId: string) => ({ type: 'joinRequest', id, name: '', placeId })

const joinRequests = (ctx: Context) =>
  ctx.db
    .selectFrom('placeRequest')
    .innerJoin('user', 'user.id', 'placeRequest.userId')
    .select([...requestColumns, 'placeRequest.placeId'])
    .where('placeRequest.kind', '=', 'join')
    .$narrowType<{ placeId: string }>()
