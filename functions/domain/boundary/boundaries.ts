import { dependsOn } from '#functions/platform/cache/depends.ts'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import { withIncludes } from '#functions/domain/noun/includes.ts'
import { sortBy, listRows } from '#functions/domain/noun/paging.ts'
import type { Context } from '#functions/context.ts'
import type { ListOptions, OneOptions } from '#functions/shapes/options.ts'

const columns = [
  'boundary.id',
  'boundary.code',
  'boundary.name',
  'boundary.type',
  'boundary.parentId',
  'boundary.hasAllStatesBoundary',
] as const

/** Boundaries by name. `includes=area` adds their geometry. */
export async function find(ctx: Context, { options }: NounRequest<ListOptions>) {
  const { includes, ...request } = options
  const query = ctx.db.selectFrom('boundary').select([...columns])
  const page = await listRows(
    ctx,
    query,
    { table: 'boundary', order: [sortBy('name')], searchColumns: ['boundary.name', 'boundary.code'] },
    request,
  )
  return { ...page, results: await withIncludes(ctx, 'boundary', page.results, includes) }
}

/** One boundary. `includes=area` adds its geometry. */
export async function findById(ctx: Context, request: NounRequest<OneOptions>) {
  const id = param(request, 'boundaryId')
  dependsOn(ctx, { rows: { boundary: [id] } })
  const row = await ctx.db
    .selectFrom('boundary')
    .select(columns)
    .where('boundary.id', '=', id)
    .executeTakeFirst()
  return row && (await withIncludes(ctx, 'boundary', [row], request.options.includes))[0]
}
