import { dataName, tileAddress, type TileSubject } from '#functions/engine/tile/tile-address.ts'
import type { StoredPlaceState } from '#functions/edge/hub/place-state.ts'

/** The deepest zoom of tiles. */
const deepestZoom = 22

/** The parsed address of a tile of records; its subject may not exist. */
export interface RecordTile {
  layer: 'points' | 'shapes'
  subject: TileSubject
  /** The name of its data versions. */
  name: string
  tile: { z: number; x: number; y: number }
  /** The query with its parameters sorted. */
  query: string
}

const pathForm =
  /^\/t\/(points|shapes)\/([a-z0-9-]{1,63})\/(source|type)\/([A-Za-z0-9_-]{1,128})@([0-9a-f]{1,16})\/(\d|1\d|2[0-2])\/(0|[1-9]\d{0,6})\/(0|[1-9]\d{0,6})\.mvt$/

/** Parses an address; null for one of another form, or outside of the world. */
export function readAddress({ pathname, search }: Pick<URL, 'pathname' | 'search'>): RecordTile | null {
  const match = pathForm.exec(pathname)
  if (!match) return null
  const [, layer, placeId = '', kind, id = '', name = '', ...place] = match
  const [z = 0, x = 0, y = 0] = place.map(Number)
  if (z > deepestZoom || x >= 2 ** z || y >= 2 ** z) return null
  const parts = search.replace(/^\?/, '').split('&').filter(Boolean)
  return {
    layer: layer as RecordTile['layer'],
    subject: { placeId, kind: kind as TileSubject['kind'], id },
    name,
    tile: { z, x, y },
    query: parts.sort().join('&'),
  }
}

/**
 * The data versions of a tile's subject by source, from the place's state; null where nothing of it is
 * public.
 */
export function findDataVersions(
  { kind, id }: TileSubject,
  { sources }: StoredPlaceState,
): Record<string, number> | null {
  const ownSources = Object.entries(sources).filter(([source, { dataType }]) =>
    kind === 'source' ? source === id : dataType === id,
  )
  return ownSources.length === 0
    ? null
    : Object.fromEntries(ownSources.map(([source, { version }]) => [source, version]))
}

/** The address of the same tile with the current data; null when it is this one. */
export async function currentAddress(
  { layer, subject, name, tile, query }: RecordTile,
  versions: Record<string, number>,
): Promise<string | null> {
  const current = await dataName(subject.kind, versions)
  if (current === name) return null
  const path = tileAddress(layer, subject, current).replace('{z}/{x}/{y}', `${tile.z}/${tile.x}/${tile.y}`)
  return query === '' ? path : `${path}?${query}`
}
