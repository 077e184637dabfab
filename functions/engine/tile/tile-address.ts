import { hex, sha256 } from '#functions/platform/digest.ts'

/** The data of a tile: one source of a place, or all public ones of a data type in it. */
export interface TileSubject {
  placeId: string
  kind: 'source' | 'type'
  id: string
}

/** Identifies the data of a tile: the version of the one source, or a digest of the versions of all sources. */
export async function dataName(kind: TileSubject['kind'], versions: Record<string, number>): Promise<string> {
  if (kind === 'source') return String(Object.values(versions)[0] ?? 0)
  const parts = Object.keys(versions)
    .sort()
    .map((id) => `${id}:${versions[id]}`)
  return hex((await sha256(parts.join(','))).subarray(0, 8))
}

/**
 * The URL template of tiles for these data, with `{z}/{x}/{y}`. The place comes first: the edge knows what is public of
 * it without the database.
 */
export function tileAddress(
  layer: 'points' | 'shapes',
  { placeId, kind, id }: TileSubject,
  name: string,
  { fields = [], filters }: { fields?: string[]; filters?: unknown } = {},
): string {
  const query = new URLSearchParams()
  if (fields.length > 0) query.set('fields', fields.join(','))
  if (filters !== undefined) query.set('filters', JSON.stringify(filters))
  const text = query.size > 0 ? `?${query.toString()}` : ''
  return `/t/${layer}/${placeId}/${kind}/${id}@${name}/{z}/{x}/{y}.mvt${text}`
}
