import { Failure } from '#functions/errors.ts'
import { cellsPerTileBits, deinterleave, interleave, keyLevel, type KeyRange } from './morton.ts'
import {
  toGroup,
  compareSingles,
  type Group,
  type LookThrough,
  type PointReader,
  type ShownFields,
  type Single,
} from './cells.ts'
import { encodeTile } from './mvt.ts'
import { pointsIn } from './points.ts'
import type { TilePlace } from './features.ts'

/**
 * The records of a map with their locations: all its tiles can be made from it, at any zoom, without the database.
 * Records in the order of their keys, which are delta-encoded.
 */
export interface Pack {
  /** The total number of records, including those without a location. */
  count: number
  /** Keys of the fields that a record may show. */
  fields: string[]
  steps: number[]
  ids: string[]
  /** The shown values of each field. */
  values: unknown[][]
}

/** Larger packs would not fit into the memory of an isolate. */
export const maxPacked = 100_000

/** Makes a pack of records. */
export function buildPack(singles: Single[], shownFields: ShownFields, count: number): Pack {
  const sorted = [...singles].sort(compareSingles)
  return {
    count,
    fields: shownFields.map(({ key }) => key),
    steps: sorted.map(({ key }, i) => key - (sorted[i - 1]?.key ?? 0)),
    ids: sorted.map(({ id }) => id),
    values: shownFields.map((_, i) => sorted.map(({ values }) => toPackValue(values[i]))),
  }
}

const toPackValue = (value: unknown) => (value instanceof Date ? value.toISOString() : (value ?? null))

/**
 * Makes a tile from a pack, as from the database; null for an empty one. Byte for byte the same without filters. With
 * filters a tile may show individual records where the database would return clusters. Failure `invalid` for a field
 * that is not in the pack.
 */
export async function packedTile(
  pack: PackReader,
  tile: TilePlace,
  fields: string[],
): Promise<Uint8Array | null> {
  // SQL for values is only used with the database: a pack is read by keys alone.
  const shownFields = fields.map((key) => ({ key })) as unknown as ShownFields
  return encodeTile(await pointsIn(pack, { tile, narrowing: { by: 'nothing', where: [] }, shownFields }))
}

/** Reads a pack as `MapReader` reads the database; a test compares the two. */
export class PackReader implements PointReader {
  readonly count: number
  private readonly keys: Float64Array
  private readonly pack: Pack

  constructor(pack: Pack) {
    this.pack = pack
    this.count = pack.count
    this.keys = new Float64Array(pack.steps.length)
    let key = 0
    pack.steps.forEach((step, i) => (this.keys[i] = key += step))
  }

  refusal(): Failure {
    return new Failure('unavailable')
  }

  async readStored(zoom: number, ranges: KeyRange[]): Promise<Group[]> {
    const shrink = cellWidth(zoom)
    const groups = new Map<number, Group>()
    for (const key of this.keysIn(wider(ranges, zoom))) {
      const cell = Math.floor(key / shrink)
      const { x, y } = deinterleave(key)
      const group = groups.get(cell)
      if (group) {
        group.n += 1
        group.x += x
        group.y += y
      } else groups.set(cell, { cell, n: 1, x, y, key: interleave({ x, y }) })
    }
    return [...groups.values()]
  }

  async keptCount(zoom: number, ranges: KeyRange[]): Promise<number> {
    let count = 0
    for (const [from, to] of wider(ranges, zoom)) count += this.first(to) - this.first(from)
    return count
  }

  /** As in SQL: by the sixteenth of a cell that contains a record. */
  async countCells(level: number, ranges: KeyRange[]): Promise<Group[]> {
    const width = 4 ** (keyLevel - level - 4)
    const cells = new Map<number, { n: number; x: number; y: number; key: number }>()
    for (const key of this.keysIn(ranges)) {
      const part = Math.floor(key / width)
      const within = part % 256
      const { x, y } = deinterleave(within)
      const cell = Math.floor(part / 256)
      const group = cells.get(cell)
      if (group) {
        group.n += 1
        group.x += x
        group.y += y
      } else cells.set(cell, { n: 1, x, y, key })
    }
    return [...cells].map(([cell, { n, x, y, key }]) => {
      return toGroup(
        { cell: String(cell), n: String(n), x: String(x), y: String(y), key: String(key) },
        level,
      )
    })
  }

  async singles(
    ranges: KeyRange[],
    _where: unknown,
    shownFields: ShownFields,
    most: number,
    lookThrough?: LookThrough,
  ): Promise<Single[] | null> {
    if (lookThrough && (await this.keptCount(lookThrough.zoom, ranges)) > lookThrough.most) return null
    const rows: number[] = []
    for (const [from, to] of ranges)
      for (let at = this.first(from); at < this.first(to); at += 1) {
        if (rows.length === most) return null
        rows.push(at)
      }
    return this.records(rows, shownFields)
  }

  async singlesAt(keys: number[], _where: unknown, shownFields: ShownFields): Promise<Single[]> {
    const rows = keys.flatMap((key) => {
      const from = this.first(key)
      return Array.from({ length: this.first(key + 1) - from }, (_, i) => from + i)
    })
    return this.records(rows, shownFields).sort(compareSingles)
  }

  private records(places: number[], shownFields: ShownFields): Single[] {
    const columns = shownFields.map(({ key }) => this.pack.values[this.pack.fields.indexOf(key)] ?? [])
    return places.map((at): Single => {
      return {
        id: this.pack.ids[at] ?? '',
        key: this.keys[at] ?? 0,
        values: columns.map((column) => column[at]),
      }
    })
  }

  private *keysIn(ranges: KeyRange[]): Generator<number> {
    for (const [from, to] of ranges)
      for (let at = this.first(from), end = this.first(to); at < end; at += 1) yield this.keys[at] ?? 0
  }

  /** The place of the first record with this key or a greater one. */
  private first(key: number): number {
    let [low, high] = [0, this.keys.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.keys[middle] ?? 0) < key) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** The number of keys in a cell of a zoom. */
const cellWidth = (zoom: number) => 4 ** (keyLevel - zoom - cellsPerTileBits)

/** Key ranges extended to complete cells of a zoom. */
function wider(ranges: KeyRange[], zoom: number): KeyRange[] {
  const width = cellWidth(zoom)
  return ranges.map(([low, high]) => [Math.floor(low / width) * width, Math.ceil(high / width) * width])
}
