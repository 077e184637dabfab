import type { Context } from '#functions/context.ts'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import { Failure } from '#functions/errors.ts'
import type { NewKey } from '#functions/shapes/key.ts'
import type { ListOptions } from '#functions/shapes/options.ts'
import { createAccountKey, listKeys, requireRoom } from './keys.ts'
import { recordOwn } from './own-activity.ts'
import { endOwnKey } from './own-keys.ts'

/** The person's unrevoked account keys, newest first. */
export async function find(ctx: Context, request: NounRequest<ListOptions>) {
  return listKeys(ctx, { userId: param(request, 'userId') }, request.options)
}

/**
 * Creates a key that acts as the person within its scope; it is shown in this response only. Failure
 * `forbidden` without a session, so that a leaked key cannot outlive its revocation in another one;
 * `conflict` when there are too many.
 */
export async function create(ctx: Context, request: NounRequest<unknown, NewKey>) {
  const userId = param(request, 'userId')
  if (!ctx.actor.session)
    throw new Failure('forbidden', { message: 'Sign in to make a key: keys make none.' })
  return ctx.transaction(async (tx) => {
    await tx.selectFrom('user').select('id').where('id', '=', userId).forUpdate().execute()
    await requireRoom(tx, { userId })
    const { name, scope, expiresInDays } = request.data
    const key = await createAccountKey(tx, userId, name, scope, expiresInDays)
    await recordOwn(tx, ctx, userId, 'created', { key })
    return key
  })
}

/**
 * Revokes one of the person's keys: an account key, or a write key they created, even in a place they have
 * left. Undefined: there is no such key, or it was revoked before.
 */
export async function deleteById(ctx: Context, request: NounRequest) {
  const id = param(request, 'keyId')
  return (await endOwnKey(ctx, param(request, 'userId'), id)) ? { id } : undefined
}
