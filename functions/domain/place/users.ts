import { sql } from 'kysely'
import { recordActivity } from '#functions/domain/activity/activity.ts'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import { write } from '#functions/domain/outbox/outbox.ts'
import { sortBy, listRows } from '#functions/domain/noun/paging.ts'
import { withoutUndefined } from '#functions/domain/noun/versions.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { ListOptions } from '#functions/shapes/options.ts'
import type { UserChanges } from '#functions/shapes/user.ts'
import type { Tx } from '#db/schema.ts'

const columns = [
  'user.id',
  'user.email',
  'user.name',
  'user.image',
  'user.role',
  'user.authMethod',
  'user.onboarding',
  'user.createdAt',
] as const

const isVerified = sql<boolean>`${sql.ref('user.emailVerified')}`.as('verified')
const places = sql<{ id: string; name: string; displayName: string; role: string | null }[]>`coalesce((
  select json_agg(json_build_object('id', p.id, 'name', p.name, 'displayName', p.display_name, 'role', pu.role) order by pu.created_at, p.id)
  from place_user pu join place p on p.id = pu.place_id and p.deleted_at is null
  where pu.user_id = ${sql.ref('user.id')}), '[]')`.as('places')

/** All users by name, each with their places. */
export async function find(ctx: Context, { options }: NounRequest<ListOptions>) {
  const query = ctx.db.selectFrom('user').select([...columns, isVerified, places])
  return listRows(
    ctx,
    query,
    { table: 'user', order: [sortBy('name')], searchColumns: ['user.name', 'user.email'] },
    options,
  )
}

/** One user with their places. */
export async function findById(ctx: Context, request: NounRequest) {
  return ctx.db
    .selectFrom('user')
    .select([...columns, isVerified, places])
    .where('user.id', '=', param(request, 'userId'))
    .executeTakeFirst()
}

/**
 * Updates a person's name, picture or welcome state. Only super admins may change the global role, never their own; the
 * person is then signed out everywhere, so that no session keeps the old permissions.
 */
export async function updateById(ctx: Context, request: NounRequest<unknown, UserChanges>) {
  const id = param(request, 'userId')
  const { onboarding, ...changes } = request.data
  const isSelf = ctx.actor.user?.id === id
  if (changes.role !== undefined && (isSelf || ctx.actor.user?.role !== 'super_admin'))
    throw new Failure('forbidden')
  const user = await findById(ctx, request)
  if (!user) return undefined
  const isPromoted = changes.role !== undefined && changes.role !== user.role
  // Ending sessions of another person requires access to all accounts.
  await write({ ...ctx, transaction: ctx.accounts.transaction }, async (tx) => {
    await tx
      .updateTable('user')
      .set({
        ...withoutUndefined(changes),
        ...(onboarding && { onboarding: JSON.stringify(onboarding) }),
        updatedAt: ctx.now(),
      })
      .where('id', '=', id)
      .execute()
    if (isPromoted) await tx.deleteFrom('session').where('userId', '=', id).execute()
    await recordPrivileged(tx, ctx, 'updated', user)
  })
  return findById(ctx, request)
}

/**
 * Removes a user with sessions, keys and memberships. `conflict` for the only organization admin of a place, and for
 * the only super admin.
 */
export async function deleteById(ctx: Context, request: NounRequest) {
  const id = param(request, 'userId')
  const user = await findById(ctx, request)
  if (!user) return undefined
  await write(ctx, async (tx) => {
    await requireOtherAdmins(tx, user)
    await tx.deleteFrom('user').where('id', '=', id).execute()
    await recordPrivileged(tx, ctx, 'deleted', user)
  })
  return { id }
}

/** Locks the organization admins of the person's places, so that of two who leave concurrently one is still the last. */
async function requireOtherAdmins(tx: Tx, user: { id: string; role: string | null }) {
  const admins = await tx
    .selectFrom('placeUser')
    .innerJoin('place', 'place.id', 'placeUser.placeId')
    .select(['placeId', 'userId', 'place.displayName'])
    .where('role', '=', 'organization_admin')
    .where('placeId', 'in', (eb) =>
      eb
        .selectFrom('placeUser as own')
        .innerJoin('place', 'place.id', 'own.placeId')
        .select('own.placeId')
        .where('own.userId', '=', user.id)
        .where('own.role', '=', 'organization_admin')
        .where('place.deletedAt', 'is', null),
    )
    .orderBy('placeId')
    .orderBy('userId')
    .forUpdate('placeUser')
    .execute()
  const placesWithAdmins = new Set(admins.filter((row) => row.userId !== user.id).map((row) => row.placeId))
  const alone = admins.find((row) => !placesWithAdmins.has(row.placeId))
  if (alone)
    throw new Failure('conflict', {
      message: `${alone.displayName} needs an organization admin: hand it over first.`,
    })
  if (user.role !== 'super_admin') return
  const superAdmins = await tx
    .selectFrom('user')
    .select('id')
    .where('role', '=', 'super_admin')
    .orderBy('id')
    .forUpdate()
    .execute()
  if (superAdmins.length < 2) throw new Failure('conflict', { message: 'The product needs a super admin.' })
}

/** Changes of another person by a global role get an audit log entry of their own. */
async function recordPrivileged(
  tx: Tx,
  ctx: Context,
  verb: 'updated' | 'deleted',
  { id, name }: { id: string; name: string },
) {
  if (ctx.actor.user?.id === id) return
  await recordActivity(tx, ctx, { verb, type: 'user', id, name, placeId: null })
}
