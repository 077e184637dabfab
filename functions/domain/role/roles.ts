import { sql } from 'kysely'
import { recordActivity } from '#functions/domain/activity/activity.ts'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import { write } from '#functions/domain/outbox/outbox.ts'
import { sortBy, listRows } from '#functions/domain/noun/paging.ts'
import { insertNamed, updateKnown, updateRow } from '#functions/domain/noun/rows.ts'
import { keptBySuperAdmin, findGrantRefusal } from '#functions/domain/access/grants.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { Issue } from '#functions/shapes/issue.ts'
import type { ListOptions } from '#functions/shapes/options.ts'
import type { NewRole, RoleChanges } from '#functions/shapes/role.ts'
import type { Tx } from '#db/schema.ts'

const columns = [
  'role.id',
  'role.name',
  'role.scope',
  'role.isBuiltIn',
  'role.version',
  'role.createdAt',
] as const

const operations = sql<string[]>`array(select ro.operation_id from role_operation ro
  where ro.role_id = ${sql.ref('role.id')} order by ro.operation_id)`.as('operations')

/** Roles by name, each with the operations it may do. */
export async function find(ctx: Context, { options }: NounRequest<ListOptions>) {
  const query = ctx.db.selectFrom('role').select([...columns, operations])
  return listRows(
    ctx,
    query,
    { table: 'role', order: [sortBy('name')], searchColumns: ['role.id', 'role.name'] },
    options,
  )
}

/** One role with the operations it may do. */
export async function findById(ctx: Context, request: Pick<NounRequest, 'params'>) {
  return ctx.db
    .selectFrom('role')
    .select([...columns, operations])
    .where('role.id', '=', param(request, 'roleId'))
    .executeTakeFirst()
}

/** Creates a role for places. `conflict` for an existing id, `invalid` for operations that a role of places cannot have. */
export async function create(ctx: Context, request: NounRequest<unknown, NewRole>) {
  const { id, name, operations: operationIds = [] } = request.data
  await requireGrants(ctx, { id, scope: 'place' }, operationIds)
  await write(ctx, async (tx) => {
    const refusal = new Failure('conflict', { message: 'There is a role with this id.' })
    await insertNamed(tx, 'role', { id, name, scope: 'place' }, refusal)
    await grant(tx, id, operationIds)
    await recordActivity(tx, ctx, { verb: 'created', type: 'role', id, name, placeId: null })
  })
  return findById(ctx, { params: { roleId: id } })
}

/**
 * Updates a role's name and its operations, with effect from the next request. Super admins keep the operations that
 * administering the product takes.
 */
export async function updateById(ctx: Context, request: NounRequest<unknown, RoleChanges>) {
  return updateKnown(
    ctx,
    request.data,
    () => findById(ctx, request),
    async (role, data) => {
      const { operations: operationIds, ...changes } = data
      const { id } = role
      if (operationIds) await requireGrants(ctx, role, operationIds)
      await write(ctx, async (tx) => {
        await updateRow(tx, ctx, 'role', role, changes)
        if (operationIds) {
          await tx.deleteFrom('roleOperation').where('roleId', '=', id).execute()
          await grant(tx, id, operationIds)
        }
        const name = changes.name ?? role.name
        await recordActivity(tx, ctx, { verb: 'updated', type: 'role', id, name, placeId: null })
      })
    },
  )
}

/** Deletes a custom role that nobody has or is invited to: `conflict` otherwise. */
export async function deleteById(ctx: Context, request: NounRequest) {
  const role = await findById(ctx, request)
  if (!role) return undefined
  const { id, name } = role
  if (role.isBuiltIn) throw new Failure('conflict', { message: 'This role comes with the product.' })
  await write(ctx, async (tx) => {
    // Concurrent assignments of the role wait for this lock.
    await tx.selectFrom('role').select('id').where('id', '=', id).forUpdate().execute()
    if (await isInUse(tx, id))
      throw new Failure('conflict', { message: 'This role is in use. Give its people another one first.' })
    await tx.deleteFrom('role').where('id', '=', id).execute()
    await recordActivity(tx, ctx, { verb: 'deleted', type: 'role', id, name, placeId: null })
  })
  return { id }
}

async function isInUse(tx: Tx, role: string): Promise<boolean> {
  const { rows } = await sql<{ isUsed: boolean }>`select
    exists (select from place_user where role = ${role})
    or exists (select from invite where role = ${role} and status = 'pending' and expires_at > now())
    as is_used`.execute(tx)
  return rows[0]?.isUsed ?? true
}

async function grant(tx: Tx, roleId: string, operationIds: string[]) {
  const grants = [...new Set(operationIds)].map((operationId) => ({ roleId, operationId }))
  if (grants.length) await tx.insertInto('roleOperation').values(grants).execute()
}

/** Throws `invalid`, with an issue for each operation that does not exist, that the role cannot have, or that it must keep. */
async function requireGrants(ctx: Context, role: { id: string; scope: string }, operationIds: string[]) {
  const rows = await ctx.db.selectFrom('operation').select('id').execute()
  const roleIds = new Set(rows.map((row) => row.id))
  const issues = operationIds.flatMap((value, index): Issue[] => {
    const message = roleIds.has(value) ? findGrantRefusal(role, value) : 'There is no such operation.'
    return message === null ? [] : [{ path: ['operations', index], value, message }]
  })
  const missing =
    role.id === 'super_admin' ? keptBySuperAdmin.filter((name) => !operationIds.includes(name)) : []
  if (missing.length)
    issues.push({ path: ['operations'], message: `Super admins keep ${missing.join(', ')}.` })
  if (issues.length) throw new Failure('invalid', { issues })
}
