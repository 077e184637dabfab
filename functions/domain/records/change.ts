import { sql } from 'kysely'
import { ChangedTypeError, makeTable } from '#db/data-table.ts'
import { findSqlState } from '#db/unavailable.ts'
import type { Tx } from '#db/schema.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { Conversions } from '#functions/engine/import/map/conversions.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { recordActivity, type Verb } from '#functions/domain/activity/activity.ts'
import { emit } from '#functions/domain/outbox/outbox.ts'
import { allowStatements } from '#functions/domain/noun/statement-timeout.ts'
import { buildColumns } from './columns.ts'
import { candidates, readStoredFacets, updateFacets } from './facets.ts'
import { applyPyramid, clearPyramid, PyramidChange } from './pyramid.ts'
import { countCells } from './pyramid-count.ts'
import { storeReadAsEmpty } from './profile/read-as-empty.ts'
import { settle } from './settle.ts'
import { Tally, type CountedRecord, type Stat } from './tally.ts'
import { recordVersion } from './version.ts'
import { isEmpty, type PriorRecord, type WriteTarget } from './write.ts'

/** What a write of records needs to know of its source. */
export interface RecordSubject {
  sourceId: string
  placeId: string
  schema: FieldSchema
  table: string
  /** The data type that has this schema, and its version. */
  typeId: string
  typeVersion: number
}

/** With fewer rows than this, whether the source is empty is not queried. */
const manyRows = 500

/**
 * A write of a source's records that is in progress: its transaction, and what it has changed so far.
 * `change` creates one, runs the work and commits.
 */
export class Change {
  readonly tx: Tx
  readonly target: WriteTarget
  readonly tally: Tally
  readonly pyramid: PyramidChange
  /** Names of all facets that the source's schema allows. */
  private readonly facets: string[]
  /** Whether the source had no records before, so that the records added by this write are all there are. */
  isWhole: boolean
  /** Counts for the audit log: a replaced record counts as one added and one removed. */
  private arrived = 0
  private left = 0
  private replaced = 0
  private foundEmpty: boolean | null = null
  hasChanged = false
  /** Whether it only added records that never existed before: their ids are larger than all earlier ones. */
  onlyAdds = true
  /**
   * Texts that an import read as empty, by field. Null: what is stored from the import before is no longer
   * valid. Undefined: it still is.
   */
  readAsEmpty: Conversions['emptied'] | null | undefined = undefined
  /** How many rows an import rejected. Null: the write was not an import. */
  rejectedCount: number | null = null

  /** `keptFacets`: the facets whose map cells are counted completely before this write. */
  constructor(tx: Tx, target: WriteTarget, tally: Tally, schema: FieldSchema, keptFacets: string[]) {
    this.tx = tx
    this.target = target
    this.tally = tally
    this.facets = candidates(schema)
    this.isWhole = tally.count === 0
    this.pyramid = new PyramidChange(this.isWhole ? this.facets : keptFacets)
  }

  /**
   * Whether the source had no records before this write, so that a plain insert is enough. Queried from the
   * table once, before the first rows, and not at all for fewer than `manyRows`. `rows`: how many are about
   * to be written, at least.
   */
  async isFirst(rows: number): Promise<boolean> {
    if (!this.isWhole || this.target.hasHistory) return false
    if (this.foundEmpty === null && rows < manyRows) return false
    return (this.foundEmpty ??= this.arrived === 0 && (await isEmpty(this.tx, this.target)))
  }

  came(row: CountedRecord): void {
    this.hasChanged = true
    this.arrived += 1
    this.tally.add(row)
    this.pyramid.count(row.key, 1, row.data)
  }

  /** Counts a record that a rollback restored with its old id. */
  cameBack(row: CountedRecord): void {
    this.onlyAdds = false
    this.came(row)
  }

  went(before: PriorRecord): void {
    this.hasChanged = true
    this.onlyAdds = false
    this.left += 1
    this.tally.remove(before)
    this.pyramid.count(before.key, -1, before.data)
  }

  /** Counts a record that was replaced. */
  countReplaced(before: PriorRecord, row: CountedRecord): void {
    this.went(before)
    this.came(row)
    this.replaced += 1
  }

  /** How many records the write has created, updated and removed so far. */
  counts() {
    const { arrived, left, replaced } = this
    return { created: arrived - replaced, updated: replaced, removed: left - replaced }
  }

