import { sql } from 'kysely'
import type { Tx } from '#db/schema.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import { change, subjectOf, type Change, type RecordSubject } from './change.ts'
import { ownIdOf } from './identity.ts'
import { Incoming } from './incoming.ts'
import { prepare, type Batch, type Rejected } from './prepare.ts'
import { invalidShapes } from './validity.ts'
import { addRows, removeOthers, rowsAStatement, writeRows } from './write.ts'

/**
 * What became of the rows: created + updated + unchanged + rejected is how many were given. `removed` counts records
 * that were not among them. `version` is the source's data version now.
 */
export interface Ingested {
  created: number
  updated: number
  unchanged: number
  removed: number
  version: number
  rejected: Rejected[]
}

/** upsert: rows replace those of the same id. replace: and records that are not in the batch go. append: existing records stay as they are. */
export type Mode = 'upsert' | 'replace' | 'append'

/**
 * Brings rows into a source: the one way in for seeds, the API and importers. Checks each row, writes the good ones and
 * says of the others what is wrong, all in one transaction with what is kept about the source. When several rows
 * have one id the last is stored and the others count as unchanged. Fails with `notFound` where the actor may not write.
 */
export async function ingest(
  ctx: Context,
  sourceId: string,
  rows: readonly unknown[],
  options: { mode?: Mode } = {},
): Promise<Ingested> {
  const subject = await subjectOf(ctx, sourceId)
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
): Promise<Ingested> {
  const counts = { created: 0, updated: 0, removed: 0 }
  const rejected = [...batch.rejected]
  // The product brings in what it was told to fetch; people and keys change what is there.
  const verb = ctx.actor.kind === 'system' ? 'imported' : 'updated'
  const work = async (made: Change) => {
    for (let from = 0; from < batch.rows.length; from += rowsAStatement) {
      const slice = batch.rows.slice(from, from + rowsAStatement)
      const bad = await invalidShapes(made.tx, made.target.columns, slice)
      rejected.push(...bad)
      const refused = new Set(bad.map(({ index }) => index))
      const good = slice.filter(({ index }) => !refused.has(index))
      if (!good.length) continue
      const count = await writeGood(made, new Incoming(made.target.columns, good), mode, counts, rejected)
      count()
    }
    if (mode === 'replace') {
      // A row that was refused still says that its record exists.
      const refused = rejected.flatMap(({ index }) => ownIdOf(rows[index], subject.schema) ?? [])
      counts.removed = await removeRest(made, [...batch.rows.map(({ externalId }) => externalId), ...refused])
    }
  }
  const version = await change(ctx, subject, work, verb)
  rejected.sort((a, b) => a.index - b.index)
  const unchanged = rows.length - rejected.length - counts.created - counts.updated
  return { ...counts, unchanged, version, rejected }
}

/**
 * Writes rows of different ids in one statement; those that the database refuses are put among `rejected`. Gives what
 * counts the others, to be called before what is kept of the source is settled. `meanwhile` is as in `eachGood`.
 */
export async function writeGood(
  made: Change,
  incoming: Incoming,
  mode: Mode,
  counts: { created: number; updated: number },
  rejected: Rejected[],
  meanwhile?: () => void,
): Promise<() => void> {
  const { tx, target } = made
  if (await made.isFirst(incoming.rows.length)) return eachGood(tx, incoming, rejected, addAll, meanwhile)
  return eachGood(tx, incoming, rejected, replace, meanwhile)

  async function addAll(some: Incoming) {
    await addRows(tx, target, some)
    // Only the rows wait: what was sent of them is as large.
    const { rows } = some
    return () => {
      for (const row of rows) made.came(row)
      counts.created += rows.length
    }
  }
  async function replace(some: Incoming) {
    const { created, updated } = await writeRows(tx, target, some, mode !== 'append')
    const { rows } = some
    // From here on nothing is refused any more: it is counted once.
    return () => {
      const byId = new Map(rows.map((row) => [row.externalId, row]))
      for (const externalId of created) {
        const row = byId.get(externalId)
        if (row) made.came(row)
      }
      for (const { externalId, before } of updated) {
        const row = byId.get(externalId)
        if (row) made.turned(before, row)
      }
      counts.created += created.length
      counts.updated += updated.length
    }
  }
}

/**
 * Does a statement with rows and gives what it gives, to be called when there is time. Should the database refuse a value
 * that passed every check, the rows are halved until it is found, so one of them never costs the others: it is put among
 * `rejected`. `meanwhile` is what the worker has to do while the database is at the statement.
 */
export async function eachGood(
  tx: Tx,
  incoming: Incoming,
  rejected: Rejected[],
  statement: (incoming: Incoming) => Promise<() => void>,
  meanwhile?: () => void,
): Promise<() => void> {
  await sql`savepoint rows`.execute(tx)
  try {
    const doing = statement(incoming)
    if (meanwhile) {
      // It is waited for below.
      doing.catch(() => {})
      await nextTurn()
      meanwhile()
    }
    const done = await doing
    await sql`release savepoint rows`.execute(tx)
    return done
  } catch (error) {
    if (!isDataException(error)) throw error
    await sql`rollback to savepoint rows`.execute(tx)
  }
  const { rows } = incoming
  const [first] = rows
  if (first && rows.length === 1) {
    const issues = [{ path: [], message: 'Has a value that cannot be stored' }]
    rejected.push({ index: first.index, issues })
    return () => {}
  }
  const half = rows.length >> 1
  const before = await eachGood(tx, incoming.slice(0, half), rejected, statement)
  const after = await eachGood(tx, incoming.slice(half), rejected, statement)
  return () => {
    before()
    after()
  }
}

/** When what was just asked for is on its way: a connection writes once the worker's hands are free. */
const nextTurn = () => new Promise((resolve) => setTimeout(resolve, 0))

/** Postgres's class 22: a value its type cannot take. Geometry it cannot read has no code of its own. */
function isDataException(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return String(code).startsWith('22') || (code === 'XX000' && /geojson/i.test(String(message)))
}

async function removeRest(made: Change, kept: string[]): Promise<number> {
  for (let removed = 0; ;) {
    const deleted = await removeOthers(made.tx, made.target, kept)
    for (const before of deleted) made.went(before)
    removed += deleted.length
    if (deleted.length < rowsAStatement) return removed
  }
}
