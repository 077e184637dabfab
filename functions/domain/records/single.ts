import { canonical } from '#functions/engine/http/canonical.ts'
import { isPlainObject } from '#functions/shapes/fields/plain.ts'
import { sql } from 'kysely'
import { dataTable } from '#db/data-table.ts'
import type { Tx } from '#db/schema.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { Datum } from '#functions/shapes/datum.ts'
import type { Issue } from '#functions/shapes/issue.ts'
import { change, prepareRecordSubject, findSourceDataType } from './change.ts'
import { buildColumns, type Column } from './columns.ts'
import { findOwnId } from './identity.ts'
import { ingest } from './ingest.ts'
import { prepare } from './prepare.ts'
import { toDatum, toColumnRead, rowColumns, type Row } from './read.ts'
import { isRecordId } from './remove.ts'
import { fillRegions } from './regions.ts'
import { invalidShapes } from './validity.ts'
import { Incoming } from './incoming.ts'
import { writeRows, type WriteTarget } from './write.ts'

/** The result of writing a list of records; `errors` names the rejected ones by index, with the reasons. */
interface Batch {
  created: number
  updated: number
  unchanged: number
  errors: { index: number; fields: Issue[] }[]
}

/**
 * Creates a record, or replaces the one with its id. Returns it as stored and whether it is new. Failure `invalid` with
 * its issues.
 */
export async function createRecord(
  ctx: Context,
  sourceId: string,
  data: unknown,
): Promise<{ datum: Datum; isNew: boolean }> {
  const { created, rejected } = await ingest(ctx, sourceId, [data])
  if (rejected[0]) throw new Failure('invalid', { issues: rejected[0].issues })
  const subject = await prepareRecordSubject(ctx, sourceId)
  if (!subject) throw new Failure('notFound')
  const { rows } = await prepare([data], subject.schema)
  const columns = buildColumns(subject.schema)
  const { rows: matches } = await sql<Row>`
    select ${rowColumns(columns.map(toColumnRead))} from ${dataTable(subject.table)} t
    where t.source_id = ${sourceId} and t.external_id = ${rows[0]?.externalId ?? ''}`.execute(
    ctx.db.withoutPlugins(),
  )
  if (!matches[0]) throw new Failure('conflict', { message: 'The record was removed in the meantime.' })
  return { datum: toDatum(columns.map(toColumnRead), matches[0]), isNew: created > 0 }
}

/**
 * Failure `invalid` for a list in which every record was rejected. The HTTP answer merges `beside`, the
 * result of the list, next to `error`.
 */
class RefusedBatch extends Failure {
  readonly beside: Batch

  constructor(batch: Batch) {
    const issues = batch.errors.flatMap(({ index, fields }) =>
      fields.map((issue) => ({ ...issue, path: [index, ...issue.path] })),
    )
    super('invalid', { issues })
    this.beside = batch
  }
}

/**
 * Creates or replaces several records in one transaction: invalid ones are rejected, the rest is written.
 * Failure `invalid` where all were rejected, so that a client that only looks at the status does not take it
 * for a success.
 */
export async function createRecords(ctx: Context, sourceId: string, rows: unknown[]): Promise<Batch> {
  const { created, updated, unchanged, rejected } = await ingest(ctx, sourceId, rows)
  const errors = rejected.map(({ index, issues }) => ({ index, fields: issues }))
  const batch = { created, updated, unchanged, errors }
  if (errors.length > 0 && created + updated + unchanged === 0) throw new RefusedBatch(batch)
  return batch
}

/**
 * Updates fields of a record: given fields are replaced, null deletes a value. The id stays, even where it
 * was computed from the content. Returns the record as stored; undefined without such a record.
 */
export async function updateRecord(
  ctx: Context,
  sourceId: string,
  id: string,
  changes: Record<string, unknown>,
): Promise<Datum | undefined> {
  const subject = await prepareRecordSubject(ctx, sourceId)
  if (!subject || !isRecordId(id)) return undefined
  let result: Datum | undefined
  await change(ctx, subject, async (pendingChange) => {
    const { tx, target } = pendingChange
    const before = await read(tx, target, id)
    if (!before) return
    const fields = pickChangedFields(before, changes, subject.schema)
    const { rows, rejected } = await prepare([{ ...before.data, ...fields }], subject.schema)
    const row = rows[0]
    const bad = rejected[0] ?? (await invalidShapes(tx, target.columns, rows))[0]
    if (bad || !row) throw new Failure('invalid', { issues: bad?.issues ?? [] })
    const isRenamed = findOwnId(fields, subject.schema) !== null && row.externalId !== before.externalId
    if (isRenamed)
      throw new Failure('invalid', {
        issues: [{ path: ['id'], value: fields.id, message: 'Must not change.' }],
      })
    const newRow = { ...row, externalId: before.externalId }
    await fillRegions({ tx, ctx }, target.columns, [newRow])
    const { updated } = await writeRows(tx, target, new Incoming(target.columns, [newRow]))
    result = updated.length > 0 ? await read(tx, target, id) : before
    for (const each of updated) pendingChange.countReplaced(each.before, newRow)
  })
  return result
}

/**
 * The fields of a change: those that were sent, or, for a whole record that is sent back, those of its `data`. Failure
 * `invalid` for other members that differ from the stored record; `conflict` where it has changed since it was read.
 */
function pickChangedFields(before: Datum, changes: Record<string, unknown>, schema: Record<string, unknown>) {
  const { data, ...others } = changes
  const isWhole = isPlainObject(data) && 'sourceId' in others && 'externalId' in others
  if (!isWhole || Object.hasOwn(schema, 'data')) return changes
  const current = JSON.parse(JSON.stringify(before)) as Record<string, unknown>
  if (typeof others.updatedAt === 'string' && others.updatedAt < before.updatedAt)
    throw new Failure('conflict', { message: 'Someone has changed this record since it was read.' })
  const wrong = Object.keys(others).filter((name) => canonical(others[name]) !== canonical(current[name]))
  if (wrong.length)
    throw new Failure('invalid', {
      issues: wrong.map((name) => ({ path: [name], message: 'Cannot be changed.', validator: 'readOnly' })),
    })
  return data
}

/**
 * Failure `invalid` with the issues of a record, with the same messages as an import. `partial`: missing fields are not
 * checked. Stores nothing.
 */
export async function checkRecord(
  ctx: Context,
  sourceId: string,
  data: unknown,
  options: { partial?: boolean } = {},
): Promise<void> {
  const row = await findSourceDataType(ctx, sourceId)
  if (!row) throw new Failure('notFound')
  const input = typeof data === 'object' && data !== null ? data : {}
  const fields = Object.entries(row.schema).filter(([key]) => !options.partial || Object.hasOwn(input, key))
  const schema = Object.fromEntries(fields)
  const { rows, rejected } = await prepare([data], schema)
  const bad = rejected[0] ?? (await invalidShapes(ctx.db, buildColumns(schema), rows))[0]
  if (bad) throw new Failure('invalid', { issues: bad.issues })
}

async function read(
  tx: Tx,
  { table, columns, sourceId }: WriteTarget,
  id: string,
): Promise<Datum | undefined> {
  const readings = columns.map((column: Column) => toColumnRead(column))
  const { rows } = await sql<Row>`
    select ${rowColumns(readings)} from ${dataTable(table)} t
    where t.source_id = ${sourceId} and t.id = ${id}::bigint`.execute(tx.withoutPlugins())
  return rows[0] && toDatum(readings, rows[0])
}
