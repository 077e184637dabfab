import { sql, type RawBuilder } from 'kysely'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import {
  cellsPerTileBits,
  deinterleave,
  interleave,
  keyLevel,
  type KeyRange,
} from '#functions/engine/tile/morton.ts'
import { hex } from '#functions/platform/digest.ts'
import { run, type Dataset } from '../open.ts'
import { createTooManyRecordsError } from './narrow.ts'
import {
  byCell,
  toGroup,
  compareSingles,
  type Counts,
  type FacetValues,
  type Group,
  type GroupRow,
  type LookThrough,
  type PointReader,
  type ShownFields,
  type Single,
  type SingleRow,
} from '#functions/engine/tile/cells.ts'

type Conditions = RawBuilder<unknown>[]
/**
 * Reads the records of a dataset by location. A map may take several statements, each of which finds rows only
 * while the data versions are those of the dataset. They are short because under row-level security a long one
 * takes longer to plan than to run.
 */
export class MapReader implements PointReader {
  readonly ctx: Context
  readonly dataset: Dataset
  /**
   * A condition that holds while the data versions are those of the dataset: versions only grow, so comparing their sum
   * is enough.
   */
  private readonly isSame: RawBuilder<boolean>
  private readonly counts = new Map<string, number>()

  /** With `asOpened` each statement reads the data versions that the dataset was opened with, or fails. */
  constructor(ctx: Context, dataset: Dataset, { asOpened = false }: { asOpened?: boolean } = {}) {
    this.ctx = ctx
    this.dataset = dataset
    const versionSum = String(dataset.sources.reduce((sum, { dataVersion }) => sum + dataVersion, 0))
    this.isSame = asOpened
      ? sql<boolean>`app_data_versions(${dataset.sourceIds}::text[]) = ${versionSum}`
      : sql<boolean>`true`
  }

  /** The number of records, from the stored stats. */
  get count(): number {
    return this.dataset.sources.reduce((sum, { stat }) => sum + stat.count, 0)
  }

  /** The Failure for a query that would have to count too many records. */
  refusal(): Failure {
    return createTooManyRecordsError(this.dataset)
  }

  /**
   * Stored counts at a zoom from 0 to 9: of all records, or of values of a facet. In the order of their
   * cells.
   */
  async readStored(zoom: number, ranges: KeyRange[], facet?: FacetValues): Promise<Group[]> {
    const facetCondition = facet
      ? sql`and p.facet = ${facet.facet} and ${sql.join(facet.values, sql` and `)}`
      : sql``
    const table = sql`${sql.table(facet ? 'facet_pyramid' : 'cluster_pyramid')} p`
    const cells = sql`${fromRanges(table, sql`p.cell`, toCellRanges(ranges, zoom))}
      and ${this.isOwnSource(sql`p.source_id`)} and p.z = ${zoom}::smallint ${facetCondition} and ${this.isSame}`
    // For a single source each cell is one row already.
    const isSummed = facet !== undefined || ranges.length > 1 || this.dataset.sourceIds.length !== 1
    const rows = await this.ask<Counts>(
      isSummed
        ? sql`select p.cell, sum(p.n) as n, sum(p.sum_x) as x, sum(p.sum_y) as y ${cells} group by p.cell`
        : sql`select p.cell, p.n, p.sum_x as x, p.sum_y as y ${cells}`,
    )
    const groups = rows.map(({ cell, n, x, y }): Group => {
      const [column, row] = [Number(x), Number(y)]
      return { cell: Number(cell), n: Number(n), x: column, y: row, key: interleave({ x: column, y: row }) }
    })
    return groups.sort(byCell)
  }

  /**
   * The number of records in key ranges, from the counts stored at a zoom. Cells that extend beyond a range
   * count in full.
   */
  async keptCount(zoom: number, ranges: KeyRange[]): Promise<number> {
    const name = buildCountKey(zoom, ranges)
    const storedCount = this.counts.get(name)
    if (storedCount !== undefined) return storedCount
    const [row] = await this.ask<{ total: string }>(sql`${this.sumKept(zoom, ranges)} having ${this.isSame}`)
    const count = Number(row?.total ?? 0)
    this.counts.set(name, count)
    return count
  }

