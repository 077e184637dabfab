import { sql } from 'kysely'
import { change, type Change } from '../../records/change.ts'
import { writeGood } from '../../records/ingest.ts'
import type { Rejected } from '../../records/prepare.ts'
import { removeById, rowsAStatement } from '../../records/write.ts'
import type { Counts } from './cursor.ts'
import { ended } from './end.ts'
import { Refused } from './errors.ts'
import { keepPiece, rejectsOf, subjectFor } from './readRows.ts'
import type { Run } from './run.ts'
import { dropSuperseded, isAnyStaged, keepRejects, stagedRows } from './staging.ts'
import { dataTable } from '#db/dataTable.ts'

/**
 * Brings the good rows into the source, in one transaction with the end of the run: until it is committed readers see what
 * was there before, and no one but the holder of the fence can commit it. Of rows with one id the last is stored, the
 * others count as unchanged. False: the data type has changed in between, and there is something to read again.
 */
export async function commitRows(run: Run): Promise<boolean> {
  const { job, plan, lease } = run
  const { mode } = plan
  const subject = await subjectFor(run)
  if (run.cursor.stage !== 'commit') return false
  await lease.settle()
  await change(
    run.ctx,
    subject,
    async (made) => {
      const { tx } = made
      if (mode === 'replace' && !(await isAnyStaged(tx, job)))
        throw new Refused('There is no good row in the source: nothing is removed for it.')
      await dropSuperseded(tx, job)
      const done = { created: 0, updated: 0 }
      const rejected: Rejected[] = []
      for await (const rows of stagedRows(tx, job, subject.schema)) {
        lease.beat()
        await writeGood(made, rows, mode, done, rejected)
      }
      const removed = mode === 'replace' ? await removeRest(made, run) : 0
      const rejects = rejected.flatMap((each) => rejectsOf(each, { row: each.index }))
      if (rejects.length) await keepPiece(run, rejects, 'commit')
      await keepRejects(tx, job, run.cursor.rejects, rejects)
      const { read } = run.counts
      const bad = run.counts.rejected + rejected.length
      const counts: Counts = {
        ...done,
        read,
        removed,
        rejected: bad,
        unchanged: read - bad - done.created - done.updated,
      }
      await ended(tx, run.ctx, run.job, { status: 'succeeded', counts, error: null })
    },
    'imported',
  )
  return true
}

/** Removes the records that no row of the run is of, a refused one neither. Gives how many. */
async function removeRest(made: Change, { job, lease }: Run): Promise<number> {
  const { tx, target } = made
  let removed = 0
  for (let last = '0'; ;) {
    lease.beat()
    const { rows } = await sql<{ id: string }>`
      select d.id::text as id from ${dataTable(target.table)} d
      where d.source_id = ${target.sourceId} and d.id > ${last}::bigint and not exists (
        select from import_row r where r.job_id = ${job.id} and r.external_id = d.external_id)
      order by d.id limit ${rowsAStatement}::int`.execute(tx.withoutPlugins())
    const ids = rows.map(({ id }) => id)
    if (ids.length) for (const before of await removeById(tx, target, ids)) made.went(before)
    removed += ids.length
    if (ids.length < rowsAStatement) return removed
    last = ids.at(-1) ?? last
  }
}
