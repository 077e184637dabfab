import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { Tx } from '#db/schema.ts'

/** The columns of a request for those who answer it, with the person. */
export const requestColumns = [
  'placeRequest.id',
  'placeRequest.note',
  'placeRequest.status',
  'placeRequest.reply',
  'placeRequest.createdAt',
  'placeRequest.answeredAt',
  'placeRequest.userId',
  'user.name as userName',
  'user.email',
] as const

/** What every new request has. */
export const requestRow = (ctx: Context, id: string, userId: string) => ({
  ...{ id, userId, answeredBy: null, createdAt: ctx.now(), updatedAt: ctx.now() },
})

/**
 * A pending request with its person, locked until the transaction ends. Failure `conflict` where it was answered or
 * withdrawn; undefined: there is none, or it is of another place.
 */
export async function lockPending(tx: Tx, of: { id: string; kind: 'new' } | { id: string; placeId: string }) {
  const row = await tx
    .selectFrom('placeRequest')
    .innerJoin('user', 'user.id', 'placeRequest.userId')
    .select([...requestColumns, 'placeRequest.wantedId', 'placeRequest.name', 'placeRequest.timeZone'])
    .where('placeRequest.id', '=', of.id)
    .where('placeRequest.kind', '=', 'kind' in of ? 'new' : 'join')
    .$if('placeId' in of, (q) => q.where('placeRequest.placeId', '=', 'placeId' in of ? of.placeId : ''))
    .forUpdate('placeRequest')
    .executeTakeFirst()
  if (row && row.status !== 'pending') {
    const message =
      row.status === 'withdrawn' ? 'This request has been taken back.' : 'This request has been answered.'
    throw new Failure('conflict', { message })
  }
  return row
}

/** Writes the answer to a request that was locked. */
export async function answer(
  tx: Tx,
  ctx: Context,
  id: string,
  status: 'accepted' | 'refused',
  reply = '',
): Promise<void> {
  const now = ctx.now()
  await tx
    .updateTable('placeRequest')
    .set({ status, reply, answeredBy: ctx.actor.user?.id ?? null, answeredAt: now, updatedAt: now })
    .where('id', '=', id)
    .execute()
}
