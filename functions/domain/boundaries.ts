import { sql } from 'kysely'
import { param, type Asked } from './asked.ts'
import { included } from './includes.ts'
import { filtered, ordered, page, searched, total } from './paging.ts'
import { dependOn } from './visible.ts'
import type { Context } from '../context.ts'
import type { ListOptions, OneOptions } from '../shapes/options.ts'

const columns = [
  'boundary.id',
  'boundary.code',
  'boundary.name',
  'boundary.type',
  'boundary.parentId',
  'boundary.hasAllStatesBoundary',
] as const

/** GeoJSON with six decimals, about a decimetre. One area can be megabytes, so it comes only when asked for. */
const area = sql<object | null>`ST_AsGeoJSON(${sql.ref('boundary.area')}, 6)::json`.as('area')

/** Boundaries by name. `includes=area` adds their geometry. */
export async function find(ctx: Context, { options }: Asked<ListOptions>) {
  const { search, filters, orderings, includes, ...cut } = options
  const query = ctx.db
    .selectFrom('boundary')
    .select([...columns, total])
    .$if(included(includes, 'area') !== null, (q) => q.select(area))
    .where(searched(search, ['boundary.name', 'boundary.code']))
    .where(filtered(filters, 'boundary'))
    .orderBy(ordered(orderings, 'boundary', sql.ref('boundary.name')))
  return page(query, cut)
}

/** One boundary. `includes=area` adds its geometry. */
export async function findById(ctx: Context, asked: Asked<OneOptions>) {
  const id = param(asked, 'boundaryId')
  dependOn(ctx, 'boundary', id)
  return ctx.db
    .selectFrom('boundary')
    .select(columns)
    .$if(included(asked.options.includes, 'area') !== null, (q) => q.select(area))
    .where('boundary.id', '=', id)
    .executeTakeFirst()
}
