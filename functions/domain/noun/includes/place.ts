import { dependsOn } from '#functions/platform/cache/depends.ts'
import { whereFiltered } from '../paging.ts'
import { relation } from './relation.ts'

/** The place of a source. */
export const place = relation({
  noun: 'place',
  by: 'placeId',
  isMany: false,
  columns: { id: 'text', name: 'text', displayName: 'text', isHub: 'boolean' },
  async load(ctx, { keys, condition }) {
    dependsOn(ctx, { rows: { place: keys } })
    const rows = await ctx.db
      .selectFrom('place')
      .select(['id', 'name', 'displayName', 'isHub', 'boundaryId'])
      .where('id', 'in', keys)
      .where('deletedAt', 'is', null)
      .where(whereFiltered(condition, 'place'))
      .execute()
    return rows.map((row) => ({ of: row.id, row }))
  },
})
