import { sql } from 'kysely'
import { keyOf } from '../../records/location.ts'
import type { Prepared } from '../../records/prepare.ts'
import { rowsAStatement } from '../../records/write.ts'
import type { Claimed } from './claim.ts'
import { storable } from './run.ts'
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

/** The rows of a batch, in one statement. */
export async function stageRows(tx: Tx, { id, placeId }: Of, rows: Staged[]): Promise<void> {
  if (!rows.length) return
  await sql`
    insert into import_row (job_id, place_id, seq, external_id, row)
    select ${id}, ${placeId}, u.seq, u.external_id, u.row::json
    from unnest(${rows.map(({ seq }) => seq)}::bigint[], ${rows.map(({ externalId }) => externalId)}::text[],
      ${rows.map(({ data }) => data && JSON.stringify(data))}::text[]) as u(seq, external_id, row)`.execute(
    tx,
  )
}

/** Of rows with one id only the last is to be stored; gives how many went. */
export async function dropSuperseded(tx: Tx, { id }: Of): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from import_row r using (
      select external_id, max(seq) as last from import_row
      where job_id = ${id} and row is not null group by external_id having count(*) > 1) d
    where r.job_id = ${id} and r.external_id = d.external_id and r.row is not null and r.seq < d.last`.execute(
    tx,
  )
  return Number(numAffectedRows ?? 0)
}

/** Whether there is a good row at all. */
export async function isAnyStaged(tx: Tx, { id }: Of): Promise<boolean> {
  const { rows } = await sql`select from import_row where job_id = ${id} and row is not null limit 1`.execute(
    tx,
  )
  return rows.length > 0
}

/** The good rows by their numbers, as many at a time as a statement takes; `index` is the number of the row. */
export async function* stagedRows(tx: Tx, { id }: Of, schema: FieldSchema): AsyncGenerator<Prepared[]> {
  const primary = primaryGeometry(schema)
  for (let last = '0'; ;) {
    const { rows } = await sql<{ seq: string; external_id: string; row: Record<string, unknown> }>`
      select r.seq::text as seq, r.external_id, r.row from import_row r
      where r.job_id = ${id} and r.seq > ${last}::bigint and r.row is not null
      order by r.seq limit ${rowsAStatement}::int`.execute(tx.withoutPlugins())
    if (rows.length)
      yield rows.map(({ seq, external_id, row: data }) => {
        const geometry = primary(data)
        const [key, extent] = [geometry && keyOf(geometry), geometry && extentOf(geometry)]
        return { index: Number(seq), externalId: external_id, data, geometry, key, extent }
      })
    if (rows.length < rowsAStatement) return
    last = rows.at(-1)?.seq ?? last
  }
}

/** Most rows that a statement removes, so that it ends in time. */
const removedAtOnce = 100_000

/** Removes all staged rows of a run. */
export async function clearStaged(tx: Pick<Tx, 'getExecutor'>, { id }: Pick<Of, 'id'>): Promise<void> {
  for (let count = removedAtOnce; count === removedAtOnce;) {
    const { numAffectedRows } = await sql`
      delete from import_row where job_id = ${id} and seq in (
        select seq from import_row where job_id = ${id} order by seq limit ${removedAtOnce}::int)`.execute(tx)
    count = Number(numAffectedRows ?? 0)
  }
}

/** Things wrong with rows that are kept in the database. */
export const mostRejects = 1000

/** Keeps what is wrong with rows, as far as there is room; `before`: how many were kept so far. Rows are numbered over the run. */
export async function keepRejects(
  tx: Tx,
  { id: jobId, placeId }: Of,
  before: number,
  rejects: Reject[],
): Promise<void> {
  const kept = rejects.slice(0, Math.max(0, mostRejects - before))
  const text = (value: string | null | undefined) => (value ? storable(value) : (value ?? null))
  for (let i = 0; i < kept.length; i += 500)
    await tx
      .insertInto('importReject')
      .values(
        kept.slice(i, i + 500).map(({ at, field, message, value }, k) => ({
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
        })),
      )
      .execute()
}
