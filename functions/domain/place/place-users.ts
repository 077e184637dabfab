import { sql } from 'kysely'
import { recordActivity } from '#functions/domain/activity/activity.ts'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import { requireHandOut } from './invites.ts'
import { write } from '#functions/domain/outbox/outbox.ts'
import { sortBy, listRows } from '#functions/domain/noun/paging.ts'
import { mayHandOut } from '#functions/domain/access/grants.ts'
import { getAdminPlaceIds, readsAll } from '#functions/domain/access/identity.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { ListOptions } from '#functions/shapes/options.ts'
import type { PlaceUserChanges } from '#functions/shapes/place.ts'
import type { Tx } from '#db/schema.ts'

/** The role of which a place has one at least. */
export const topRole = 'organization_admin'

const where = {
  id: 'user.id',
  name: 'user.name',
  role: 'placeUser.role',
  createdAt: 'placeUser.createdAt',
}

/** Whether the actor may see the email addresses of the people of a place. */
export const maySeeAddresses = ({ actor }: Pick<Context, 'actor'>, placeId: string): boolean =>
  readsAll(actor) || getAdminPlaceIds(actor).includes(placeId)

/** The members of a place by name, with their role. Only admins see addresses. */
export async function find(ctx: Context, request: NounRequest<ListOptions>) {
  const placeId = param(request, 'placeId')
  const mayMail = maySeeAddresses(ctx, placeId)
  const query = people(ctx)
    .$if(mayMail, (q) => q.select('user.email'))
    .where('placeUser.placeId', '=', placeId)
  return listRows(
    ctx,
    query,
    {
      table: 'user',
      order: [sortBy('name')],
      searchColumns: mayMail ? ['user.name', 'user.email'] : ['user.name'],
      columns: where,
    },
    request.options,
  )
}

/**
 * Changes the role of a member, or removes it. `forbidden` when the old or new role has permissions that the actor
 * lacks; `conflict` for the last organization admin.
 */
export async function updateById(ctx: Context, request: NounRequest<unknown, PlaceUserChanges>) {
  const { placeId, userId, person } = await get(ctx, request)
  if (!person) return undefined
  const { role } = request.data
  if (role !== null) await requireHandOut(ctx, role, placeId)
  await requireBelow(ctx, person.role, placeId)
  await write(ctx, async (tx) => {
    if (role !== topRole) await requireOtherAdmin(tx, placeId, userId)
    await tx
      .updateTable('placeUser')
      .set({ role })
      .where('placeId', '=', placeId)
      .where('userId', '=', userId)
      .execute()
    await recordActivity(tx, ctx, { verb: 'updated', type: 'user', id: userId, name: person.name, placeId })
  })
  return { ...person, role }
}

/**
 * Removes a member from the place. `forbidden` for one with permissions that the actor lacks; `conflict` for the last
 * organization admin. Everyone may leave.
 */
export async function deleteById(ctx: Context, request: NounRequest) {
  const { placeId, userId, person } = await get(ctx, request)
  if (!person) return undefined
  const isSelf = ctx.actor.user?.id === userId
  if (!isSelf) await requireBelow(ctx, person.role, placeId)
  await write(ctx, async (tx) => {
    await requireOtherAdmin(tx, placeId, userId)
    await tx.deleteFrom('placeUser').where('placeId', '=', placeId).where('userId', '=', userId).execute()
    if (isSelf) await allowWritesIn(tx, placeId)
    await recordActivity(tx, ctx, { verb: 'left', type: 'user', id: userId, name: person.name, placeId })
  })
  return { id: userId }
}

/**
 * Allows writes in a place for the rest of a transaction, for a person who has just joined, or leaves without ever
 * having had a role: the places of the actor were set for row-level security when the transaction began.
 */
export async function allowWritesIn(tx: Tx, placeId: string): Promise<void> {
  await sql`select set_config('app.places',
    concat_ws(',', nullif(current_setting('app.places', true), ''), ${placeId}::text), true)`.execute(tx)
}

const people = (ctx: Context) =>
  ctx.db
    .selectFrom('placeUser')
    .innerJoin('user', 'user.id', 'placeUser.userId')
    .select(['user.id', 'user.name', 'user.image', 'placeUser.role', 'placeUser.createdAt'])

async function get(ctx: Context, request: NounRequest) {
  const placeId = param(request, 'placeId')
  const userId = param(request, 'userId')
  const person = await people(ctx)
    .where('placeUser.placeId', '=', placeId)
    .where('placeUser.userId', '=', userId)
    .executeTakeFirst()
  return { placeId, userId, person }
}

async function requireBelow(ctx: Context, role: string | null, placeId: string) {
  if (role === null || (await mayHandOut(ctx, role, placeId))) return
  throw new Failure('forbidden', { message: 'This person may do more here than you.' })
}

/** Locks the place's admins, so that of two who leave concurrently one is still the last. */
async function requireOtherAdmin(tx: Tx, placeId: string, userId: string) {
  const admins = await tx
    .selectFrom('placeUser')
    .select('userId')
    .where('placeId', '=', placeId)
    .where('role', '=', topRole)
    .forUpdate()
    .execute()
  if (admins.length === 1 && admins[0]?.userId === userId)
    throw new Failure('conflict', {
      message: 'The organization needs an organization admin: hand it over first.',
    })
}
