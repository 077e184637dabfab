import { dependsOn } from '#functions/platform/cache/depends.ts'
import { whereDataTypeVisible } from '#functions/domain/data-type/visibility.ts'
import { whereFiltered } from '../paging.ts'
import { relation } from './relation.ts'

/**
 * The data type of a source or an insight, if the actor may see it; a source's always. An insight may outlive the
 * sources that made its data type visible to its place.
 */
export const dataType = relation({
  noun: 'dataType',
  by: 'dataTypeId',
  isMany: false,
  columns: { id: 'text', name: 'text', category: 'text' },
  async load(ctx, { keys, condition }) {
    dependsOn(ctx, { rows: { dataType: keys } })
    const rows = await ctx.db
      .selectFrom('dataType')
      .select(['id', 'name', 'category', 'notes', 'schema', 'temporal', 'mappingLabelSchema'])
      .where('id', 'in', keys)
      .where(whereDataTypeVisible(ctx, null))
      .where(whereFiltered(condition, 'dataType'))
      .execute()
    return rows.map((row) => ({ of: row.id, row }))
  },
})
