import type { Context } from '#functions/context.ts'
import { recordActivity } from '#functions/domain/activity/activity.ts'
import { composeEmail, pathInPlace, placeNameIn } from '#functions/domain/email/email.ts'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import { write } from '#functions/domain/outbox/outbox.ts'
import { Failure } from '#functions/errors.ts'
import type { HandOver } from '#functions/shapes/place.ts'
import type { Tx } from '#db/schema.ts'
import { requireHandOut } from './invites.ts'
import { topRole } from './place-users.ts'

/**
 * Makes another member of the place its administrator instead of the actor, who gets another role or leaves, and
 * notifies the new one by email. Failure `conflict` where the actor is no administrator there, and for handing over to
 * oneself. Undefined: the person is not a member of the place.
 */
export async function handOver(ctx: Context, request: NounRequest<unknown, HandOver>) {
  const { user } = ctx.actor
  if (!user) throw new Failure('unauthenticated')
  const placeId = param(request, 'placeId')
  const userId = param(request, 'userId')
  const { role } = request.data
  if (userId === user.id) throw new Failure('conflict', { message: 'Choose someone else of the team.' })
  if (role !== null) await requireHandOut(ctx, role, placeId)
  const email = await write(ctx, async (tx) => {
    const people = await lockPeople(tx, placeId, [userId, user.id])
    const [heir, self] = [userId, user.id].map((id) => people.find((person) => person.userId === id))
    if (!heir) return undefined
    if (self?.role !== topRole)
      throw new Failure('conflict', { message: 'Only an administrator of the organization hands it over.' })
    // First the other, so that there is an administrator at every moment.
    await setRole(tx, placeId, userId, topRole)
    await recordActivity(tx, ctx, { verb: 'updated', type: 'user', id: userId, name: heir.name, placeId })
    if (role !== null) await setRole(tx, placeId, user.id, role)
    else
      await tx.deleteFrom('placeUser').where('placeId', '=', placeId).where('userId', '=', user.id).execute()
    const verb = role === null ? 'left' : 'updated'
    await recordActivity(tx, ctx, { verb, type: 'user', id: user.id, name: self.name, placeId })
    const { displayName } = await tx
      .selectFrom('place')
      .select('displayName')
      .where('id', '=', placeId)
      .executeTakeFirstOrThrow()
    return composeEmail(heir.email, ctx.settings, {
      subject: 'You are the administrator of an organization now',
      lines: [`${placeNameIn(displayName)} on Commonplace was handed over to you by its administrator.`],
      link: { label: 'See the team', path: pathInPlace('/team', placeId) },
    })
  })
  if (!email) return undefined
  await ctx.sendMail(email)
  return { id: userId }
}

/** Locks the memberships of some people in a place until the transaction ends, in a fixed order to avoid deadlocks. */
const lockPeople = (tx: Tx, placeId: string, userIds: string[]) =>
  tx
    .selectFrom('placeUser')
    .innerJoin('user', 'user.id', 'placeUser.userId')
    .select(['placeUser.userId', 'placeUser.role', 'user.name', 'user.email'])
    .where('placeUser.placeId', '=', placeId)
    .where('placeUser.userId', 'in', userIds)
    .orderBy('placeUser.userId')
    .forUpdate('placeUser')
    .execute()

const setRole = (tx: Tx, placeId: string, userId: string, role: string) =>
  tx
    .updateTable('placeUser')
    .set({ role })
    .where('placeId', '=', placeId)
    .where('userId', '=', userId)
    .execute()
