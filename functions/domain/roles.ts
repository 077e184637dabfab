import { sql } from 'kysely'
import { param, type Asked } from './asked.ts'
import { filtered, ordered, page, searched, total } from './paging.ts'
import type { Context } from '../context.ts'
import type { ListOptions } from '../shapes/options.ts'

const columns = ['role.id', 'role.name', 'role.scope', 'role.isBuiltIn', 'role.createdAt'] as const

const operations = sql<string[]>`array(select ro.operation_id from role_operation ro
  where ro.role_id = ${sql.ref('role.id')} order by ro.operation_id)`.as('operations')

/** Roles by name, each with the operations it may do. */
export async function find(ctx: Context, { options }: Asked<ListOptions>) {
  const { search, filters, orderings, ...cut } = options
  const query = ctx.db
    .selectFrom('role')
    .select([...columns, operations, total])
    .where(searched(search, ['role.id', 'role.name']))
    .where(filtered(filters, 'role'))
    .orderBy(ordered(orderings, 'role', sql.ref('role.name')))
  return page(query, cut)
}

/** One role with the operations it may do. */
export async function findById(ctx: Context, asked: Asked) {
  return ctx.db
    .selectFrom('role')
    .select([...columns, operations])
    .where('role.id', '=', param(asked, 'roleId'))
    .executeTakeFirst()
}