  /** All `count` records were deleted: counts and map cells start again from zero. */
  async countEmptied(count: number): Promise<void> {
    const { tx, target, tally, pyramid, facets } = this
    this.hasChanged = true
    this.onlyAdds = false
    this.left += count
    tally.clear()
    pyramid.restart(facets)
    this.isWhole = true
    await clearPyramid(tx, target.sourceId)
  }
}

/**
 * The source and its data table, which is created or gets missing columns first. Undefined: the actor sees no
 * such source. Failure `conflict` where a column of the table has another type than the field.
 */
export async function prepareRecordSubject(
  ctx: Context,
  sourceId: string,
): Promise<RecordSubject | undefined> {
  const row = await findSourceDataType(ctx, sourceId)
  if (!row) return undefined
  const { id: typeId, placeId, schema, typeVersion } = row
  try {
    return { sourceId, placeId, schema, typeId, typeVersion, table: await makeTable(ctx.db, row) }
  } catch (error) {
    if (error instanceof ChangedTypeError)
      throw new Failure('conflict', { message: error.message, cause: error })
    throw error
  }
}

/** A source's place and its data type with schema and version. Undefined: the actor sees no such source. */
export async function findSourceDataType(ctx: Context, sourceId: string) {
  const source = await ctx.db
    .selectFrom('source')
    .innerJoin('dataType', 'dataType.id', 'source.dataTypeId')
    .select(['source.placeId', 'dataType.id', 'dataType.schema', 'dataType.temporal', 'dataType.tableName'])
    .select('dataType.version as typeVersion')
    .where('source.id', '=', sourceId)
    .where('source.deletedAt', 'is', null)
    .executeTakeFirst()
  return source
}

/**
 * Runs a write of a source's records and, in the same transaction, updates what is derived from them: counts,
 * extent, field stats, map cells, the data version and the outbox event. A write that changes nothing leaves
 * the version as it is. Writes of one source run one after another (the source row is locked). The audit log
 * gets one line for the whole write, with `verb` and the counts. Returns the source's data version
 * afterwards. Failure `notFound` without the source, `conflict` where its data type has changed since
 * `subject` was read, `unavailable` where it has moved to another data type, or another write takes too long.
 */
export async function change(
  ctx: Context,
  subject: RecordSubject,
  work: (change: Change) => Promise<void>,
  verb: Verb = 'updated',
): Promise<number> {
  const { sourceId, placeId, schema, table } = subject
  const { version, hasChanged } = await ctx.transaction(async (tx) => {
    const source = await lockSource(tx, sourceId)
    if (!source) throw new Failure('notFound')
    const next = source.dataVersion + 1
    const target = {
      table,
      columns: buildColumns(schema),
      sourceId,
      placeId,
      version: next,
      hasHistory: next > 1,
    }
    const tally = new Tally(schema, await findStoredStat(tx, subject))
    const oldFacets = await readStoredFacets(tx, sourceId)
    const pendingChange = new Change(tx, target, tally, schema, oldFacets)
    await work(pendingChange)
    if (!pendingChange.hasChanged) return { version: source.dataVersion, hasChanged: false }
    await settle(tx, target, pendingChange.tally)
    await storeStat(tx, subject, pendingChange.tally.stat())
    if (!pendingChange.onlyAdds) await storeChangedVersion(tx, sourceId, next)
    if (pendingChange.tally.count === 0) pendingChange.readAsEmpty ??= null
    if (pendingChange.readAsEmpty !== undefined)
      await storeReadAsEmpty(tx, sourceId, pendingChange.readAsEmpty ?? {})
    const { pyramid, isWhole } = pendingChange
    if (pyramid.isLost) await countAnew(tx, target)
    const facets = await updateFacets(tx, target, schema, { tally, change: pyramid, oldFacets, isWhole })
    await applyPyramid(tx, subject, pyramid, facets)
    await tx
      .updateTable('source')
      .set({ dataVersion: next, dataUpdatedAt: sql<Date>`now()` })
      .where('id', '=', sourceId)
      .execute()
    const { name } = source
    await recordVersion(tx, { sourceId, placeId, version: next }, pendingChange.counts(), {
      refused: pendingChange.rejectedCount,
    })
    await recordActivity(tx, ctx, {
      verb,
      type: 'source',
      id: sourceId,
      name,
      placeId,
      counts: pendingChange.counts(),
    })
    await emit(tx, { kind: 'data', placeId, payload: { sourceId, version: next } })
    return { version: next, hasChanged: true }
  })
  if (hasChanged) ctx.wake()
  return version
}

