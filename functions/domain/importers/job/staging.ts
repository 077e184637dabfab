import { sql } from 'kysely'
import { keyOf } from '../../records/location.ts'
import type { Prepared } from '../../records/prepare.ts'
import { rowsAStatement, type Target } from '../../records/write.ts'
import type { Claimed } from './claim.ts'
import { storable } from './run.ts'
import { dataTable } from '#db/dataTable.ts'
import type { Tx } from '#db/schema.ts'
import type { Reject } from '#functions/importers/row.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { extentOf } from '#functions/shapes/fields/extent.ts'
import { primaryGeometry } from '#functions/shapes/fields/storable.ts'

type Of = Pick<Claimed, 'id' | 'placeId'>

/** A row on its way: checked (`data`), or refused with the id it says (`data` null), which keeps its record from going. */
export interface Staged {
  seq: number
  externalId: string
  data: Record<string, unknown> | null
}

/** The rows of a batch, in one statement and one text: an array of JSON texts would have every quote in it escaped. */
export async function stageRows(tx: Tx, { id, placeId }: Of, rows: Staged[]): Promise<void> {
  if (!rows.length) return
  const given = rows.map(({ seq, externalId, data }) => ({ s: seq, e: externalId, r: data }))
  await sql`
    insert into import_row (job_id, place_id, seq, external_id, row)
    select ${id}, ${placeId}, s, e, r
    from json_to_recordset(${JSON.stringify(given)}::json) as u(s bigint, e text, r json)`.execute(tx)
}

/**
 * Of rows with one id only the last is to be stored; gives how many went. Found by sorting once: the database knows nothing
 * yet of rows that have just been staged, and a join it would plan for a handful took minutes.
 */
export async function dropSuperseded(tx: Tx, { id }: Of): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from import_row where job_id = ${id} and seq = any(array(
      select seq from (
        select seq, lead(seq) over (partition by external_id order by seq) as later
        from import_row where job_id = ${id} and row is not null) r
      where later is not null))`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Whether there is a good row at all. */
export async function isAnyStaged(tx: Tx, { id }: Of): Promise<boolean> {
  const { rows } = await sql`select from import_row where job_id = ${id} and row is not null limit 1`.execute(
    tx,
  )
  return rows.length > 0
}

/**
 * The good rows by their numbers, as many at a time as a statement and a worker take; `index` is the number of the row. The next ones
 * are asked for before these are given: the database reads while the worker does something with them.
 */
export async function* stagedRows(tx: Tx, job: Of, schema: FieldSchema): AsyncGenerator<Prepared[]> {
  const primary = primaryGeometry(schema)
  for (let asked = stagedAfter(tx, job, 0); ;) {
    const rows = await asked
    const last = rows.at(-1)?.[0]
    if (last === undefined) return
    asked = stagedAfter(tx, job, last)
    // It is waited for above, unless there is no more to be done with rows.
    asked.catch(() => {})
    yield rows.map(([index, externalId, data]) => {
      const geometry = primary(data)
      const [key, extent] = [geometry && keyOf(geometry), geometry && extentOf(geometry)]
      return { index, externalId, data, geometry, key, extent }
    })
  }
}

type StagedRow = [seq: number, externalId: string, data: Record<string, unknown>]

/** Bytes of rows that are held at a time, about: rows of a few kilobytes each would fill a worker. */
const stagedBytes = 2_000_000

/** The good rows behind one, as one text: taking it apart is one call for thousands of rows. At least one, if there is one. */
async function stagedAfter(tx: Tx, { id }: Of, seq: number): Promise<StagedRow[]> {
  const { rows } = await sql<{ text: string | null }>`
    select json_agg(json_build_array(seq, external_id, row))::text as text from (
      select *, sum(octet_length(r.row::text)) over (order by r.seq) - octet_length(r.row::text) as before from (
        select r.seq, r.external_id, r.row from import_row r
        where r.job_id = ${id} and r.seq > ${seq}::bigint and r.row is not null
        order by r.seq limit ${rowsAStatement}::int) r) r
    where before < ${stagedBytes}::int`.execute(tx.withoutPlugins())
  return JSON.parse(rows[0]?.text ?? '[]') as StagedRow[]
}

/** Takes rows out that turned out to be no good: of them stays that their records exist. */
export async function refuseStaged(tx: Tx, { id }: Of, seqs: number[]): Promise<void> {
  if (!seqs.length) return
  await sql`update import_row set row = null where job_id = ${id} and seq = any(${seqs}::bigint[])`.execute(
    tx,
  )
}

/** The records that no row of the run is of, a refused one neither, as many at a time as a statement removes. */
export async function* unnamedRecords(
  tx: Tx,
  { id: jobId }: Of,
  { table, sourceId }: Pick<Target, 'table' | 'sourceId'>,
): AsyncGenerator<{ id: string; externalId: string }[]> {
  for (let last = '0'; ;) {
    const { rows } = await sql<{ id: string; external_id: string }>`
      select d.id::text as id, d.external_id from ${dataTable(table)} d
      where d.source_id = ${sourceId} and d.id > ${last}::bigint and not exists (
        select from import_row r where r.job_id = ${jobId} and r.external_id = d.external_id)
      order by d.id limit ${rowsAStatement}::int`.execute(tx.withoutPlugins())
    if (rows.length) yield rows.map(({ id, external_id }) => ({ id, externalId: external_id }))
    if (rows.length < rowsAStatement) return
    last = rows.at(-1)?.id ?? last
  }
}

/** Most rows that a statement removes, so that it ends in time. */
const removedAtOnce = 100_000

/** Removes all staged rows of a run. */
export async function clearStaged(tx: Pick<Tx, 'getExecutor'>, { id }: Pick<Of, 'id'>): Promise<void> {
  for (let count = removedAtOnce; count === removedAtOnce;) {
    const { numAffectedRows } = await sql`
      delete from import_row where job_id = ${id} and seq <= (
        select max(seq) from (
          select seq from import_row where job_id = ${id} order by seq limit ${removedAtOnce}::int) first)`.execute(
      tx,
    )
    count = Number(numAffectedRows ?? 0)
  }
}

/** Something wrong with a row of a page; `url` is where the page is from, as it may be shown. */
export type Refusal = Reject & { url?: string }

/** Things wrong with rows that are kept in the database. */
export const mostRejects = 1000

/** Notes how many things are wrong with rows, where more was found after all was read. */
export async function countRejects(tx: Tx, { id }: Pick<Of, 'id'>, count: number): Promise<void> {
  await sql`update job set cursor = jsonb_set(cursor, '{rejects}', to_jsonb(${count}::int)) where id = ${id}`.execute(
    tx,
  )
}

/** Keeps what is wrong with rows, as far as there is room; `before`: how many were kept so far. Rows are numbered over the run. */
export async function keepRejects(
  tx: Tx,
  { id: jobId, placeId }: Of,
  before: number,
  rejects: Refusal[],
): Promise<void> {
  const kept = rejects.slice(0, Math.max(0, mostRejects - before))
  const text = (value: string | null | undefined) => (value ? storable(value) : (value ?? null))
  for (let i = 0; i < kept.length; i += 500)
    await tx
      .insertInto('importReject')
      .values(
        kept.slice(i, i + 500).map(({ at, field, message, value, url }, k) => ({
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
        })),
      )
      .execute()
}
