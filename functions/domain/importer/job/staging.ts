import { sql } from 'kysely'
import { arrayText, buildColumns, type Column } from '#functions/domain/records/columns.ts'
import { Incoming } from '#functions/domain/records/incoming.ts'
import { locator } from '#functions/domain/records/prepare.ts'
import { fillRegions, type AreasFrom } from '#functions/domain/records/regions.ts'
import { rowsPerStatement, type WriteTarget } from '#functions/domain/records/write.ts'
import type { ClaimedRun } from './claim.ts'
import { storable } from './run.ts'
import { dataTable } from '#db/data-table.ts'
import type { Tx } from '#db/schema.ts'
import type { Reject } from '#functions/engine/import/row.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'

type StagedJob = Pick<ClaimedRun, 'id' | 'placeId'>

/**
 * Rows to be staged, in order: the valid ones by number, id and text, and the ids of rejected ones (`named`), whose
 * records must not be deleted. Few lists of texts instead of thousands of objects, to save memory.
 */
export interface StagingBatch {
  /** The smallest row number; Infinity: there are none. */
  first: number
  seqs: number[]
  /** Batches of ids, as items of a Postgres array literal: an id that is a substring of a page would keep the page in memory. */
  ids: string[]
  /** Some good rows each, with commas between them; see `stagedText`. */
  texts: string[]
  externalIds: string[]
}

/** Some ids in one text, as `StagingBatch` has them. */
export const idsText = (ids: string[]): string[] => (ids.length ? [arrayText(ids).slice(1, -1)] : [])

/** A valid row as it is staged. */
export const stagedText = (...row: StagedRow): string => JSON.stringify(row)

/** What some rows and those behind them are. */
export function stagedBoth(a: StagingBatch, b: StagingBatch): StagingBatch {
  return {
    first: Math.min(a.first, b.first),
    seqs: a.seqs.concat(b.seqs),
    ids: a.ids.concat(b.ids),
    texts: a.texts.concat(b.texts),
    externalIds: a.externalIds.concat(b.externalIds),
  }
}

/**
 * Stores the rows of a batch as one row of the table: single rows with their indexes would cost half of what writing the
 * records does. Batches of a run do not overlap.
 */
export async function stageRows(tx: Tx, { id, placeId }: StagedJob, rows: StagingBatch): Promise<void> {
  const { first, seqs, ids, texts, externalIds } = rows
  if (first === Infinity) return
  await sql`
    insert into import_batch (job_id, place_id, first, seqs, ids, rows, named)
    values (${id}, ${placeId}, ${first}::bigint, ${`{${seqs.join(',')}}`}::bigint[], ${`{${ids.join(',')}}`}::text[],
      ${`[${texts.join(',')}]`}, ${`{${externalIds.join(',')}}`}::text[])`.execute(tx)
}

/**
 * Of rows with the same id only the last is stored; returns how many are dropped. Sorts once: the planner has no
 * statistics of rows that were just staged, and a join planned for a handful took minutes.
 */
