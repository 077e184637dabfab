import { sql } from 'kysely'
import { included, picked } from './includes.ts'
import { filtered } from './paging.ts'
import { dependOnList, seen } from './visible.ts'
import type { Context } from '../context.ts'
import { Failure } from '../errors.ts'
import { readCondition } from '../shapes/listFilter.ts'
import type { Include } from '../shapes/options.ts'

/** Rows of data types with the sources that the actor may see of each, by name, when they were asked for. */
export async function withSources<Row extends { id: string }>(
  ctx: Context,
  rows: Row[],
  includes: Include[] | undefined,
  placeId: string | null,
) {
  const include = included(includes, 'sources')
  if (!include) return rows
  const sources = rows.length ? await sourcesOf(ctx, rows, include, placeId) : []
  return rows.map((row) => ({
    ...row,
    sources: sources
      .filter((source) => source.dataTypeId === row.id)
      .slice(0, include.limit)
      .map((source) => picked(source, include.attributes)),
  }))
}

async function sourcesOf(ctx: Context, rows: { id: string }[], include: Include, placeId: string | null) {
  const { condition, issues } = readCondition(include.filters, {
    id: 'text',
    placeId: 'text',
    name: 'text',
    visibility: 'text',
  })
  if (issues.length)
    throw new Failure('invalid', {
      issues: issues.map((issue) => ({ ...issue, path: ['includes', 'filters', ...issue.path] })),
    })
  dependOnList(ctx, 'source', placeId)
  const ids = rows.map((row) => row.id)
  const ranked = ctx.db
    .selectFrom('source')
    .leftJoin('sourceStat', 'sourceStat.sourceId', 'source.id')
    .select([
      'source.id',
      'source.placeId',
      'source.dataTypeId',
      'source.name',
      'source.notes',
      'source.visibility',
      'source.dataVersion',
      'source.dataUpdatedAt',
    ])
    .select(sql<number>`coalesce(${sql.ref('sourceStat.count')}, 0)`.as('count'))
    .select(
      sql<string>`row_number() over (partition by data_type_id order by source.name, source.id)`.as('rank'),
    )
    .where('source.dataTypeId', 'in', ids)
    .where(seen(ctx, 'source'))
    .where(filtered(condition, 'source'))
    .$if(placeId !== null, (q) => q.where('source.placeId', '=', placeId as string))
  const found = await ctx.db
    .selectFrom(ranked.as('ranked'))
    .selectAll()
    .where(sql<boolean>`rank <= ${include.limit}`)
    .orderBy('name')
    .orderBy('id')
    .execute()
  return found.map(({ rank: _rank, ...source }) => source)
}