  /**
   * Counts the records by cell of a level (22 at most), in the order of the cells; with `shownFields` a record that is
   * alone in its cell is returned as well.
   */
  async countCells(
    level: number,
    ranges: KeyRange[],
    where: Conditions,
    shownFields?: ShownFields,
  ): Promise<Group[]> {
    const cells = sql`with ${sumByCell(level, sql`t.key`, this.rows(ranges, [...where, this.isSame]))}`
    if (!shownFields) {
      const rows = await this.ask<GroupRow>(sql`${cells} select * from p`)
      return rows.map((row) => toGroup(row, level)).sort(byCell)
    }
    const { scope } = this.dataset
    const alone = sql`
      select ${singleColumns(shownFields)} from ${scope.from}
      where ${sql.join([...scope.where, ...where], sql` and `)} and t.key = case when p.n = 1 then p.key end`
    const rows = await this.ask<GroupRow & SingleRow>(sql`
      ${cells} select p.cell, p.n, p.x, p.y, s.* from p left join lateral (${alone}) s on true`)
    return rows
      .map((row): Group =>
        row.id === null
          ? toGroup(row, level)
          : { ...toGroup(row, level), single: toSingle(row, shownFields) },
      )
      .sort(byCell)
  }

  /**
   * The records in key ranges, in the order of their keys; null when there are more than `most`, or more candidates than
   * `lookThrough`: the statement counts these first, and reads none then.
   */
  async singles(
    ranges: KeyRange[],
    where: Conditions,
    shownFields: ShownFields,
    most: number,
    lookThrough?: LookThrough,
  ): Promise<Single[] | null> {
    const limitRows = (conditions: Conditions) =>
      sql`select ${singleColumns(shownFields)} ${this.rows(ranges, conditions)} limit ${most + 1}::int`
    const isCountedFirst = lookThrough !== undefined && this.count > lookThrough.most
    const rows = isCountedFirst
      ? await this.ask<SingleRow & { total: string }>(sql`
          select k.total, s.* from (${this.sumKept(lookThrough.zoom, ranges)} having ${this.isSame}) k
          left join lateral (${limitRows([...where, sql`k.total <= ${lookThrough.most}::int`])}) s on true`)
      : await this.ask<SingleRow>(limitRows([...where, this.isSame]))
    const [first] = rows
    if (isCountedFirst && first && 'total' in first) {
      const total = Number(first.total)
      this.counts.set(buildCountKey(lookThrough.zoom, ranges), total)
      if (total > lookThrough.most) return null
    }
    if (rows.length > most) return null
    // A row with the requested count may have no record.
    const records = rows.filter(({ id }) => id !== null)
    return records.map((row) => toSingle(row, shownFields)).sort(compareSingles)
  }

  /** The records with these keys. */
  async singlesAt(keys: number[], where: Conditions, shownFields: ShownFields): Promise<Single[]> {
    if (keys.length === 0) return []
    const { scope } = this.dataset
    const rows = await this.ask<SingleRow>(sql`
      select ${singleColumns(shownFields)} from ${scope.from}
      where ${sql.join([...scope.where, ...where], sql` and `)} and t.key = any(${keys}::bigint[]) and ${this.isSame}`)
    return rows.map((row) => toSingle(row, shownFields)).sort(compareSingles)
  }

  /** A statement for the number of records in key ranges, from the counts stored at a zoom. */
  private sumKept(zoom: number, ranges: KeyRange[]): RawBuilder<unknown> {
    return sql`
      select coalesce(sum(p.n), 0) as total ${fromRanges(sql`cluster_pyramid p`, sql`p.cell`, toCellRanges(ranges, zoom))}
        and ${this.isOwnSource(sql`p.source_id`)} and p.z = ${zoom}::smallint`
  }

  /**
   * Runs a statement that finds rows only while `isSame` holds. Failure `unavailable` where it does not. An empty result
   * is ambiguous, so the versions are queried after it: if they still match, the result is valid.
   */
  private async ask<Row>(statement: RawBuilder<unknown>): Promise<Row[]> {
    const { ctx, dataset } = this
    const rows = await run(ctx, dataset, sql<Row>`${statement}`)
    if (rows.length > 0) return rows
    const [first] = await run(ctx, dataset, sql<{ isSame: boolean }>`select ${this.isSame} as "isSame"`)
    if (first?.isSame !== true) throw newer()
    return rows
  }