export async function dropSuperseded(tx: Tx, { id }: StagedJob): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with superseded as materialized (
      select first, array_agg(seq) as seqs from (
        select first, seq, lead(seq) over (partition by row_id collate "C" order by seq) as later
        from import_batch b, unnest(b.seqs, b.ids) as r(seq, row_id)
        where b.job_id = ${id} and seq <> all(b.dropped)) r
      where later is not null group by first
    ), told as (
      update import_batch b set dropped = b.dropped || s.seqs from superseded s
      where b.job_id = ${id} and b.first = s.first
    )
    select coalesce(sum(cardinality(seqs)), 0)::int as n from superseded`.execute(tx)
  return rows[0]?.n ?? 0
}

/** Whether there is a good row at all. */
export async function isAnyStaged(tx: Tx, { id }: StagedJob): Promise<boolean> {
  const { rows } = await sql`
    select from import_batch where job_id = ${id} and cardinality(seqs) > cardinality(dropped) limit 1`.execute(
    tx,
  )
  return rows.length > 0
}

/**
 * Iterates over the valid rows by number, in portions for one statement; `index` is the number of the row. `ask` and
 * `readNext` are two steps: what is requested before a statement is prefetched and prepared while the database writes.
 * Requested after it, it would be lost with a statement that fails.
 */
export class StagedRows {
  private readonly tx: Tx
  private readonly ctx: AreasFrom['ctx']
  private readonly job: StagedJob
  private readonly columns: Column[]
  private readonly locate: ReturnType<typeof locator>
  private nextBatches: Promise<StagedBatch[]> = Promise.resolve([])
  private last = '0'

  constructor({ tx, ctx }: AreasFrom, job: StagedJob, schema: FieldSchema) {
    this.tx = tx
    this.ctx = ctx
    this.job = job
    this.columns = buildColumns(schema)
    this.locate = locator(schema)
  }

  /** Prefetches the rows after those that were taken. */
  ask(): void {
    this.nextBatches = batchesAfter(this.tx, this.job, this.last)
    // Awaited when they are taken; this only prevents an unhandled rejection until then.
    this.nextBatches.catch(() => {})
  }

  /** The prefetched rows, ready to be written; null: there are none left. */
  async readNext(): Promise<Incoming | null> {
    const batches = await this.nextBatches
    const last = batches.at(-1)
    if (!last) return null
    this.last = last.first
    const rows = batches
      .flatMap(goodRows)
      .map(([index, externalId, data]) => this.locate({ index, externalId, data }))
    // With whole sets: later batches are prepared while one is written, and after a failed statement nothing can be
    // read.
    await fillRegions({ tx: this.tx, ctx: this.ctx }, this.columns, rows, true)
    const incoming = new Incoming(this.columns, rows)
    incoming.asTable()
    return incoming
  }
}

type StagedRow = [seq: number, externalId: string, data: Record<string, unknown>]
type StagedBatch = { first: string; rows: string; dropped: string[] }

function goodRows({ rows, dropped }: StagedBatch): StagedRow[] {
  const all = JSON.parse(rows) as StagedRow[]
  if (!dropped.length) return all
  const droppedRows = new Set(dropped.map(Number))
  return all.filter(([seq]) => !droppedRows.has(seq))
}

/** The approximate size of rows in memory: rows of a few kilobytes each would fill a worker. */
export const stagedBytes = 1_000_000

/** The next batches for one statement, at least one if there is one. */
async function batchesAfter(tx: Tx, { id }: StagedJob, first: string): Promise<StagedBatch[]> {
  const { rows } = await sql<StagedBatch>`
    select first::text, rows, dropped::text[] from (
      select *, row_number() over w as n, sum(cardinality(seqs)) over w as count, sum(octet_length(rows)) over w as bytes
      from (select * from import_batch where job_id = ${id} and first > ${first}::bigint order by first limit 20) b
      window w as (order by first)) b
    where n = 1 or (count <= ${rowsPerStatement}::int and bytes <= ${stagedBytes}::int)
    order by b.first`.execute(tx.withoutPlugins())
  return rows
}

/** Removes rows that turned out to be invalid, but keeps their ids, so that their records are not deleted. */
export async function refuseStaged(tx: Tx, { id }: StagedJob, seqs: number[]): Promise<void> {
  if (!seqs.length) return
  await sql`
    update import_batch b set dropped = b.dropped || r.seqs from (
      select b.first, array_agg(seq) as seqs from unnest(${seqs}::bigint[]) as r(seq)
      cross join lateral (
        select first from import_batch where job_id = ${id} and first <= r.seq order by first desc limit 1) b
      group by b.first) r
    where b.job_id = ${id} and b.first = r.first`.execute(tx)
}

/** Records per query: each query goes through all ids of the run. */
const unnamedAtOnce = 100_000

/** Records of which more than the id is returned, per query. */
const toldAtOnce = 100

/**
 * Records with no row in the run, not even a rejected one, in portions for one delete statement: by id, some with their
 * external ids. Found by aggregating the ids of both, which is a single pass.
 */
export async function* unnamedRecords(
  tx: Tx,
  { id: jobId }: StagedJob,
  { table, sourceId }: Pick<WriteTarget, 'table' | 'sourceId'>,
): AsyncGenerator<{ ids: string[]; externalIds: string[] }> {
  for (let last = '0'; ;) {
    // As one text: as rows they would exceed the memory of a worker.
    const { rows } = await sql<{ ids: string | null; external_ids: string[] }>`
      select array_agg(id order by id)::text as ids, (array_agg(external_id order by id))[1:${toldAtOnce}::int] as external_ids from (
        select max(id) as id, external_id from (
          select id, external_id from ${dataTable(table)} where source_id = ${sourceId} and id > ${last}::bigint
          union all
          select null, unnest(ids || named) from import_batch where job_id = ${jobId}) r
        group by external_id having bool_and(id is not null)
        order by max(id) limit ${unnamedAtOnce}::int) unnamed`.execute(tx.withoutPlugins())
    const ids = rows[0]?.ids?.slice(1, -1).split(',') ?? []
    for (let from = 0; from < ids.length; from += rowsPerStatement)
      yield {
        ids: ids.slice(from, from + rowsPerStatement),
        externalIds: from ? [] : (rows[0]?.external_ids ?? []),
      }
    if (ids.length < unnamedAtOnce) return
    last = ids.at(-1) ?? last
  }
}

/** Most batches that a statement removes, so that it ends in time. */
const removedAtOnce = 100

/** Removes all staged rows of a run. */
export async function clearStaged(tx: Pick<Tx, 'getExecutor'>, { id }: Pick<StagedJob, 'id'>): Promise<void> {
  for (let count = removedAtOnce; count === removedAtOnce;) {
    const { numAffectedRows } = await sql`
      delete from import_batch where job_id = ${id} and first in (
        select first from import_batch where job_id = ${id} order by first limit ${removedAtOnce}::int)`.execute(
      tx,
    )
    count = Number(numAffectedRows ?? 0)
  }
}

/** Something wrong with a row of a page; `url` is where the page is from, as it may be shown. */
export type Refusal = Reject & { url?: string }

/** The most issues that are stored in the database. */
export const maxKeptRejects = 1000

/** Updates the number of issues, where more were found after reading. */
export async function countRejects(tx: Tx, { id }: Pick<StagedJob, 'id'>, count: number): Promise<void> {
  await sql`update job set cursor = jsonb_set(cursor, '{rejects}', to_jsonb(${count}::int)) where id = ${id}`.execute(
    tx,
  )
}

/** Stores issues up to the limit; `before`: how many were stored so far. Rows are numbered over the whole run. */
export async function storeRejects(
  tx: Tx,
  { id: jobId, placeId }: StagedJob,
  before: number,
  rejects: Refusal[],
): Promise<void> {
  const newRejects = rejects.slice(0, Math.max(0, maxKeptRejects - before))
  const text = (value: string | null | undefined) => (value ? storable(value) : (value ?? null))
  for (let i = 0; i < newRejects.length; i += 500)
    await tx
      .insertInto('importReject')
      .values(
        newRejects.slice(i, i + 500).map(({ at, field, message, value, url, isTaken = false }, k) => ({
          jobId,
          placeId,
          n: before + i + k,
          row: String(at.row),
          line: at.line === undefined ? null : String(at.line),
          entry: text(at.entry),
          sheet: text(at.sheet),
          field: text(field),
          message: storable(message),
          value: text(value),
          url: text(url),
          isTaken,
        })),
      )
      .execute()
}
