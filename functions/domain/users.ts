import { sql } from 'kysely'
import { param, type Asked } from './asked.ts'
import { filtered, ordered, page, searched, total } from './paging.ts'
import { said } from './versions.ts'
import type { Context } from '../context.ts'
import { Failure } from '../errors.ts'
import type { ListOptions } from '../shapes/options.ts'
import type { UserChanges } from '../shapes/user.ts'

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

const verified = sql<boolean>`${sql.ref('user.emailVerified')}`.as('verified')
const places = sql<{ id: string; name: string; displayName: string; role: string | null }[]>`coalesce((
  select json_agg(json_build_object('id', p.id, 'name', p.name, 'displayName', p.display_name, 'role', pu.role) order by pu.created_at, p.id)
  from place_user pu join place p on p.id = pu.place_id and p.deleted_at is null
  where pu.user_id = ${sql.ref('user.id')}), '[]')`.as('places')

/** All users by name, each with their places. */
export async function find(ctx: Context, { options }: Asked<ListOptions>) {
  const { search, filters, orderings, ...cut } = options
  const query = ctx.db
    .selectFrom('user')
    .select([...columns, verified, places, total])
    .where(searched(search, ['user.name', 'user.email']))
    .where(filtered(filters, 'user'))
    .orderBy(ordered(orderings, 'user', sql.ref('user.name')))
  return page(query, cut)
}

/** One user with their places. */
export async function findById(ctx: Context, asked: Asked) {
  return ctx.db
    .selectFrom('user')
    .select([...columns, verified, places])
    .where('user.id', '=', param(asked, 'userId'))
    .executeTakeFirst()
}

/** Changes a person's name, picture or welcome. The global role is only for super admins to give, never to oneself. */
export async function updateById(ctx: Context, asked: Asked<unknown, UserChanges>) {
  const id = param(asked, 'userId')
  const { onboarding, ...changes } = asked.data
  const isSelf = ctx.actor.user?.id === id
  if (changes.role !== undefined && (isSelf || ctx.actor.user?.role !== 'super_admin'))
    throw new Failure('forbidden')
  await ctx.db
    .updateTable('user')
    .set({
      ...said(changes),
      ...(onboarding && { onboarding: JSON.stringify(onboarding) }),
      updatedAt: ctx.now(),
    })
    .where('id', '=', id)
    .execute()
  return findById(ctx, asked)
}

/** Removes a user with sessions, keys and memberships. `conflict` for the only organization admin of a place. */
export async function deleteById(ctx: Context, asked: Asked) {
  const id = param(asked, 'userId')
  const user = await findById(ctx, asked)
  if (!user) return undefined
  await ctx.transaction(async (tx) => {
    const needed = await sql<{ placeId: string }>`
      select place_id from place_user where user_id = ${id} and role = 'organization_admin'
      and not exists (select from place_user other where other.place_id = place_user.place_id
        and other.user_id <> ${id} and other.role = 'organization_admin')`.execute(tx)
    const [first] = needed.rows
    if (first) throw new Failure('conflict', { say: `${first.placeId} needs an organization admin.` })
    await tx.deleteFrom('user').where('id', '=', id).execute()
  })
  return { id }
}
