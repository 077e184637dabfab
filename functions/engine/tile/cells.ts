import type { RawBuilder } from 'kysely'
import type { Failure } from '#functions/errors.ts'
import { deinterleave, keyLevel, type KeyRange } from './morton.ts'

/** The fields of records that a map shows beside their place: their keys, and where the database has their values. */
export type ShownFields = { key: string; value: RawBuilder<unknown> }[]

/**
 * Some records of a map cell: how many, and the sums of their columns and rows in cells of key level. `key`: where one
 * is alone, its own.
 */
export interface Group {
  cell: number
  n: number
  x: number
  y: number
  key: number
  /** The record that is alone in it, where it was read as well. */
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
 * What a question leaves of the records. `facet`: conditions on one field alone whose values are counted on the map;
 * `counts` has the same conditions on the rows `p` of those counts.
 */
export type Narrowing =
  | { by: 'nothing'; where: [] }
  | { by: 'facet'; where: RawBuilder<boolean>[]; counts: FacetValues }
  | { by: 'records'; where: RawBuilder<boolean>[] }

/** So many records are looked through, as the counts kept at a zoom from 0 to 9 have it. */
export interface LookThrough {
  zoom: number
  most: number
}

/** What a tile of points is made from: the database, or a pack of the records (`pack.ts`). */
export interface PointReader {
  /** How many records there are in all, by what is kept. */
  readonly count: number
  /** Kept counts at a zoom from 0 to 9: of all records, or of the values of a facet. In the order of their cells. */
  kept(zoom: number, ranges: KeyRange[], facet?: FacetValues): Promise<Group[]>
  /** How many records some key ranges hold, by the counts kept at a zoom. Cells that reach over an end count whole. */
  keptCount(zoom: number, ranges: KeyRange[]): Promise<number>
  /**
   * Counts the records themselves by cell of a level, at most 22. In the order of their cells. `shown`: what to read of a record that is alone
   * in one; a reader may leave it out.
   */
  counted(level: number, ranges: KeyRange[], where: Conditions, shown?: ShownFields): Promise<Group[]>
  /**
   * The records of some key ranges, in the order of their keys; null when they are more than `most`, or when kept counts say that
   * the ranges hold more than are to be looked through.
   */
  singles(
    ranges: KeyRange[],
    where: Conditions,
    shown: ShownFields,
    most: number,
    lookThrough?: LookThrough,
  ): Promise<Single[] | null>
  /** The records with these keys. */
  singlesAt(keys: number[], where: Conditions, shown: ShownFields): Promise<Single[]>
  /** The refusal of a question that would have to count too much. */
  refusal(): Failure
}

/** Deeper than this a cell's number would have no four bits more to tell where in it a record lies. */
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
/** Records in the order of their keys, and of their ids where they share one. */
export const inOrder = (a: Single, b: Single) => a.key - b.key || Number(a.id) - Number(b.id)

/** A row of what `sumByCell` counts. */
export function groupOf(row: GroupRow, level: number): Group {
  const width = 2 ** (keyLevel - level)
  const [cell, n] = [Number(row.cell), Number(row.n)]
  const { x, y } = deinterleave(cell)
  const middle = (corner: number, sixteenths: string) =>
    n * corner * width + ((Number(sixteenths) + n / 2) * width) / 16
  return { cell, n, x: middle(x, row.x), y: middle(y, row.y), key: Number(row.key) }
}
