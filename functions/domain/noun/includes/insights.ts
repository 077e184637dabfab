import { dependsOn } from '#functions/platform/cache/depends.ts'
import { sql } from 'kysely'
import { whereFiltered } from '../paging.ts'
import { whereRowsVisible } from '../visible.ts'
import { listFirstRows, rankInGroup, relation } from './relation.ts'

/** The insights of a collection, in its order. */
export const insights = relation({
  noun: 'insight',
  by: 'id',
  isMany: true,
  columns: { id: 'text', name: 'text', visibility: 'text', dataTypeId: 'text' },
  async load(ctx, { keys, condition, limit, placeId = null, maxVisibility }) {
    dependsOn(ctx, { lists: { insight: placeId } })
    const select = ctx.db
      .selectFrom('collectionInsight')
      .innerJoin('insight', 'insight.id', 'collectionInsight.insightId')
      .select([
        'insight.id',
        'insight.name',
        'insight.visibility',
        'insight.dataTypeId',
        'insight.visualization',
        'collectionInsight.position',
        'collectionInsight.notes',
        'collectionInsight.collectionId as of',
      ])
      .select(
        rankInGroup(
          'collectionInsight.collectionId',
          sql`${sql.ref('collectionInsight.position')}, ${sql.ref('insight.id')}`,
        ),
      )
      .where('collectionInsight.collectionId', 'in', keys)
      .where(whereRowsVisible(ctx, 'insight', maxVisibility))
      .where(whereFiltered(condition, 'insight'))
    return listFirstRows(ctx, select, limit)
  },
})
