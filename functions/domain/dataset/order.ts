import { sql, type RawBuilder } from 'kysely'
import { isCalendarDate } from '#functions/shapes/field.ts'
import { buildOrderBy, type Key } from '#functions/domain/noun/keyset.ts'
import type { Dataset } from './open.ts'

const types = ['text', 'number', 'boolean', 'date'] as const

/**
 * The sort keys of records, for paging by position: without `orderings` the newest first by the data type's
 * date, records without one last, and of equals the last written first. Null for an order by anything but
 * plain fields, which allows paging by offset only.
 */
export function findSortKeys({ primaryDate, readings, env }: Dataset, orderings: unknown): Key[] | null {
  if (!Array.isArray(orderings) || orderings.length === 0) {
    const date = readings.find(({ key }) => key === primaryDate)
    const lastWritten: Key = { name: 'id', value: sql`t.id`, type: 'integer', direction: 'desc' }
    if (!date) return [lastWritten]
    const type = isCalendarDate(date.field) ? 'day' : 'date'
    return [{ name: date.key, value: date.value, type, direction: 'desc', nulls: 'last' }, lastWritten]
  }
  const keys = orderings.map((ordering: unknown) => {
    const { value, direction } = ordering as { value?: { field?: unknown }; direction?: unknown }
    const field = env.fields.find(({ path }) => path === value?.field)
    const type = field && isCalendarDate(field) ? 'day' : types.find((name) => name === field?.type)
    const way = direction === 'desc' ? 'desc' : 'asc'
    return field && type ? ({ name: field.path, value: field.sql, type, direction: way } as const) : null
  })
  if (!keys.every((key) => key !== null)) return null
  const id = env.fields.find(({ path }) => path === 'id')
  if (!id || keys.some(({ name }) => name === id.path)) return keys
  return [...keys, { name: id.path, value: id.sql, type: 'text', direction: 'asc' }]
}

/**
 * The source and id of the rows in each run of each source, as `p`, in order. An index has the order within a
 * source, so each part is read from it and the first rows of several sources are merged.
 */
export function selectPage(
  { scope, sourceIds }: Dataset,
  keys: Key[],
  runs: RawBuilder<unknown>[],
  where: RawBuilder<unknown>[],
  limit: number,
): { from: RawBuilder<unknown>; orderBy: RawBuilder<unknown> } {
  const names = keys.map((_, i) => `k${i}`)
  const values = keys.map(({ value }, i) => sql`${value} as ${sql.id(names[i] ?? '')}`)
  const isMerged = sourceIds.length > 1
  const rows = isMerged ? [sql`t.source_id = s.id`] : scope.where
  const parts = runs.map(
    (run) => sql`(select t.source_id as source_id, t.id as id, ${sql.join(values)} from ${scope.from}
      where ${sql.join([...rows, ...where, run], sql` and `)} order by ${buildOrderBy(keys)} limit ${limit}::int)`,
  )
  const row = sql`(${sql.join(parts, sql` union all `)})`
  const of = isMerged
    ? sql`(select runs.* from unnest(${sourceIds}::text[]) s(id) cross join lateral ${row} runs) runs`
    : sql`${row} runs`
  const order = (table: string) =>
    buildOrderBy(keys.map((key, i) => ({ ...key, value: sql.ref(`${table}.${names[i] ?? ''}`) })))
  const page = sql`(select * from ${of} order by ${order('runs')} limit ${limit}::int) p`
  return {
    from: sql`${page} join ${scope.from} on t.source_id = p.source_id and t.id = p.id`,
    orderBy: order('p'),
  }
}

/** Most rows that are merged; beyond that, a page of several sources is sorted as a whole. */
const maxMerged = 200_000

/** The first page by `selectPage`, where several sources are to be merged; undefined where one sort is enough. */
export function selectFirstPage(dataset: Dataset, keys: Key[], where: RawBuilder<unknown>[], limit: number) {
  const { length } = dataset.sourceIds
  if (length < 2 || length * limit > maxMerged) return undefined
  return selectPage(dataset, keys, [sql`true`], where, limit)
}
