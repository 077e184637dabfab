import type { Context } from '#functions/context.ts'
import { readsClock } from '#functions/engine/query/index.ts'
import { MapReader } from './map/cells.ts'
import { maxFiltered } from '#functions/engine/tile/groups.ts'
import { narrowing } from './map/narrow.ts'
import { open } from './open.ts'
import { dataName, tileAddress } from '#functions/engine/tile/tile-address.ts'

/** The records of a map: the public ones of a place, of one source or (`sourceId` null) of a data type. */
interface MappedRecords {
  placeId: string
  dataTypeId: string
  sourceId: string | null
  /** Keys of the fields that the map shows of a record. */
  fields: string[]
  filters?: unknown
}

/**
 * The URL template of a map's tiles (`{z}/{x}/{y}`) for the current data. Null where tiles would not show the
 * same: records have several shapes each, or a filter cannot be answered in time at every zoom.
 */
export async function pointTiles(
  ctx: Context,
  { placeId, dataTypeId, sourceId, fields, filters }: MappedRecords,
): Promise<string | null> {
  if (readsClock(filters)) return null
  const scope = sourceId === null ? { placeId, dataTypeId } : { placeId, sourceId }
  const dataset = await open(ctx, scope, { maxVisibility: 'public', question: filters })
  if (dataset.sources.length === 0) return null
  if (dataset.readings.filter(({ isGeometry }) => isGeometry).length !== 1) return null
  const { by } = narrowing(dataset, { filters })
  if (by === 'records' && new MapReader(ctx, dataset).count > maxFiltered) return null
  const kind = sourceId === null ? 'type' : 'source'
  const versions = Object.fromEntries(dataset.sources.map(({ id, dataVersion }) => [id, dataVersion]))
  const subject = { placeId, kind, id: sourceId ?? dataTypeId } as const
  const request = filters === undefined ? { fields } : { fields, filters }
  return tileAddress('points', subject, await dataName(kind, versions), request)
}