/**
 * How long a writer of a source waits for another, in milliseconds: three quarters of the statement timeout
 * (mostly fifteen seconds), so that the error can name the reason.
 */
const longestWait = sql`(extract(epoch from current_setting('statement_timeout')::interval) * 750)::int::text`

/** Why a write of a source ended that waited for another. */
export const concurrentWriteMessage =
  'Other data are being written to this source, by an import or a large change. Nothing of this was written: try again when that is done.'

/**
 * Locks a source for a write of its records. Undefined without such a source. Failure `unavailable` where another write
 * takes too long. The same statement sets the lock time-out for the rest of the transaction, to save a round trip to the
 * database.
 */
async function lockSource(tx: Tx, sourceId: string) {
  try {
    return await tx
      .selectFrom('source')
      .innerJoin(sql`(select set_config('lock_timeout', ${longestWait}, true))`.as('bounded'), (join) =>
        join.onTrue(),
      )
      .select(['dataVersion', 'name'])
      .where('id', '=', sourceId)
      .where('deletedAt', 'is', null)
      .forUpdate('source')
      .executeTakeFirst()
  } catch (error) {
    if (findSqlState(error) !== lockNotAvailable) throw error
    throw new Failure('unavailable', { message: concurrentWriteMessage, cause: error })
  }
}

const lockNotAvailable = '55P03'

/** Time-out of the statements that count all map cells: some seconds for each million records. */
const countTimeout = '15min'

async function countAnew(tx: Tx, target: WriteTarget): Promise<void> {
  await allowStatements(tx, countTimeout)
  await clearPyramid(tx, target.sourceId)
  await countCells(tx, target)
}

/**
 * The stored stat of a source, whose row must be locked; null where none is stored yet. Failure `conflict` or
 * `unavailable` when its data type has changed since the subject was read: the columns may differ, and a
 * change of the schema does not wait for writers without a lock.
 */
async function findStoredStat(
  tx: Tx,
  { sourceId, typeId, typeVersion }: RecordSubject,
): Promise<Stat | null> {
  const row = await tx
    .selectFrom('source')
    .innerJoin('dataType', 'dataType.id', 'source.dataTypeId')
    .leftJoin('sourceStat', 'sourceStat.sourceId', 'source.id')
    .select(['dataType.id as typeId', 'dataType.version', 'count', 'extent', 'reach', 'fields'])
    .where('source.id', '=', sourceId)
    .executeTakeFirstOrThrow()
  requireSameType(row.typeId, typeId)
  requireSame(row.version, typeVersion)
  const { count, extent, reach, fields } = row
  return count === null || fields === null ? null : { count, extent, reach, fields }
}

/** Failure `conflict` unless the version of the data type is the one that the caller has read. */
export function requireSame(version: number, knownVersion: number): void {
  if (version === knownVersion) return
  throw new Failure('conflict', { message: 'The fields of the data type have changed in the meantime.' })
}

/** Failure `unavailable` unless the source still has the data type that the caller has read. */
export function requireSameType(id: string, knownId: string): void {
  if (id === knownId) return
  throw new Failure('unavailable', {
    message: 'The source has just moved to another data type. Nothing was written: send it again.',
  })
}

/**
 * Stores that a version did not only add records, so that profiles of its fields have to read all records
 * again.
 */
export async function storeChangedVersion(tx: Tx, sourceId: string, version: number): Promise<void> {
  await tx
    .updateTable('sourceStat')
    .set({ changedVersion: version })
    .where('sourceId', '=', sourceId)
    .execute()
}

/** Inserts or replaces a source's stat. */
export async function storeStat(
  tx: Tx,
  { sourceId, placeId }: Pick<RecordSubject, 'sourceId' | 'placeId'>,
  { count, extent, reach, fields }: Stat,
) {
  const columns = {
    count,
    extent: extent && JSON.stringify(extent),
    reach: reach && JSON.stringify(reach),
    fields: JSON.stringify(fields),
    updatedAt: sql<Date>`now()`,
  }
  await tx
    .insertInto('sourceStat')
    .values({ sourceId, placeId, ...columns })
    .onConflict((conflict) => conflict.column('sourceId').doUpdateSet(columns))
    .execute()
}
