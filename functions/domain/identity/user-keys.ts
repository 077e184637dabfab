import type { Context } from '#functions/context.ts'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import { Failure } from '#functions/errors.ts'
import type { NewKey } from '#functions/shapes/key.ts'
import type { ListOptions } from '#functions/shapes/options.ts'
import { createAccountKey, listKeys, requireRoom } from './keys.ts'
import { recordOwn } from './own-activity.ts'
import { endOwnKey } from './own-keys.ts'

/** The person's account keys, newest first, without what has been revoked. */
export async function find(ctx: Context, request: NounRequest<ListOptions>) {
  return listKeys(ctx, { userId: param(request, 'userId') }, request.options)
}

/**
 * Makes a key that acts as the person, as far as its scope goes; it is shown in this answer and never again. Only who is signed in with a session
 * makes one: a key that was found must not live on in another after it is revoked. `conflict` when there are too many.
 */
export async function create(ctx: Context, request: NounRequest<unknown, NewKey>) {
  const userId = param(request, 'userId')
  if (!ctx.actor.session) throw new Failure('forbidden', { say: 'Sign in to make a key: keys make none.' })
  return ctx.transaction(async (tx) => {
    await tx.selectFrom('user').select('id').where('id', '=', userId).forUpdate().execute()
    await requireRoom(tx, { userId })
    const { name, scope, expiresInDays } = request.data
    const made = await createAccountKey(tx, userId, name, scope, expiresInDays)
    await recordOwn(tx, ctx, userId, 'created', { key: made })
    return made
  })
}

/**
 * Ends one of the person's keys at once: an account key, or a write key they made, wherever they are now. Undefined: there
 * is no such key, or it has ended.
 */
export async function deleteById(ctx: Context, request: NounRequest) {
  const id = param(request, 'keyId')
  return (await endOwnKey(ctx, param(request, 'userId'), id)) ? { id } : undefined
}
