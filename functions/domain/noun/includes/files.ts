import { sql, type SqlBool } from 'kysely'
import { whereFiltered } from '../paging.ts'
import { listFirstRows, rankInGroup, relation } from './relation.ts'

/** The uploaded files that an importer reads, newest first. Files that were deleted since are missing. */
export const files = relation({
  noun: 'file',
  by: 'id',
  isMany: true,
  columns: { id: 'text', name: 'text', createdAt: 'date' },
  async load(ctx, { keys, condition, limit }) {
    const newest = sql`${sql.ref('asset.createdAt')} desc, ${sql.ref('asset.id')}`
    const select = ctx.db
      .selectFrom('asset')
      .innerJoin('importer', 'importer.sourceId', 'asset.sourceId')
      .select(['asset.id', 'asset.name', 'asset.createdAt', 'importer.id as of'])
      .select(rankInGroup('importer.id', newest))
      .where('importer.id', 'in', keys)
      .where('asset.purpose', '=', 'source')
      .where('asset.state', '=', 'ready')
      .where('asset.deletedAt', 'is', null)
      .where(
        sql<SqlBool>`importer.sources @> jsonb_build_array(jsonb_build_object('url', 'file:' || asset.id))`,
      )
      .where(whereFiltered(condition, 'asset'))
    return listFirstRows(ctx, select, limit)
  },
})
