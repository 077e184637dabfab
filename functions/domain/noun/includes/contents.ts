import { dependsOn } from '#functions/platform/cache/depends.ts'
import { sql } from 'kysely'
import { whereFiltered } from '../paging.ts'
import { listFirstRows, rankInGroup, relation } from './relation.ts'

/** The contents of a page, in order. Visible with the page. */
export const contents = relation({
  noun: 'content',
  by: 'id',
  isMany: true,
  columns: { id: 'text', kind: 'text' },
  async load(ctx, { keys, condition, limit }) {
    dependsOn(ctx, { rows: { page: keys } })
    const select = ctx.db
      .selectFrom('content')
      .select(['content.id', 'content.pageId', 'content.kind', 'content.settings'])
      .select(['content.position', 'content.version', 'content.pageId as of'])
      .select(rankInGroup('content.pageId', sql`${sql.ref('content.position')}, ${sql.ref('content.id')}`))
      .where('content.pageId', 'in', keys)
      .where('content.deletedAt', 'is', null)
      .where(whereFiltered(condition, 'content'))
    return listFirstRows(ctx, select, limit)
  },
})
