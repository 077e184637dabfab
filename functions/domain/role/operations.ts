import { sql } from 'kysely'
import { recordActivity } from '#functions/domain/activity/activity.ts'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import { write } from '#functions/domain/outbox/outbox.ts'
import { capLimit, sortBy, listRows, whereFiltered, whereSearched } from '#functions/domain/noun/paging.ts'
import { insertNamed, updateKnown, updateRow } from '#functions/domain/noun/rows.ts'
import { isKnown, keptBySuperAdmin, findGrantRefusal } from '#functions/domain/access/grants.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { Issue } from '#functions/shapes/issue.ts'
import type { NewOperation, OperationChanges } from '#functions/shapes/operation.ts'
import type { ListOptions } from '#functions/shapes/options.ts'
import type { Tx } from '#db/schema.ts'

const columns = [
  'operation.id',
  'operation.area',
  'operation.sentence',
  'operation.isBuiltIn',
  'operation.version',
] as const

const roles = sql<string[]>`array(select ro.role_id from role_operation ro
  where ro.operation_id = ${sql.ref('operation.id')} order by ro.role_id)`.as('roles')

const operations = ({ db }: Context) => db.selectFrom('operation').select([...columns, roles])

const listing = {
  table: 'operation',
  order: [sortBy('area')],
  searchColumns: ['operation.id', 'operation.sentence'],
}

/** Operations by area and name, each with the roles that may do it. */
export async function find(ctx: Context, { options }: NounRequest<ListOptions>) {
  return listRows(ctx, operations(ctx), listing, options)
}

/** All operations under their areas, both by name: `limit` and `offset` are about areas. */
export async function group(ctx: Context, { options }: NounRequest<ListOptions>) {
  const { search, filters, offset = 0 } = options
  const { limit, capped: limitMeta } = capLimit(options.limit)
  const rows = await operations(ctx)
    .where(whereSearched(search, listing.searchColumns))
    .where(whereFiltered(filters, 'operation'))
    .orderBy('operation.area')
    .orderBy('operation.id')
    .execute()
  const areas = new Map<string, typeof rows>()
  for (const row of rows) areas.set(row.area, [...(areas.get(row.area) ?? []), row])
  const results = [...areas].map(([area, list]) => ({ area, operations: list })).slice(offset, offset + limit)
  return { results, meta: { results: results.length, total: areas.size, ...limitMeta } }
}

/** One operation with the roles that may do it. */
export async function findById(ctx: Context, request: Pick<NounRequest, 'params'>) {
  return operations(ctx).where('operation.id', '=', param(request, 'operationsId')).executeTakeFirst()
}

/** Creates an operation for the organization's own bookkeeping, which no code checks. `conflict` for an existing name. */
export async function create(ctx: Context, request: NounRequest<unknown, NewOperation>) {
  const { id, sentence, area = id.split('.')[0] ?? id, roles: roleIds = [] } = request.data
  if (isKnown(id)) throw nameTaken()
  await requireHolders(ctx, id, roleIds)
  await write(ctx, async (tx) => {
    await insertNamed(tx, 'operation', { id, area, sentence, isBuiltIn: false }, nameTaken())
    await setHolders(tx, id, roleIds)
    await recordActivity(tx, ctx, { verb: 'created', type: 'operation', id, name: id, placeId: null })
  })
  return findById(ctx, { params: { operationsId: id } })
}

const nameTaken = () => new Failure('conflict', { message: 'There is an operation with this name.' })

/** Changes how an operation is described, and which roles may do it from the next request on. */
export async function updateById(ctx: Context, request: NounRequest<unknown, OperationChanges>) {
  return updateKnown(
    ctx,
    request.data,
    () => findById(ctx, request),
    async (operation, data) => {
      const { roles: roleIds, ...changes } = data
      const { id } = operation
      if (roleIds) await requireHolders(ctx, id, roleIds)
      await write(ctx, async (tx) => {
        await updateRow(tx, ctx, 'operation', operation, changes)
        if (roleIds) await setHolders(tx, id, roleIds)
        await recordActivity(tx, ctx, { verb: 'updated', type: 'operation', id, name: id, placeId: null })
      })
    },
  )
}

/** Deletes an operation of the organization's own. `conflict` for one that the code checks. */
export async function deleteById(ctx: Context, request: NounRequest) {
  const operation = await findById(ctx, request)
  if (!operation) return undefined
  const { id } = operation
  if (operation.isBuiltIn || isKnown(id))
    throw new Failure('conflict', { message: 'This operation comes with the product.' })
  await write(ctx, async (tx) => {
    await setHolders(tx, id, [])
    await tx.deleteFrom('operation').where('id', '=', id).execute()
    await recordActivity(tx, ctx, { verb: 'deleted', type: 'operation', id, name: id, placeId: null })
  })
  return { id }
}

/** Grants the operation to exactly these roles. The version of each role that gains or loses it is incremented. */
async function setHolders(tx: Tx, operationId: string, roleIds: string[]) {
  const rows = await tx
    .selectFrom('roleOperation')
    .select('roleId')
    .where('operationId', '=', operationId)
    .execute()
  const before = new Set(rows.map((row) => row.roleId))
  const after = new Set(roleIds)
  const newRoles = [...after].filter((id) => !before.has(id))
  const changedRoles = [...newRoles, ...[...before].filter((id) => !after.has(id))]
  if (!changedRoles.length) return
  await tx
    .deleteFrom('roleOperation')
    .where('operationId', '=', operationId)
    .where('roleId', 'in', changedRoles)
    .execute()
  if (newRoles.length)
    await tx
      .insertInto('roleOperation')
      .values(newRoles.map((roleId) => ({ roleId, operationId })))
      .execute()
  await tx
    .updateTable('role')
    .set(({ eb }) => ({ version: eb('version', '+', 1) }))
    .where('id', 'in', changedRoles)
    .execute()
}

/** Throws `invalid`, with an issue for each role that does not exist or cannot have the operation; super admins keep theirs. */
async function requireHolders(ctx: Context, operation: string, roleIds: string[]) {
  const rows = await ctx.db.selectFrom('role').select(['id', 'scope']).execute()
  const issues = roleIds.flatMap((value, index): Issue[] => {
    const role = rows.find((row) => row.id === value)
    const message = role ? findGrantRefusal(role, operation) : 'There is no such role.'
    return message === null ? [] : [{ path: ['roles', index], value, message }]
  })
  if (isKnown(operation) && keptBySuperAdmin.includes(operation) && !roleIds.includes('super_admin'))
    issues.push({ path: ['roles'], message: 'Super admins keep this.' })
  if (issues.length) throw new Failure('invalid', { issues })
}
