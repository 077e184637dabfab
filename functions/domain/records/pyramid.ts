import { sql } from 'kysely'
import type { Tx } from '#db/schema.ts'
import {
  cellsPerTileBits,
  deinterleave,
  keyLevel,
  prefix,
  pyramidZoom,
} from '#functions/engine/tile/morton.ts'
import { rowsPerStatement } from './write.ts'

/** The change of a cell: in its number of records, and in the sums of their column and row numbers. */
interface Change {
  n: number
  x: number
  y: number
}

type Cells = Map<number, Change>

/**
 * The change of one cell at zoom `z`: of one value of a facet, or of all records (`facet` and `value` null).
 */
interface ChangedCell {
  facet: string | null
  value: string | null
  z: number
  cell: number
  change: Change
}

/** Most distinct values of a facet that one write counts; with more, the facet is counted from the table. */
const maxFollowed = 64
/** Most cells held in memory, including those of each facet value: some ten megabytes. */
const maxHeld = 100_000

/**
 * Collects the changes of a write to the counts per map cell, zoom 0 to 9: of all records, and of each value
 * of the given facets. Sums are whole column and row numbers, which a double holds exactly, so adding and
 * subtracting never drifts. With more cells than `most` it gives up (`isLost`), and the caller counts from
 * the table.
 */
export class PyramidChange {
  /** Whether it has given up, so that its changes must not be used. */
  isLost = false
  /** Number of cells at which it gives up. */
  most = maxHeld
  private cellCount = 0
  private deepest: Cells = new Map()
  /** Cells by facet and value. Null: the facet has too many values in this write. */
  private facets: Map<string, Map<string, Cells> | null>
  /** The facets counted in this write, with their fields. */
  private followed: { facet: string; field: string; values: Map<string, Cells> }[] = []

  /** `facets`: names from `facetName`. */
  constructor(facets: readonly string[]) {
    this.facets = new Map()
    this.restart(facets)
  }

  /**
   * Counts a record with this key and data: `sign` 1 added, -1 removed. `key` null: it has no geometry and is
   * ignored.
   */
  count(key: number | null, sign: 1 | -1, data: Record<string, unknown>): void {
    if (key === null || this.isLost) return
    const { x, y } = deinterleave(key)
    const cell = prefix(key, keyLevel - cellsPerTileBits - pyramidZoom)
    const change = { n: sign, x: sign * x, y: sign * y }
    this.gather(this.deepest, cell, change)
    for (const { facet, field, values } of this.followed) {
      const value = facetValue(data[field])
      let cells = values.get(value)
      if (!cells) {
        if (values.size >= maxFollowed) {
          this.giveUp(facet)
          continue
        }
        values.set(value, (cells = new Map()))
      }
      this.gather(cells, cell, change)
    }
    if (this.cellCount > this.most) {
      this.restart([])
      this.isLost = true
    }
  }

  /**
   * Starts again after all records were deleted, with these facets: what is counted from now on is all there
   * is.
   */
  restart(facets: readonly string[]): void {
    this.deepest = new Map()
    this.followed = facets.map((facet) => ({ facet, field: fieldOfFacet(facet), values: new Map() }))
    this.facets = new Map(this.followed.map(({ facet, values }) => [facet, values]))
    this.isLost = false
    this.cellCount = 0
  }

  private gather(cells: Cells, cell: number, change: Change): void {
    if (gather(cells, cell, change)) this.cellCount += 1
  }

  private giveUp(facet: string): void {
    this.facets.set(facet, null)
    this.followed = this.followed.filter((each) => each.facet !== facet)
  }

  /** Whether every change of the facet was counted. */
  follows(facet: string): boolean {
    return Boolean(this.facets.get(facet))
  }

  /** The changes of all records, from the deepest zoom up. */
  *cells(): Generator<ChangedCell> {
    for (const row of levels(this.deepest)) yield { facet: null, value: null, ...row }
  }

  /** The changes of each value of a facet, from the deepest zoom up. */
  *listFacetCells(facet: string): Generator<ChangedCell> {
    for (const [value, cells] of this.facets.get(facet) ?? [])
      for (const row of levels(cells)) yield { facet, value, ...row }
  }
}

/** The name of a field's facet. A field whose type has changed is a different facet. */
export function facetName(key: string, type: string): string {
  return `${key}:${type}`
}

