import type { Context } from '#functions/context.ts'
import { limits, countAttempt } from '#functions/domain/identity/attempts.ts'
import { sortBy, listRows } from '#functions/domain/noun/paging.ts'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import { write } from '#functions/domain/outbox/outbox.ts'
import { Failure } from '#functions/errors.ts'
import type { NewPlaceRequest, PlaceRequestOptions, Reply } from '#functions/shapes/place-request.ts'
import { placeMadeEmail, placeRefusedEmail } from './emails.ts'
import { answer, requestColumns, lockPending, requestRow } from './answer.ts'
import { requirePerson, requireFreeId, requireTerms, startPlace } from './start.ts'

const columns = [...requestColumns, 'placeRequest.wantedId', 'placeRequest.name'] as const

/** Requests for new organizations, newest first, in any state. */
export async function find(ctx: Context, request: NounRequest<PlaceRequestOptions>) {
  const query = ctx.db
    .selectFrom('placeRequest')
    .innerJoin('user', 'user.id', 'placeRequest.userId')
    .select([...columns])
    .where('placeRequest.kind', '=', 'new')
    .$narrowType<{ wantedId: string; name: string }>()
  const order = [sortBy('createdAt', 'desc', 'date')]
  const searchColumns = ['placeRequest.name', 'placeRequest.wantedId', 'user.name', 'user.email']
  return listRows(ctx, query, { table: 'placeRequest', order, searchColumns }, request.options)
}

/**
 * Requests an organization. Failure `forbidden` where the actor need not or may not request one, `conflict` for a taken
 * id (path `id`) or while another request is pending, `tooMany`.
 */
export async function create(ctx: Context, { data }: NounRequest<unknown, NewPlaceRequest>) {
  const user = await requireTerms(ctx, 'ask')
  await countAttempt(ctx, limits.placeRequest(user.id))
  const id = crypto.randomUUID()
  await write(ctx, async (tx) => {
    await requireFreeId(tx, data.id)
    const insertion = await tx
      .insertInto('placeRequest')
      .values({
        ...requestRow(ctx, id, user.id),
        ...{ kind: 'new', placeId: null, wantedId: data.id, name: data.name },
        ...{ timeZone: data.timeZone ?? null, note: data.note ?? '' },
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (!insertion.numInsertedOrUpdatedRows)
      throw new Failure('conflict', {
        message: 'You have asked already. Take that request back to ask anew.',
      })
  })
  return findOwnRequest(ctx, id)
}

/** The actor's own requests, for new organizations and to join some, newest first; a hundred at most. */
export async function findOwn(ctx: Context) {
  const results = await selectPlaceRequests(ctx)
    .where('placeRequest.userId', '=', requirePerson(ctx).id)
    .orderBy('placeRequest.createdAt', 'desc')
    .orderBy('placeRequest.id')
    .limit(100)
    .execute()
  return { results, meta: { results: results.length, total: results.length } }
}

/** Withdraws a request of the actor. Failure `conflict` once it was answered; undefined: the actor has none with this id. */
export async function withdraw(ctx: Context, request: NounRequest) {
  const id = param(request, 'placeRequestId')
  const row = await findOwnRequest(ctx, id)
  if (!row) return undefined
  if (row.status === 'withdrawn') return row
  const { numUpdatedRows } = await ctx.db
    .updateTable('placeRequest')
    .set({ status: 'withdrawn', updatedAt: ctx.now() })
    .where('id', '=', id)
    .where('userId', '=', requirePerson(ctx).id)
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow()
  if (!numUpdatedRows) throw new Failure('conflict', { message: 'This request has been answered.' })
  return findOwnRequest(ctx, id)
}

/**
 * Creates the requested organization with the person as its administrator, and notifies them. Failure `conflict` once it
 * was answered or withdrawn, or where the id is taken by now (path `id`). Undefined: there is none.
 */
export async function accept(ctx: Context, request: NounRequest<unknown, Reply>) {
  const placeRequest = await write(ctx, async (tx) => {
    const row = await lockPending(tx, { id: param(request, 'placeRequestId'), kind: 'new' })
    if (!row) return undefined
    const { wantedId, name, timeZone, userId, userName } = row
    if (!wantedId || !name) throw new Failure('broken', { cause: new Error('A request without a name.') })
    const place = { id: wantedId, name, ...(timeZone !== null && { timeZone }) }
    await startPlace(tx, ctx, place, { id: userId, name: userName })
    await answer(tx, ctx, row.id, 'accepted', request.data.reply)
    return { ...row, name }
  })
  if (!placeRequest) return undefined
  await ctx.sendMail(placeMadeEmail(placeRequest.email, placeRequest.name, ctx.settings))
  return getAnswered(ctx, placeRequest.id)
}

/**
 * Declines a request for an organization, and notifies the person. Failure `conflict` as for `accept`; undefined: there
 * is none.
 */
export async function refuse(ctx: Context, request: NounRequest<unknown, Reply>) {
  const placeRequest = await write(ctx, async (tx) => {
    const row = await lockPending(tx, { id: param(request, 'placeRequestId'), kind: 'new' })
    if (row) await answer(tx, ctx, row.id, 'refused', request.data.reply)
    return row
  })
  if (!placeRequest) return undefined
  await ctx.sendMail(placeRefusedEmail(placeRequest.email, ctx.settings))
  return getAnswered(ctx, placeRequest.id)
}

const getAnswered = (ctx: Context, id: string) =>
  ctx.db
    .selectFrom('placeRequest')
    .innerJoin('user', 'user.id', 'placeRequest.userId')
    .select([...columns])
    .where('placeRequest.id', '=', id)
    .$narrowType<{ wantedId: string; name: string }>()
    .executeTakeFirst()

/** Requests as the person sees them: without who answered. The name of a request to join is that of the organization. */
const selectPlaceRequests = (ctx: Context) =>
  ctx.db
    .selectFrom('placeRequest')
    .leftJoin('place', 'place.id', 'placeRequest.placeId')
    .select([
      ...(
        ['id', 'kind', 'placeId', 'wantedId', 'note', 'status', 'reply', 'createdAt', 'answeredAt'] as const
      ).map((column) => `placeRequest.${column}` as const),
    ])
    .select(({ fn }) => fn.coalesce('place.displayName', 'placeRequest.name').as('name'))
    .$narrowType<{ name: string }>()

/** A request of the actor's own. */
export const findOwnRequest = (ctx: Context, id: string) =>
  selectPlaceRequests(ctx)
    .where('placeRequest.id', '=', id)
    .where('placeRequest.userId', '=', requirePerson(ctx).id)
    .executeTakeFirst()
