import type { QueryField, Spread } from '#functions/engine/query/index.ts'
import type { OpenSource } from './open.ts'

/**
 * Adds to fields how their values are distributed in the records of these sources, as far as the stored stats
 * tell: the counts of each value of texts and booleans, and how many integers lie between the least and the
 * greatest number. The query language estimates the size of joins from it.
 */
export function withSpread(fields: QueryField[], sources: readonly Pick<OpenSource, 'stat'>[]): QueryField[] {
  const filledSources = sources.filter(({ stat }) => stat.count > 0)
  return fields.map((field) => {
    const spread = findSpread(field, filledSources)
    return spread ? { ...field, spread } : field
  })
}

function findSpread(
  { path, type }: QueryField,
  sources: readonly Pick<OpenSource, 'stat'>[],
): Spread | undefined {
  if (path === 'sourceId') return { most: sources.length }
  if (!path.startsWith('data.')) return undefined
  const stats = sources.map(({ stat }) => stat.fields[path.slice('data.'.length)])
  if (type === 'number') {
    const ends = stats.flatMap((each) => [each?.min, each?.max]).filter((end) => typeof end === 'number')
    return ends.length > 0 ? { most: Math.max(...ends) - Math.min(...ends) + 1 } : undefined
  }
  if (type !== 'text' && type !== 'boolean') return undefined
  const values: Record<string, number> = Object.create(null) as Record<string, number>
  for (const each of stats) {
    if (!each?.values) return undefined
    for (const [value, count] of Object.entries(each.values)) values[value] = (values[value] ?? 0) + count
  }
  return { values }
}
