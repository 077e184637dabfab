import { dependsOn } from '#functions/platform/cache/depends.ts'
import { sql } from 'kysely'
import { whereFiltered } from '../paging.ts'
import { listFirstRows, rankInGroup, relation } from './relation.ts'

/** The texts of a collection, in its order. Visible with the collection. */
export const texts = relation({
  noun: 'text',
  by: 'id',
  isMany: true,
  columns: { id: 'text', title: 'text' },
  async load(ctx, { keys, condition, limit }) {
    dependsOn(ctx, { rows: { collection: keys } })
    const position = sql`${sql.ref('collectionText.position')}, ${sql.ref('collectionText.id')}`
    const select = ctx.db
      .selectFrom('collectionText')
      .select(['collectionText.id', 'collectionText.title', 'collectionText.html'])
      .select(['collectionText.position', 'collectionText.version', 'collectionText.collectionId as of'])
      .select(rankInGroup('collectionText.collectionId', position))
      .where('collectionText.collectionId', 'in', keys)
      .where('collectionText.deletedAt', 'is', null)
      .where(whereFiltered(condition, 'collectionText'))
    return listFirstRows(ctx, select, limit)
  },
})
