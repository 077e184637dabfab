import { dependsOn } from '#functions/platform/cache/depends.ts'
import { sql, type SqlBool } from 'kysely'
import { dataTable, emptyTable } from '#db/data-table.ts'
import type { Visibility } from '#db/schema.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import { maxJoins, type OfferedJoin } from '#functions/engine/query/index.ts'
import { whereVisible } from '#functions/domain/data-type/data-types.ts'
import { queryFields } from './fields.ts'
import { whereNearBox } from './near.ts'
import type { Scope } from './open.ts'
import { findDataType, whereInSources, buildReadings, recordsIn, listVisibleSources } from './readable.ts'
import { withSpread } from './spread.ts'

/** A resolved join. `join`: what the query language needs to know of it. */
export interface ResolvedJoin {
  join: OfferedJoin
  /**
   * Versions that an answer with this join depends on, by name; for a data type also its number of sources.
   */
  basis: [name: string, version: number][]
  /** How the records are selected from the table, alias `t`. */
  readings: ReturnType<typeof buildReadings>
  table: ReturnType<typeof emptyTable>
  sourceIds: string[]
}

/** A join as sent: of a source, or of all sources of a data type. */
interface NamedJoin {
  alias: string
  dataTypeId?: string
  sourceId?: string
}

/**
 * Resolves the joins of a query, as far as the actor may read them: sources of the query's place, at most as
 * private as `maxVisibility`, and, where the answer is for several readers, visible to all of them. Joins of
 * missing or invisible data are left out, so that the query language reports both alike ("Must be a defined
 * join!"). Adds sources and data types to what the answer depends on. Failure `invalid` for a join without a
 * source or data type.
 */
export async function resolveJoins(
  ctx: Context,
  joins: unknown,
  scope: Pick<Scope, 'placeId' | 'readers'>,
  maxVisibility: Visibility = 'private',
): Promise<ResolvedJoin[]> {
  const all: unknown[] = Array.isArray(joins) && joins.length <= maxJoins ? joins : []
  const requests = all.flatMap((each, i) => parseJoin(each, i) ?? [])
  const rows = await Promise.all(
    requests.map((each, i) => openJoin(ctx, each, `j${i + 1}`, scope, maxVisibility)),
  )
  return rows.flatMap((each) => each ?? [])
}

/** Reads a join; undefined for one that the query language rejects by itself. */
function parseJoin(join: unknown, index: number): NamedJoin | undefined {
  if (typeof join !== 'object' || join === null || !('alias' in join)) return undefined
  const { alias, dataTypeId, sourceId } = join as Record<string, unknown>
  if (typeof alias !== 'string') return undefined
  const ids = Object.entries({ dataTypeId, sourceId }).filter(([, id]) => id !== undefined && id !== null)
  const issue = (path: string[], message: string, value?: unknown) =>
    new Failure('invalid', { issues: [{ path: ['joins', index, ...path], message, value }] })
  if (ids.length === 0) throw issue([], 'Must have a dataTypeId or a sourceId.', join)
  for (const [name, id] of ids) if (typeof id !== 'string') throw issue([name], 'Must be a string.', id)
  return { alias, ...Object.fromEntries(ids) }
}

async function openJoin(
  ctx: Context,
  request: NamedJoin,
  name: string,
  { placeId, readers }: Pick<Scope, 'placeId' | 'readers'>,
  maxVisibility: Visibility,
): Promise<ResolvedJoin | undefined> {
  const { alias, sourceId } = request
  // In a private query, only a source given by id may be private: the visible sources of a data type differ
  // between readers.
  const forReaders = readers === 'private' && sourceId === undefined ? 'place' : readers
  const level = narrower(forReaders ?? maxVisibility, maxVisibility)
  if (sourceId === undefined) dependsOn(ctx, { lists: { source: placeId ?? null } })
  else dependsOn(ctx, { rows: { source: [sourceId] } })
  const of = sourceId === undefined ? { dataTypeId: request.dataTypeId } : { sourceId }
  const sources = await listVisibleSources(ctx, { placeId, ...of }, level)
  const dataTypeId = sourceId === undefined ? request.dataTypeId : sources[0]?.dataTypeId
  if (dataTypeId === undefined || (request.dataTypeId ?? dataTypeId) !== dataTypeId) return undefined
  const isSeen = sourceId === undefined ? whereVisible(ctx, placeId ?? null, forReaders) : sql<SqlBool>`true`
  const dataType = await findDataType(ctx, dataTypeId, isSeen)
  if (!dataType) return undefined
  const ids = sources.map(({ id }) => id)
  dependsOn(ctx, { rows: { dataType: [dataTypeId] }, shows: { source: ids } })
  const table = dataType.tableName && dataType.columns ? dataTable(dataType.tableName) : emptyTable()
  const join = {
    alias,
    fields: withSpread(queryFields(buildReadings(dataType, name), name), sources),
    geometry: sql.ref(`${name}.geometry`),
    near: (box: Parameters<typeof whereNearBox>[1]) => whereNearBox(sources, box, name),
    rowId: sql.ref(`${name}.id`),
    rows: recordsIn(sources),
    scope: {
      from: sql`${table} as ${sql.id(name)}`,
      where: [whereInSources(ids, name)],
    },
  }
  const readings = buildReadings(dataType, 't')
  const versions = sources.map(({ id, dataVersion }): [string, number] => [`source:${id}`, dataVersion])
  // Not a version of anything, but it keeps cached answers apart when a source is added or removed.
  const all: [string, number][] = sourceId === undefined ? [[`sources:${dataTypeId}`, ids.length]] : []
  const basis = [[`dataType:${dataTypeId}`, dataType.version] as [string, number], ...all, ...versions]
  return { join, basis, readings, table, sourceIds: ids }
}

/** From the most open to the most private. */
const levels: readonly Visibility[] = ['public', 'place', 'private']

function narrower(one: Visibility, other: Visibility): Visibility {
  return levels.indexOf(one) < levels.indexOf(other) ? one : other
}
