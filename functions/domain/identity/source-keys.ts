import type { Context } from '#functions/context.ts'
import { recordActivity } from '#functions/domain/activity/activity.ts'
import { param, requirePlaceId, type NounRequest } from '#functions/domain/noun/requests.ts'
import { write } from '#functions/domain/outbox/outbox.ts'
import type { NewSourceKey } from '#functions/shapes/key.ts'
import type { ListOptions } from '#functions/shapes/options.ts'
import { createSourceKey, listKeys, requireRoom, revokeKey } from './keys.ts'

/** The unrevoked write keys of a source, newest first. */
export async function find(ctx: Context, request: NounRequest<ListOptions>) {
  return listKeys(ctx, { sourceId: param(request, 'sourceId') }, request.options)
}

/**
 * Creates a key that may only write the data of the source; it is shown in this response only. Failure
 * `conflict` when there are too many.
 */
export async function create(ctx: Context, request: NounRequest<unknown, NewSourceKey>) {
  const sourceId = param(request, 'sourceId')
  const { name, expiresInDays: days } = request.data
  return write(ctx, async (tx) => {
    await tx.selectFrom('source').select('id').where('id', '=', sourceId).forUpdate().execute()
    await requireRoom(tx, { sourceId })
    const key = await createSourceKey(tx, sourceId, name, ctx.actor.user?.id ?? null, days)
    await recordActivity(tx, ctx, {
      verb: 'created',
      type: 'key',
      id: key.id,
      name,
      placeId: requirePlaceId(request),
    })
    return key
  })
}

/** Revokes a key of the source. Undefined: there is no such key, or it was revoked before. */
export async function deleteById(ctx: Context, request: NounRequest) {
  const [id, sourceId] = [param(request, 'keyId'), param(request, 'sourceId')]
  return write(ctx, async (tx) => {
    if (!(await revokeKey(tx, id, { sourceId }))) return undefined
    await recordActivity(tx, ctx, {
      verb: 'deleted',
      type: 'key',
      id,
      name: '',
      placeId: requirePlaceId(request),
    })
    return { id }
  })
}
