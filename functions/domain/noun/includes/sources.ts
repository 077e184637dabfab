import { dependsOn } from '#functions/platform/cache/depends.ts'
import { sql } from 'kysely'
import { whereFiltered } from '../paging.ts'
import { whereRowsVisible } from '../visible.ts'
import { listFirstRows, rankInGroup, relation } from './relation.ts'

/** The sources of a data type, by name. */
export const sources = relation({
  noun: 'source',
  by: 'id',
  isMany: true,
  columns: { id: 'text', placeId: 'text', name: 'text', visibility: 'text' },
  async load(ctx, { keys, condition, limit, placeId = null, maxVisibility }) {
    dependsOn(ctx, { lists: { source: placeId } })
    const select = ctx.db
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
        'source.dataTypeId as of',
      ])
      .select(sql<number>`coalesce(${sql.ref('sourceStat.count')}, 0)`.as('count'))
      .select(rankInGroup('source.dataTypeId', sql`${sql.ref('source.name')}, ${sql.ref('source.id')}`))
      .where('source.dataTypeId', 'in', keys)
      .where(whereRowsVisible(ctx, 'source', maxVisibility))
      .where(whereFiltered(condition, 'source'))
      .$if(placeId !== null, (q) => q.where('source.placeId', '=', placeId as string))
    return listFirstRows(ctx, select, limit)
  },
})
