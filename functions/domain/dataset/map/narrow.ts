import { sql, type RawBuilder } from 'kysely'
import { Failure } from '#functions/errors.ts'
import { QueryError, rows, type QueryField } from '#functions/engine/query/index.ts'
import { pyramidZoom } from '#functions/engine/tile/morton.ts'
import { facetName } from '../../records/pyramid.ts'
import { compileRows, type Dataset } from '../open.ts'
import type { QueryEffect } from '#functions/engine/tile/cells.ts'

/**
 * Classifies a query by how its records can be counted. Failure `invalid` for a query that is not valid. Only
 * filters on a single field can use a facet.
 */
export function narrowing(dataset: Dataset, query: Record<string, unknown>): QueryEffect {
  if (Object.keys(query).length === 0) return { by: 'nothing', where: [] }
  const { where } = compileRows(dataset, query)
  if (where.length === 0) return { by: 'nothing', where: [] }
  const { filters, where: also, timezone, customYearStart, ...rest } = query
  const isOnlyFilters = Object.values(rest).every(
    (part) => part === undefined || part === null || part === '',
  )
  if (!isOnlyFilters) return { by: 'records', where }
  for (const { facet, field } of getSharedFacets(dataset)) {
    const values = conditionsOn(field, dataset, { filters, where: also, timezone, customYearStart })
    if (values) return { by: 'facet', where, counts: { facet, values } }
  }
  return { by: 'records', where }
}

/** The conditions of a query on this field; null where it uses another one. */
function conditionsOn(
  field: QueryField,
  { env }: Dataset,
  query: Record<string, unknown>,
): RawBuilder<boolean>[] | null {
  const { geometry: _none, overlapsBounds: _neither, ...alone } = { ...env, fields: [field] }
  try {
    return rows(query, alone).where
  } catch (error) {
    if (error instanceof QueryError) return null
    throw error
  }
}

/** The facets that all sources with records have, each with its field as stored with the counts `p`. */
function getSharedFacets({ readings, sources, env }: Dataset): { facet: string; field: QueryField }[] {
  const filledSources = sources.filter(({ stat }) => stat.count > 0)
  return readings.flatMap(({ key, field: { type } }) => {
    const facet = facetName(key, type)
    const field = env.fields.find(({ path }) => path === `data.${key}`)
    if (!field || filledSources.length === 0 || !filledSources.every(({ facets }) => facets.includes(facet)))
      return []
    const value = sql`(case when p.value <> '' then substr(p.value, 2) end)`
    return [{ facet, field: { ...field, sql: type === 'boolean' ? sql`${value}::boolean` : value } }]
  })
}

/**
 * The Failure for a query that would have to count too many records; its message names fields that can be
 * filtered by alone.
 */
export function createTooManyRecordsError(dataset: Dataset): Failure {
  const names = getSharedFacets(dataset).map(({ field }) => field.path)
  const instead = names.length > 0 ? `, or filter by one of these alone: ${names.join(', ')}` : ''
  const message = `There are too many records to filter at this zoom. Zoom in to ${pyramidZoom + 1} or more${instead}.`
  return new Failure('invalid', { issues: [{ path: ['filters'], message }] })
}
