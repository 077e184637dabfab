import type { RawBuilder } from 'kysely'
import type { Failure } from '#functions/errors.ts'
import { deinterleave, keyLevel, type KeyRange } from './morton.ts'

/** The fields that a map shows of a record: their keys, and SQL for their values. */
export type ShownFields = { key: string; value: RawBuilder<unknown> }[]

/**
 * Records of a map cell: their number, and the sums of their columns and rows at key level. `key`: that of a single
 * record.
 */
export interface Group {
  cell: number
  n: number
  x: number
  y: number
  key: number
  /** The single record of a cell, if it was read. */
  single?: Single
}

/** One record on a map. `values`: of the fields shown, in their order. */
export interface Single {
  id: string
  key: number
  values: unknown[]
}

/** Conditions on the values `p` of a facet. */
export interface FacetValues {
  facet: string
  values: RawBuilder<boolean>[]
}

type Conditions = RawBuilder<unknown>[]

/**
 * The effect of a query on the records. `facet`: conditions on one field whose values are counted on the map; `counts`
 * has the same conditions for the rows `p` of those counts.
 */
export type QueryEffect =
  | { by: 'nothing'; where: [] }
  | { by: 'facet'; where: RawBuilder<boolean>[]; counts: FacetValues }
  | { by: 'records'; where: RawBuilder<boolean>[] }

/** The limit of examined records, by the stored counts at a zoom from 0 to 9. */
export interface LookThrough {
  zoom: number
  most: number
}

/** The input of point tiles: the database, or a pack of the records (`pack.ts`). */
export interface PointReader {
  /** The total number of records, from the stored counts. */
  readonly count: number
  /** Stored counts at a zoom from 0 to 9: of all records, or of values of a facet. In the order of their cells. */
  readStored(zoom: number, ranges: KeyRange[], facet?: FacetValues): Promise<Group[]>
  /** The number of records in some key ranges, by the stored counts of a zoom. Cells at the edges are counted completely. */
  keptCount(zoom: number, ranges: KeyRange[]): Promise<number>
  /**
   * Counts the records themselves by cell of a level, at most 22. In the order of their cells. `shownFields`: of a
   * record that is alone in its cell; optional for implementations.
   */
  countCells(
    level: number,
    ranges: KeyRange[],
    where: Conditions,
    shownFields?: ShownFields,
  ): Promise<Group[]>
  /**
   * The records of some key ranges, in the order of their keys; null when there are more than `most`, or when the ranges
   * have more than the limit of examined records by the stored counts.
   */
  singles(
    ranges: KeyRange[],
    where: Conditions,
    shownFields: ShownFields,
    most: number,
    lookThrough?: LookThrough,
  ): Promise<Single[] | null>
  /** The records with these keys. */
  singlesAt(keys: number[], where: Conditions, shownFields: ShownFields): Promise<Single[]>
  /** The Failure of a query that would have to count too many records. */
  refusal(): Failure
}

/** The deepest level at which a key has four more bits, for the sixteenth of a cell that contains the record. */
export const deepestLevel = keyLevel - 4

export interface Counts {
  cell: string
  n: string
  x: string
  y: string
}

export type GroupRow = Counts & { key: string }
export type SingleRow = Record<string, unknown> & { id: string; key: string }

/** Groups in the order of their cells. */
export const byCell = (a: Group, b: Group) => a.cell - b.cell
/** The order of records: by key, then by id. */
export const compareSingles = (a: Single, b: Single) => a.key - b.key || Number(a.id) - Number(b.id)

/** A row of what `sumByCell` counts. */
export function toGroup(row: GroupRow, level: number): Group {
  const width = 2 ** (keyLevel - level)
  const [cell, n] = [Number(row.cell), Number(row.n)]
  const { x, y } = deinterleave(cell)
  const sumCoordinates = (corner: number, sixteenths: string) =>
    n * corner * width + ((Number(sixteenths) + n / 2) * width) / 16
  return { cell, n, x: sumCoordinates(x, row.x), y: sumCoordinates(y, row.y), key: Number(row.key) }
}