  /** Like `ask`, for any statement. */
  async askOfSame<Row>(statement: RawBuilder<unknown>): Promise<Row[]> {
    return this.ask<Row>(sql`select b.* from (${statement}) b where ${this.isSame}`)
  }

  /** FROM and WHERE for the records in key ranges. */
  rows(ranges: KeyRange[], where: Conditions): RawBuilder<unknown> {
    const { scope } = this.dataset
    return sql`${fromRanges(scope.from, sql`t.key`, ranges)} and ${sql.join([...scope.where, ...where], sql` and `)}`
  }

  /** A condition on the dataset's sources. A single one is compared by equality, which an index answers. */
  private isOwnSource(column: RawBuilder<unknown>): RawBuilder<boolean> {
    const { sourceIds } = this.dataset
    return sourceIds.length === 1
      ? sql<boolean>`${column} = ${sourceIds[0]}`
      : sql<boolean>`${column} = any(${sourceIds}::text[])`
  }
}

/** The columns read of a record: its id as text, its key, the shown fields as f0, f1 and so on. */
export function singleColumns(shownFields: ShownFields): RawBuilder<unknown> {
  const values = shownFields.map(({ value }, i) => sql`${value} as ${sql.id(`f${i}`)}`)
  return sql.join([sql`t.id::text as id`, sql`t.key`, ...values])
}

export function toSingle(row: SingleRow, shownFields: ShownFields): Single {
  return { id: row.id, key: Number(row.key), values: shownFields.map((_, i) => row[`f${i}`]) }
}

/**
 * For each of the 256 sixteenths of a cell its column and its row, a byte each: a lookup in SQL is cheaper than
 * splitting bits.
 */
const sixteenths = Array.from({ length: 256 }, (_, part) => deinterleave(part))
const bytesIn = (parts: number[]) => sql`decode(${hex(Uint8Array.from(parts))}, 'hex')`
const columnOfPart = bytesIn(sixteenths.map(({ x }) => x))
const rowOfPart = bytesIn(sixteenths.map(({ y }) => y))

/**
 * A CTE that counts rows by cell of a level, as `p`: their number, the least key, and the sums of the column
 * and row of their sixteenth of the cell (four bits per axis). `rows`: FROM and WHERE.
 */
export function sumByCell(
  level: number,
  key: RawBuilder<unknown>,
  rows: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const bits = 2 * (keyLevel - level) - 8
  const part = sql`((${key} >> ${bits}::int) & 255)::int`
  return sql`
    p as (
      select ${key} >> ${bits + 8}::int as cell, count(*) as n, min(${key}) as key,
        sum(get_byte(${columnOfPart}, ${part})) as x, sum(get_byte(${rowOfPart}, ${part})) as y
      ${rows} group by 1)`
}

/** The Failure where the data are of another version than requested. */
export function newer(): Failure {
  return new Failure('unavailable', { message: 'Newer data are just being published.' })
}

const buildCountKey = (zoom: number, ranges: KeyRange[]) => JSON.stringify([zoom, ranges])

/** Converts key ranges to ranges of the cells of a zoom. */
function toCellRanges(ranges: KeyRange[], zoom: number): KeyRange[] {
  const shrink = 4 ** (keyLevel - zoom - cellsPerTileBits)
  return ranges.map(([low, high]): KeyRange => [Math.floor(low / shrink), Math.ceil(high / shrink)])
}

/**
 * FROM and WHERE for the rows in any of the ranges. A single range becomes a condition, several are joined as
 * a table.
 */
export function fromRanges(
  from: RawBuilder<unknown>,
  column: RawBuilder<unknown>,
  ranges: KeyRange[],
): RawBuilder<unknown> {
  const [first] = ranges
  if (first && ranges.length === 1)
    return sql`from ${from} where ${column} >= ${first[0]}::bigint and ${column} < ${first[1]}::bigint`
  const [lows, highs] = [ranges.map(([low]) => low), ranges.map(([, high]) => high)]
  return sql`from ${from} join unnest(${lows}::bigint[], ${highs}::bigint[]) as r(low, high)
    on ${column} >= r.low and ${column} < r.high where true`
}
