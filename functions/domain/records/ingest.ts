import { sql } from 'kysely'
import type { Tx } from '#db/schema.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import { change, prepareRecordSubject, type Change, type RecordSubject } from './change.ts'
import { findOwnId } from './identity.ts'
import { Incoming } from './incoming.ts'
import { prepare, type Batch, type RejectedRow } from './prepare.ts'
import { fillRegions } from './regions.ts'
import { invalidShapes } from './validity.ts'
import { addRows, removeOthers, rowsPerStatement, writeRows } from './write.ts'

/**
 * The result of an ingest. created + updated + unchanged + the length of `rejected` is the number of rows
 * given. `removed` counts records that were not among the rows (mode `replace`). `version` is the source's
 * data version afterwards.
 */
export interface IngestResult {
  created: number
  updated: number
  unchanged: number
  removed: number
  version: number
  rejected: RejectedRow[]
}

/**
 * upsert: rows replace records of the same id. replace: like upsert, and records that are not among the rows
 * are deleted. append: existing records stay as they are.
 */
export type Mode = 'upsert' | 'replace' | 'append'

/**
 * Writes rows to a source: seeds, the API and importers all use it. Checks each row, writes the valid ones
 * and reports what is wrong with the others, in one transaction with the source's counts. Where several rows
 * have the same id, the last is stored and the others count as unchanged. Failure `notFound` where the actor
 * may not write.
 */
export async function ingest(
  ctx: Context,
  sourceId: string,
  rows: readonly unknown[],
  options: { mode?: Mode } = {},
): Promise<IngestResult> {
  const subject = await prepareRecordSubject(ctx, sourceId)
  if (!subject) throw new Failure('notFound')
  const batch = await prepare(rows, subject.schema)
  return write(ctx, subject, rows, batch, options.mode ?? 'upsert')
}

async function write(
  ctx: Context,
  subject: RecordSubject,
  rows: readonly unknown[],
  batch: Batch,
  mode: Mode,
): Promise<IngestResult> {
  const counts = { created: 0, updated: 0, removed: 0 }
  const rejected = [...batch.rejected]
  // The system actor imports; people and API keys update.
  const verb = ctx.actor.kind === 'system' ? 'imported' : 'updated'
  const work = async (pendingChange: Change) => {
    for (let from = 0; from < batch.rows.length; from += rowsPerStatement) {
      const slice = batch.rows.slice(from, from + rowsPerStatement)
      const bad = await invalidShapes(pendingChange.tx, pendingChange.target.columns, slice)
      rejected.push(...bad)
      const badIndexes = new Set(bad.map(({ index }) => index))
      const good = slice.filter(({ index }) => !badIndexes.has(index))
      if (!good.length) continue
      await fillRegions({ tx: pendingChange.tx, ctx }, pendingChange.target.columns, good)
      const count = await writeValidRows(
        pendingChange,
        new Incoming(pendingChange.target.columns, good),
        mode,
        counts,
        rejected,
      )
      count()
    }
    if (mode === 'replace') {
      // A rejected row must not delete the record that it names.
      const rejectedIds = rejected.flatMap(({ index }) => findOwnId(rows[index], subject.schema) ?? [])
      counts.removed = await removeRest(pendingChange, [
        ...batch.rows.map(({ externalId }) => externalId),
        ...rejectedIds,
      ])
    }
  }
  const version = await change(ctx, subject, work, verb)
  rejected.sort((a, b) => a.index - b.index)
  const unchanged = rows.length - rejected.length - counts.created - counts.updated
  return { ...counts, unchanged, version, rejected }
}

/**
 * Writes rows with distinct ids in one statement; rows that the database refuses are added to `rejected`.
 * Returns the function that counts the written ones, which must be called before the tally is settled.
 * `meanwhile`: see `runForValidRows`.
 */
export async function writeValidRows(
  pendingChange: Change,
  incoming: Incoming,
  mode: Mode,
  counts: { created: number; updated: number },
  refusals: RejectedRow[],
  meanwhile?: () => void,
): Promise<() => void> {
  const { tx, target } = pendingChange
  if (await pendingChange.isFirst(incoming.rows.length))
    return runForValidRows(tx, incoming, refusals, addAll, meanwhile)
  return runForValidRows(tx, incoming, refusals, replace, meanwhile)

  async function addAll(some: Incoming) {
    await addRows(tx, target, some)
    // The closure keeps only the rows, not `some` with its SQL parameters of the same size, so that these can
    // be freed.
    const { rows } = some
    return () => {
      for (const row of rows) pendingChange.came(row)
      counts.created += rows.length
    }
  }
  async function replace(some: Incoming) {
    const { created, updated } = await writeRows(tx, target, some, mode !== 'append')
    const { rows } = some
    // Counted by the caller once the statement has succeeded, so that rows which are retried in halves are
    // counted once.
    return () => {
      const byId = new Map(rows.map((row) => [row.externalId, row]))
      for (const externalId of created) {
        const row = byId.get(externalId)
        if (row) pendingChange.came(row)
      }
      for (const { externalId, before } of updated) {
        const row = byId.get(externalId)
        if (row) pendingChange.countReplaced(before, row)
      }
      counts.created += created.length
      counts.updated += updated.length
    }
  }
}

/**
 * Runs a statement for rows and returns its result. Where the database refuses a value that passed every
 * check, the rows are halved until the bad one is found and added to `rejected`, so that it does not affect
 * the others. `meanwhile` is run while the database executes the statement. Rethrows every error that is not
 * about a value.
 */
export async function runForValidRows(
  tx: Tx,
  incoming: Incoming,
  refusals: RejectedRow[],
  statement: (incoming: Incoming) => Promise<() => void>,
  meanwhile?: () => void,
): Promise<() => void> {
  await sql`savepoint rows`.execute(tx)
  try {
    const doing = statement(incoming)
    if (meanwhile) {
      // Awaited below; this only prevents an unhandled rejection until then.
      doing.catch(() => {})
      await waitForNextTurn()
      meanwhile()
    }
    const finish = await doing
    await sql`release savepoint rows`.execute(tx)
    return finish
  } catch (error) {
    if (!isDataException(error)) throw error
    await sql`rollback to savepoint rows`.execute(tx)
  }
  const { rows } = incoming
  const [first] = rows
  if (first && rows.length === 1) {
    const issues = [{ path: [], message: 'Has a value that cannot be stored' }]
    refusals.push({ index: first.index, issues })
    return () => {}
  }
  const half = rows.length >> 1
  const before = await runForValidRows(tx, incoming.slice(0, half), refusals, statement)
  const after = await runForValidRows(tx, incoming.slice(half), refusals, statement)
  return () => {
    before()
    after()
  }
}

/** Resolves in the next turn of the event loop: the connection sends its query only once this code yields. */
const waitForNextTurn = () => new Promise((resolve) => setTimeout(resolve, 0))

/** Postgres's error class 22 (data exception). PostGIS reports invalid GeoJSON only as XX000. */
function isDataException(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return String(code).startsWith('22') || (code === 'XX000' && /geojson/i.test(String(message)))
}

async function removeRest(pendingChange: Change, keptIds: string[]): Promise<number> {
  for (let count = 0; ;) {
    const rows = await removeOthers(pendingChange.tx, pendingChange.target, keptIds)
    for (const before of rows) pendingChange.went(before)
    count += rows.length
    if (rows.length < rowsPerStatement) return count
  }
}