/** The field key in a facet's name. */
export function fieldOfFacet(facet: string): string {
  return facet.slice(0, facet.lastIndexOf(':'))
}

/** A value as it is stored with the counts: '' without a value, otherwise the value after an equals sign. */
function facetValue(value: unknown): string {
  return value === null || value === undefined ? '' : `=${String(value as string | boolean)}`
}

/** Every changed cell from the deepest zoom to zoom 0; each is the sum of the four cells below it. */
function* levels(deepest: Cells): Generator<{ z: number; cell: number; change: Change }> {
  let level = deepest
  for (let z = pyramidZoom; z >= 0; z--) {
    const coarser: Cells = new Map()
    for (const [cell, change] of level) {
      if (change.n !== 0 || change.x !== 0 || change.y !== 0) yield { z, cell, change }
      gather(coarser, Math.floor(cell / 4), change)
    }
    level = coarser
  }
}

/** Adds the change of a cell to the map; true where the cell was not there yet. */
function gather(cells: Cells, cell: number, { n, x, y }: Change): boolean {
  const cellChange = cells.get(cell)
  if (!cellChange) {
    cells.set(cell, { n, x, y })
    return true
  }
  cellChange.n += n
  cellChange.x += x
  cellChange.y += y
  return false
}

interface Owner {
  sourceId: string
  placeId: string
}

/**
 * Adds the changes to a source's stored counts, of all records and of these facets. Cells left without
 * records are deleted.
 */
export async function applyPyramid(
  tx: Tx,
  owner: Owner,
  change: PyramidChange,
  facets: readonly string[],
): Promise<void> {
  await add(tx, owner, change.cells(), 'cluster_pyramid')
  for (const facet of facets) await add(tx, owner, change.listFacetCells(facet), 'facet_pyramid')
}

async function add(
  tx: Tx,
  owner: Owner,
  cells: Iterable<ChangedCell>,
  table: 'cluster_pyramid' | 'facet_pyramid',
) {
  let slice: ChangedCell[] = []
  let isLess = false
  for (const cell of cells) {
    slice.push(cell)
    isLess ||= cell.change.n < 0
    if (slice.length < rowsPerStatement) continue
    await addSlice(tx, owner, slice, table)
    slice = []
  }
  if (slice.length > 0) await addSlice(tx, owner, slice, table)
  if (!isLess) return
  await sql`delete from ${sql.table(table)} where source_id = ${owner.sourceId} and n = 0`.execute(
    tx.withoutPlugins(),
  )
}

async function addSlice(
  tx: Tx,
  { sourceId, placeId }: Owner,
  slice: ChangedCell[],
  table: 'cluster_pyramid' | 'facet_pyramid',
) {
  const hasFacets = table === 'facet_pyramid'
  const facetColumns = hasFacets ? sql`facet, value,` : sql``
  const input = hasFacets
    ? sql`${slice.map(({ facet }) => facet)}::text[], ${slice.map(({ value }) => value)}::text[],`
    : sql``
  const key = hasFacets ? sql`source_id, facet, z, cell, value` : sql`source_id, z, cell`
  await sql`
    insert into ${sql.table(table)} as p (source_id, place_id, ${facetColumns} z, cell, n, sum_x, sum_y)
    select ${sourceId}, ${placeId}, c.* from unnest(
      ${input} ${slice.map(({ z }) => z)}::smallint[], ${slice.map(({ cell }) => cell)}::bigint[],
      ${slice.map((row) => row.change.n)}::int[], ${slice.map((row) => row.change.x)}::double precision[],
      ${slice.map((row) => row.change.y)}::double precision[]) as c (${facetColumns} z, cell, n, sum_x, sum_y)
    on conflict (${key}) do update
      set n = p.n + excluded.n, sum_x = p.sum_x + excluded.sum_x, sum_y = p.sum_y + excluded.sum_y`.execute(
    tx.withoutPlugins(),
  )
}

/** Deletes a source's stored map cells: all of them, or those of one facet. */
export async function clearPyramid(tx: Tx, sourceId: string, facet?: string): Promise<void> {
  if (facet === undefined) await tx.deleteFrom('clusterPyramid').where('sourceId', '=', sourceId).execute()
  const facets = tx.deleteFrom('facetPyramid').where('sourceId', '=', sourceId)
  await (facet === undefined ? facets : facets.where('facet', '=', facet)).execute()
}
