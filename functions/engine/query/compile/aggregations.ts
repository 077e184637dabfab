import { sql } from 'kysely'
import type { ParsedAggregation, Sql } from '../types.ts'
import { isGeometry } from './value.ts'
import { columnName } from './column.ts'

/**
 * One column of SELECT. Geometries are returned as GeoJSON in jsonb, because Postgres can group jsonb but not json.
 */
export function selectAggregation({ value }: ParsedAggregation, compiled: Sql, index: number): Sql {
  const answer = isGeometry(value.types[0]?.type) ? sql`ST_AsGeoJSON(${compiled})::jsonb` : compiled
  return sql`${answer} as ${sql.id(columnName(index))}`
}
