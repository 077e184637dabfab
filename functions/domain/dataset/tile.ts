import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import { readsClock } from '#functions/engine/query/index.ts'
import { keyLevel } from '#functions/engine/tile/morton.ts'
import { open, type Dataset, type Scope } from './open.ts'
import { MapReader, newer } from './map/cells.ts'
import { encodeTile } from '#functions/engine/tile/mvt.ts'
import { narrowing } from './map/narrow.ts'
import { maxPacked, buildPack, type Pack } from '#functions/engine/tile/pack.ts'
import { pointsIn } from '#functions/engine/tile/points.ts'
import { shapesIn } from './map/shapes.ts'
import type { TilePlace } from '#functions/engine/tile/features.ts'

export interface TileRequest {
  kind: 'points' | 'shapes'
  tile: TilePlace
  /** Keys of the fields whose values the features carry. */
  fields: readonly string[]
  /** Filters in the query language, and the options for dates in them. */
  query: { filters?: unknown; timezone?: unknown; customYearStart?: unknown }
  /** The data versions requested, by source. */
  versions: Record<string, number>
}

/**
 * A Mapbox Vector Tile of records; null for an empty one. Failure `unavailable` when the data versions are
 * not the requested ones, so that a tile is never stored under the wrong name. Failure `invalid` where the
 * query is not valid, or cannot be answered in time at this zoom.
 */
export async function tile(ctx: Context, scope: Scope, request: TileRequest): Promise<Uint8Array | null> {
  return buildTile(ctx, await openTiles(ctx, scope, request), request)
}

/**
 * All records of a map in one object, from which tiles can be made while the database is unavailable; null
 * where there are too many. Failures as for `tile`.
 */
export async function pack(
  ctx: Context,
  scope: Scope,
  request: Omit<TileRequest, 'tile' | 'kind'>,
): Promise<Pack | null> {
  const dataset = await openTiles(ctx, scope, request)
  const shownFields = request.fields.map((key) => getLabelField(dataset, key))
  const { by, where } = narrowing(dataset, request.query)
  const reader = new MapReader(ctx, dataset, { asOpened: true })
  const singles = await reader.singles([[0, 4 ** keyLevel]], where, shownFields, maxPacked)
  if (!singles) return null
  return buildPack(singles, shownFields, by === 'nothing' ? reader.count : singles.length)
}

/** Opens the records. Failure `unavailable` when their versions are not the requested ones. */
async function openTiles(
  ctx: Context,
  scope: Scope,
  request: Pick<TileRequest, 'query' | 'versions'>,
): Promise<Dataset> {
  if (readsClock(request.query.filters)) {
    const message = 'A tile is kept for good: its filters cannot ask what time it is.'
    throw new Failure('invalid', { issues: [{ path: ['filters'], message }] })
  }
  const dataset = await open(ctx, scope, { maxVisibility: 'public', question: request.query })
  const rows = dataset.sources.map(({ id, dataVersion }) => [id, dataVersion] as const)
  const isSame =
    rows.length === Object.keys(request.versions).length &&
    rows.every(([id, version]) => request.versions[id] === version)
  if (!isSame) throw newer()
  // The name of a tile does not include the place's time zone, so it must not depend on it.
  const env = { ...dataset.env, timeZone: 'UTC' }
  return { ...dataset, env }
}

/** A tile of a dataset that is already open. */
export async function buildTile(
  ctx: Context,
  dataset: Dataset,
  { kind, tile, fields, query }: Omit<TileRequest, 'versions'>,
): Promise<Uint8Array | null> {
  const shownFields = fields.map((key) => getLabelField(dataset, key))
  const request = { tile, shownFields, narrowing: narrowing(dataset, query) }
  const reader = new MapReader(ctx, dataset, { asOpened: true })
  const shapes = kind === 'shapes' ? await shapesIn(reader, request) : null
  const layers = shapes ?? (await pointsIn(reader, request))
  return encodeTile(layers)
}

/** A field by its key. Failure `invalid` unless its values fit on a label. */
function getLabelField({ readings }: Dataset, key: string): Dataset['readings'][number] {
  const row = readings.find((each) => each.key === key)
  if (row && ['text', 'number', 'boolean', 'date'].includes(row.field.type)) return row
  const message = 'Not a valid field: a text, number, boolean or date of the data.'
  throw new Failure('invalid', { issues: [{ path: ['fields'], value: key, message }] })
}
